import type { BoardRule, Broken } from "../../../core/board/rule.ts";
import type { Lang } from "../../../core/settings.ts";
import { aboutText } from "./board-rule-facts.ts";

/** Explains a broken rule and what to do instead, for MAIN. */
const rules: Readonly<Record<Lang, Readonly<Record<BoardRule, string>>>> = {
  en: {
    turn_failed: "the turn broke off or ended with an error: what it left is no answer",
    not_one_json_line:
      "the answer is not exactly one line of JSON: give one object, without line breaks, fence or other text",
    unknown_field: "the answer has a key that does not exist: leave it out",
    field_missing: "the answer lacks a key",
    field_wrong_type: "a key of the answer has a value of the wrong type: give what the format says",
    field_too_long: "a value of the answer is too long: shorten it",
    unknown_next_agent: "next_agent has to be TEST, DEV, REVIEW, USER or FINISH",
    task_missing: "TEST, DEV and REVIEW need a work order: write it into task",
    task_not_null: "USER and FINISH have no work order: task has to be null",
    question_incomplete:
      "a question to USER needs decision_title, question, options and recommended_option_id: give all four",
    recommended_unknown: "recommended_option_id has to be the option_id of one of the options",
    option_invalid:
      "an option is an object with a unique option_id (letters, digits, `_`, `.`, `-`) and a description; give 1 to 9 of them",

    history_header: "history_append has to begin with the line `## Iteration N:`, N being this iteration",
    history_field:
      "history_append needs the lines `next_agent:`, `reason:` and `dev_plan:`, each at the beginning of its line and without a list mark",
    history_next_agent: "`next_agent:` in history_append has to say the same as next_agent of the answer",
    history_dev_plan:
      "`dev_plan:` in history_append has to say `no change` if and only if dev_plan_next changes nothing: let the two agree",
    history_blockers: "something is blocked: add a line `blockers:` to history_append that says what and why",
    root_cause_missing:
      "the same failure came twice: add a line `root_cause_analysis:` to history_append that says why, before you go on",

    plan_invalid: "dev_plan_next is not a valid plan: fix it, and give the whole text again",
    task_lost: "dev_plan_next lacks a task or milestone of the plan: keep all of them",
    new_task_not_todo: "a new task begins as TODO",
    status_jump:
      "a status moves one step at a time: TODO to DOING to DONE to VERIFIED, TODO or DOING to BLOCKED, BLOCKED to TODO or DOING, DOING to TODO, DONE to DOING; VERIFIED to DOING only where the last look found it failing",
    done_without_green:
      "a task becomes DONE only after a DEV turn with self_test enabled after which the foreman saw all its acceptance commands pass: send DEV",
    verified_without_review:
      "a task becomes VERIFIED only after a REVIEW that covers it has passed: send REVIEW first",
    verified_without_iteration:
      "the evidence of a VERIFIED task has to name the iteration of its REVIEW, as in `REVIEW Iteration 10 PASS`",
    review_not_recorded:
      "the last REVIEW passed: set the tasks it covers from DONE to VERIFIED in dev_plan_next of this answer",
    acceptance_changed:
      "the acceptance of this task may not be changed now: that of a task that a person wrote only right after USER has answered a question that named its id, that of others only before they are DONE",
    dangerous_command: "an acceptance command is dangerous and will not be run: choose another",

    order_header:
      "the work order has to begin with the line `# Current Task (Iteration N)`, N being this iteration",
    order_agent: "`assigned_agent:` of the work order has to be there and to say the same as next_agent",
    order_self_test: "an order for DEV needs `self_test: enabled` or `self_test: disabled`",
    order_review_mode: "an order for REVIEW needs `review_mode: milestone`, `single` or `investigate`",
    order_section: "the work order lacks a section: add it, with text",
    order_commands:
      "the acceptance section of the work order has to list every acceptance command of its tasks, as `command` → threshold",
    order_task:
      "`task:` of the work order names a task that this call cannot be about: TEST and DEV work on the current task, REVIEW on tasks that are DONE",
    test_order_incomplete:
      "an order for TEST needs a list of test requirements, the code under test and the acceptance command: add what is missing",
    investigation_incomplete:
      "an order to investigate needs the investigation, DEV's feedback as it was given where there is one, the files and at least three numbered requirements: add what is missing",
    partial_title:
      "a partial review needs the line `Partial Milestone Review: M{N} (excluding blocked tasks)` with the number of its milestone",
    partial_scope:
      "a partial review has to name every task that is in its scope and every one that is excluded",

    no_open_task: "there is no open task, and so nothing for TEST or DEV: call REVIEW, USER or FINISH",
    milestone_not_reviewed:
      "a milestone before this one is not reviewed: first send REVIEW for its tasks that are DONE; what is BLOCKED in it may be left behind after more than 2 iterations, if something of it is VERIFIED, or at once if USER chose `skip_task` or `drop_tasks`",
    red_not_confirmed:
      "no failing test of this task has been confirmed: send TEST first, or give `red_waiver:` with a reason in the order",
    nothing_to_review: "REVIEW has nothing to look at",
    review_too_early:
      "the milestone still has tasks to do: REVIEW comes when all of them are DONE, not after each one",
    partial_not_allowed:
      "a REVIEW that leaves out BLOCKED tasks is partial. It needs a task that was BLOCKED for more than 2 iterations, at least 3 tasks that are DONE, and no dependency between these and blocked ones, in either direction; otherwise unblock the task, or ask USER with an option `skip_task` or `drop_tasks` that names it",
    feedback_not_investigated:
      "DEV objects to the tests: send REVIEW with `review_mode: investigate` first (again, if it came to no finding), or ask USER",
    not_what_review_found:
      "REVIEW named the type of the failure: send DEV for an implementation failure, TEST for a test failure, or ask USER",
    not_what_investigation_found:
      "the investigation of DEV's objection found whose fault it is: send TEST for the tests, DEV for the implementation, ask USER about the requirements or where you disagree",
    mechanical_retry:
      "this is the same order again after the same failure: change the approach, call another role or ask USER",
    failed_three_times:
      "the same role failed in the same way for the third time: ask USER, or call another role",
    user_cause_unfounded:
      "USER is asked only for a cause that holds: permission, environment, unresolved after 3 iterations, major_choice, clarification; name it as `user_cause:` in history_append, or decide yourself",
    clarification_unanswered:
      "the last report asks for clarification: answer it in a section `Clarification reply` of the order, or pass the question on to USER",
    question_not_passed_on: "the question to USER has to hold the role's own question, word for word",
    already_decided: "USER has decided this already: go by that decision",

    finish_done_left: "a task is DONE but not VERIFIED: FINISH comes after its REVIEW",
    finish_not_verified:
      "FINISH comes when every task is VERIFIED, or left undone because USER chose `drop_tasks` for it",
    finish_last_report: "the last report is a failure or a block: resolve it before FINISH",
    finish_todo_left:
      "tasks are TODO: do them, or ask USER with an option `drop_tasks` whose description names their ids; only what was dropped in this run counts",
    finish_with_update:
      "an answer that sets tasks to VERIFIED cannot be FINISH as well: say FINISH in an answer of its own, in the next iteration, with dev_plan_next null",

    main_changed_files: "you changed files: you decide, you do not do; leave all files alone",
  },
  zh: {
    turn_failed: "回合中断或以错误结束：其输出不算回答",
    not_one_json_line: "回答不是恰好一行 JSON：只输出一个对象，不换行、不加代码块、不带其他文字",
    unknown_field: "回答中有不存在的键：请去掉",
    field_missing: "回答缺少键",
    field_wrong_type: "回答中键的值类型不对：请按格式填写",
    field_too_long: "回答中的值过长：请缩短",
    unknown_next_agent: "next_agent 只能是 TEST、DEV、REVIEW、USER、FINISH 之一",
    task_missing: "TEST、DEV、REVIEW 需要工单：请写入 task",
    task_not_null: "USER 和 FINISH 没有工单：task 必须为 null",
    question_incomplete:
      "向 USER 提问需要 decision_title、question、options、recommended_option_id：四项都要给出",
    recommended_unknown: "recommended_option_id 必须是某个选项的 option_id",
    option_invalid:
      "选项是包含唯一的 option_id（字母、数字、`_`、`.`、`-`）和 description 的对象，给出 1 到 9 个",

    history_header: "history_append 必须以 `## Iteration N:` 这一行开头，N 为本轮编号",
    history_field: "history_append 必须有 `next_agent:`、`reason:`、`dev_plan:` 三行，位于行首，不带列表符号",
    history_next_agent: "history_append 中的 `next_agent:` 必须与回答的 next_agent 一致",
    history_dev_plan:
      "当且仅当 dev_plan_next 没有改变计划时，history_append 中的 `dev_plan:` 写 `无变更`：两者必须一致",
    history_blockers: "存在阻塞：请在 history_append 中增加 `blockers:` 一行，说明阻塞内容和原因",
    root_cause_missing:
      "同样的失败连续出现两次：请先在 history_append 中增加 `root_cause_analysis:` 一行，说明根因",

    plan_invalid: "dev_plan_next 不是有效的计划：请修正并重新给出全文",
    task_lost: "dev_plan_next 缺少计划中已有的任务或 Milestone：必须全部保留",
    new_task_not_todo: "新任务的 status 必须是 TODO",
    status_jump:
      "status 每次只能走一步：TODO→DOING→DONE→VERIFIED，TODO 或 DOING→BLOCKED，BLOCKED→TODO 或 DOING，DOING→TODO，DONE→DOING；VERIFIED→DOING 仅限最后检查发现其失败时",
    done_without_green:
      "只有在 self_test: enabled 的 DEV 之后，编排器亲自运行该任务的全部验收命令且都通过，任务才能标记为 DONE：请派发 DEV",
    verified_without_review: "只有覆盖该任务的 REVIEW 通过后才能标记为 VERIFIED：请先派发 REVIEW",
    verified_without_iteration:
      "VERIFIED 任务的 evidence 必须引用 REVIEW 的迭代编号，例如 `REVIEW Iteration 10 PASS`",
    review_not_recorded:
      "上一轮 REVIEW 已通过：请在本次回答的 dev_plan_next 中把它覆盖的任务从 DONE 更新为 VERIFIED",
    acceptance_changed:
      "该任务的 acceptance 现在不能修改：人写的任务只有在 USER 刚回答了写明其编号的问题之后才能改，其余任务只有在 DONE 之前才能改",
    dangerous_command: "验收命令有危险，不会被执行：请换一条",

    order_header: "工单必须以 `# Current Task (Iteration N)` 这一行开头，N 为本轮编号",
    order_agent: "工单必须有 `assigned_agent:`，且与 next_agent 一致",
    order_self_test: "DEV 工单需要 `self_test: enabled` 或 `self_test: disabled`",
    order_review_mode: "REVIEW 工单需要 `review_mode: milestone`、`single` 或 `investigate`",
    order_section: "工单缺少小节：请补上并写明内容",
    order_commands: "工单的“验收标准”必须列出其任务的全部验收命令，写作 `命令` → 阈值",
    order_task:
      "工单的 `task:` 写了此次派发不能处理的任务：TEST 和 DEV 只处理当前任务，REVIEW 只检查 DONE 的任务",
    test_order_incomplete: "TEST 工单需要逐条列出的“测试需求”、“被测代码”和验收命令：请补齐",
    investigation_incomplete:
      "调查工单需要“调查任务”、“DEV 反馈内容”（有反馈时照录原文）、“相关文件”和至少三条编号的“调查要求”：请补齐",
    partial_title:
      "部分验收需要 `Partial Milestone Review: M{N} (excluding blocked tasks)` 这一行，写明 Milestone 编号",
    partial_scope: "部分验收必须列出验收范围内和排除在外的每一个任务",

    no_open_task: "没有未完成的任务，TEST 和 DEV 无事可做：请选择 REVIEW、USER 或 FINISH",
    milestone_not_reviewed:
      "前面的 Milestone 尚未验收：请先就其中 DONE 的任务派发 REVIEW；其中 BLOCKED 超过 2 轮迭代的任务，在该 Milestone 有任务 VERIFIED 时可以留下；USER 选择 `skip_task` 或 `drop_tasks` 后可以立即留下",
    red_not_confirmed: "该任务的测试尚未确认红灯：请先派发 TEST，或在工单中用 `red_waiver:` 写明豁免理由",
    nothing_to_review: "REVIEW 没有可检查的内容",
    review_too_early: "该 Milestone 还有未完成的任务：全部 DONE 后再派发 REVIEW，而不是每完成一个就派发",
    partial_not_allowed:
      "留下 BLOCKED 任务的 REVIEW 是部分验收，要求：有任务 BLOCKED 超过 2 轮迭代，至少 3 个任务 DONE，且 DONE 的任务与被阻塞的任务互不依赖；否则请解除阻塞，或询问 USER，提供写明其编号的选项 `skip_task` 或 `drop_tasks`",
    feedback_not_investigated:
      "DEV 对测试提出了问题：请先派发 `review_mode: investigate` 的 REVIEW 进行调查（没有得出结论时再次调查），或询问 USER",
    not_what_review_found: "REVIEW 已标注失败类型：实现问题派发 DEV，测试问题派发 TEST，或询问 USER",
    not_what_investigation_found:
      "对 DEV 反馈的调查已给出问题归属：测试问题派发 TEST，实现问题派发 DEV，需求不清晰或你不认同时询问 USER",
    mechanical_retry: "同样的失败之后又是同样的工单：请调整策略、换一个角色或询问 USER",
    failed_three_times: "同一角色以同样的方式第三次失败：请询问 USER，或换一个角色",
    user_cause_unfounded:
      "只有理由成立时才能询问 USER：permission、environment、unresolved（3 次迭代未解决）、major_choice、clarification；请在 history_append 中用 `user_cause:` 写明，否则请自行决定",
    clarification_unanswered: "上一份报告请求澄清：请在工单的“澄清回复”小节中回答，或把问题转给 USER",
    question_not_passed_on: "给 USER 的 question 必须包含子代理的原始问题，逐字照录",
    already_decided: "USER 已对此作出决策：请按该决策执行",

    finish_done_left: "有任务是 DONE 但尚未 VERIFIED：REVIEW 之后才能 FINISH",
    finish_not_verified: "所有任务都 VERIFIED，或由 USER 选择 `drop_tasks` 不做之后，才能 FINISH",
    finish_last_report: "最近的报告是失败或阻塞：解决之后才能 FINISH",
    finish_todo_left:
      "还有 TODO 任务：请完成它们，或询问 USER，提供选项 `drop_tasks` 并在其 description 中列出这些任务的编号；只有本次运行中放弃的才算",
    finish_with_update:
      "把任务更新为 VERIFIED 的回答不能同时 FINISH：请在下一轮迭代中单独输出 FINISH，dev_plan_next 为 null",

    main_changed_files: "你改动了文件：你只做决策，不做执行，不要碰任何文件",
  },
};

/** A broken rule in words. They contain foreign text: show them with `visible`. */
export function ruleText(broken: Broken, lang: Lang): string {
  const text = rules[lang][broken.rule];
  const by = aboutText(broken, lang);
  if (by === "") return text;
  return lang === "en" ? `${text} (${by})` : `${text}（${by}）`;
}
