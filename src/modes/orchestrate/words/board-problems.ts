import type { BoardProblem, BoardProblemKind } from "../../../core/board/problem.ts";
import type { Lang } from "../../../core/settings.ts";

/** Problems of the board's files. The words contain foreign text: show them with `visible`. */
const words: Readonly<Record<Lang, Readonly<Record<BoardProblemKind, string>>>> = {
  en: {
    missing: "the file is missing",
    unreadable: "the file cannot be read",
    not_text: "the file is not UTF-8 text",
    is_link: "the file is a link: put the file itself here",
    too_large: "the file is too large",
    empty: "the file is empty",
    no_milestone: "there is no milestone: add a heading such as `## M1: title`",
    milestone_empty: "the milestone has no task",
    milestone_repeated: "the milestone appears twice",
    milestone_out_of_order: "milestones must be in order of their numbers",
    task_outside_milestone: "the task is above the first milestone",
    task_in_other_milestone: "the task is under a milestone that is not in its id",
    task_repeated: "the task appears twice",
    task_out_of_order: "the tasks of a milestone must be in order of their numbers",
    too_many_tasks: "there are too many tasks: 60 at most",
    line_unclear:
      "the line looks like a task or milestone but is not one: write `### M1-T2: title` or `## M2: title` in plain letters, or leave the id out",
    fence_open: "a code block is not closed: nothing after it is read",
    field_missing: "a task needs status, acceptance and evidence, each with a value; one is missing",
    field_repeated: "the field appears twice in a task",
    field_outside_task:
      "status, acceptance and evidence belong to a task: add a line such as `### M1-T2: title` above",
    status_unknown: "a status is one of TODO, DOING, BLOCKED, DONE and VERIFIED, in capitals",
    acceptance_without_command: "an acceptance item has to hold a command in backticks",
    acceptance_without_threshold:
      "an acceptance item needs the expected result of its command: `command` → threshold",
    too_many_commands: "a task may have 10 acceptance commands at most",
    command_dangerous: "the acceptance command is dangerous",
    holds_secret: "this line holds a secret: move it into an environment variable",
    depends_unknown: "the task depends on one that the plan does not have",
    depends_on_itself: "the task depends on itself",
    not_json: "not JSON",
    not_an_object: "not a JSON object",
    key_repeated: "the key appears twice",
    value_wrong: "the value is invalid for this key",
  },
  zh: {
    missing: "文件不存在",
    unreadable: "无法读取文件",
    not_text: "文件不是 UTF-8 文本",
    is_link: "该文件是链接：请放入文件本身",
    too_large: "文件过大",
    empty: "文件为空",
    no_milestone: "没有 Milestone：应有形如 `## M1: 标题` 的标题",
    milestone_empty: "Milestone 没有任务",
    milestone_repeated: "Milestone 重复",
    milestone_out_of_order: "Milestone 必须按编号递增排列",
    task_outside_milestone: "任务位于第一个 Milestone 之前",
    task_in_other_milestone: "任务所在的 Milestone 与其编号不符",
    task_repeated: "任务重复",
    task_out_of_order: "同一 Milestone 内的任务必须按编号递增排列",
    too_many_tasks: "任务过多：最多 60 个",
    line_unclear:
      "该行看似任务或 Milestone，但无法识别：请用普通字母写作 `### M1-T2: 标题` 或 `## M2: 标题`，或去掉编号",
    fence_open: "代码块没有结束：其后的内容不会被读取",
    field_missing: "任务的 status、acceptance、evidence 都必须有，缺少其一",
    field_repeated: "任务中字段重复",
    field_outside_task: "status、acceptance、evidence 属于任务：上面没有形如 `### M1-T2: 标题` 的任务行",
    status_unknown: "status 只能是大写的 TODO、DOING、BLOCKED、DONE、VERIFIED 之一",
    acceptance_without_command: "acceptance 条目必须有反引号括起的命令",
    acceptance_without_threshold: "acceptance 条目必须写明命令应达到的阈值：`命令` → 阈值",
    too_many_commands: "一个任务最多 10 条 acceptance 命令",
    command_dangerous: "acceptance 命令有危险",
    holds_secret: "这里含有密钥，请放入环境变量",
    depends_unknown: "任务依赖了计划中不存在的任务",
    depends_on_itself: "任务依赖了自身",
    not_json: "不是 JSON",
    not_an_object: "不是 JSON 对象",
    key_repeated: "键重复",
    value_wrong: "该键的值不符合要求",
  },
};

export function boardProblemText({ kind, line, about }: BoardProblem, lang: Lang): string {
  const text = words[lang][kind];
  return lang === "en"
    ? `${line === null ? "" : `line ${line}: `}${text}${about === "" ? "" : ` (${about})`}`
    : `${line === null ? "" : `第 ${line} 行：`}${text}${about === "" ? "" : `（${about}）`}`;
}
