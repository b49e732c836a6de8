import { ORDER_SECTIONS, type OrderSectionName } from "../../../core/board/answer.ts";
import { BOARD_PROBLEMS } from "../../../core/board/problem.ts";
import type { Broken } from "../../../core/board/rule.ts";
import { WHY_NOT_RED, type WhyNotRed } from "../task-evidence.ts";
import type { Lang } from "../../../core/settings.ts";
import { boardProblemText } from "./board-problems.ts";

/** Why the answer is not one line of JSON. */
const unreadable: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  en: {
    empty: "it is empty",
    fence: "it is in a code fence",
    prose: "there is other text beside the JSON",
    no_object: "there is no JSON object in it",
    several_objects: "there are several objects",
    several_lines: "it goes over several lines",
    repeated_key: "a key appears twice",
    not_json: "it is not valid JSON",
    not_an_object: "it is not an object",
  },
  zh: {
    empty: "内容为空",
    fence: "放在了代码块中",
    prose: "JSON 前后有其他文字",
    no_object: "其中没有 JSON 对象",
    several_objects: "有多个对象",
    several_lines: "写成了多行",
    repeated_key: "有重复的键",
    not_json: "不是有效的 JSON",
    not_an_object: "不是对象",
  },
};

/** The headings of a work order. */
const sections: Readonly<Record<Lang, Readonly<Record<OrderSectionName, string>>>> = {
  en: {
    goal: "## Goal",
    acceptance: "## Acceptance",
    test_requirements: "## Test requirements",
    code_under_test: "## Code under test",
    investigation: "## Investigation",
    dev_feedback: "## DEV feedback",
    files: "## Files",
    investigation_requirements: "## Requirements",
    clarification_reply: "## Clarification reply",
  },
  zh: {
    goal: "## 任务目标",
    acceptance: "## 验收标准",
    test_requirements: "## 测试需求",
    code_under_test: "## 被测代码",
    investigation: "## 调查任务",
    dev_feedback: "## DEV 反馈内容",
    files: "## 相关文件",
    investigation_requirements: "## 调查要求",
    clarification_reply: "## 澄清回复",
  },
};

/** The facts by which a rule was broken, if its name is not enough. */
const en = {
  keyMissing: (key: string) => `\`${key}\`: give it, with null where there is nothing`,
  keyEmpty: (key: string) => `\`${key}\` is missing or empty: give it a text`,
  nothingDone: "no task is DONE: finish one first, or send REVIEW with `review_mode: investigate`",
  noneNamed: (milestone: string) =>
    `the order names no DONE task of ${milestone}: name one by \`task:\`, or use \`review_mode: milestone\``,
  otherTask: (named: string, allowed: string) =>
    `it names ${named}; ${allowed === "" ? "leave `task:` out" : `allowed: ${allowed}`}`,
  noneVerified: "no task is VERIFIED",
  notVerified: (tasks: string) => `DOING or BLOCKED: ${tasks}`,
  notLongBlocked: "no task has been BLOCKED for more than 2 iterations",
  fewDone: "fewer than 3 tasks are DONE",
  bound: (task: string) => `there is a dependency between ${task} and a blocked task`,
  notRed: (task: string, why: WhyNotRed) =>
    ({
      never: task,
      tests_changed: `${task}: its tests changed after they were seen to fail`,
      commands_changed: `${task}: its acceptance commands changed after they were seen to fail`,
      test_rejected: `${task}: the last work of TEST at it was rejected`,
    })[why],
};

type Facts = typeof en;

const zh: Facts = {
  keyMissing: (key) => `\`${key}\`：请补上，没有内容时写 null`,
  keyEmpty: (key) => `\`${key}\` 缺失或为空：请写明内容`,
  nothingDone: "没有 DONE 的任务：请先完成任务，或派发 `review_mode: investigate` 的 REVIEW",
  noneNamed: (milestone) =>
    `工单没有指明 ${milestone} 中 DONE 的任务：请用 \`task:\` 指明，或使用 \`review_mode: milestone\``,
  otherTask: (named, allowed) =>
    `写的是 ${named}；${allowed === "" ? "请去掉 `task:`" : `可以写 ${allowed}`}`,
  noneVerified: "没有 VERIFIED 的任务",
  notVerified: (tasks) => `DOING 或 BLOCKED：${tasks}`,
  notLongBlocked: "没有任务 BLOCKED 超过 2 轮迭代",
  fewDone: "DONE 的任务少于 3 个",
  bound: (task) => `${task} 与被阻塞的任务有依赖关系`,
  notRed: (task, why) =>
    ({
      never: task,
      tests_changed: `${task}：确认红灯之后其测试有改动`,
      commands_changed: `${task}：确认红灯之后其验收命令有改动`,
      test_rejected: `${task}：TEST 最近一次的工作未通过`,
    })[why],
};

const facts: Readonly<Record<Lang, Facts>> = { en, zh };

/** Causes of a REVIEW's finding. */
const faults: Readonly<Record<string, string>> = {
  implementation: "实现问题",
  test: "测试问题",
  requirements: "需求不清晰",
  none: "无",
};

/** The fact that broke the rule. Most facts are the same in every language. */
export function aboutText({ rule, about }: Broken, lang: Lang): string {
  switch (rule) {
    case "not_one_json_line":
      return unreadable[lang][about] ?? about;
    case "field_missing":
      return NULLABLE.has(about) ? facts[lang].keyMissing(about) : facts[lang].keyEmpty(about);
    case "nothing_to_review":
      return about === "" ? facts[lang].nothingDone : facts[lang].noneNamed(about);
    case "order_task": {
      const [named = "", ...allowed] = about.split(", ");
      return facts[lang].otherTask(named, allowed.join(", "));
    }
    case "finish_not_verified":
      return about === "" ? facts[lang].noneVerified : facts[lang].notVerified(about);
    case "partial_not_allowed":
      return partialText(about, lang);
    case "red_not_confirmed": {
      const [task = "", why] = about.split(" ");
      return facts[lang].notRed(task, WHY_NOT_RED.find((known) => known === why) ?? "never");
    }
    case "plan_invalid":
      return about
        .split("; ")
        .map((problem) => problemText(problem, lang))
        .join(lang === "en" ? "; " : "；");
    case "order_section":
    case "test_order_incomplete":
    case "investigation_incomplete": {
      const name = ORDER_SECTIONS.find((section) => section === about);
      return name ? sections[lang][name] : about;
    }
    case "not_what_review_found":
    case "not_what_investigation_found":
      return lang === "en" ? about : about.replace(/^\w+/, (word) => faults[word] ?? word);
    default:
      return about;
  }
}

/** Keys that may be null. */
const NULLABLE: ReadonlySet<string> = new Set(["task", "dev_plan_next"]);

function partialText(about: string, lang: Lang): string {
  const { notLongBlocked, fewDone, bound } = facts[lang];
  if (about.startsWith("BLOCKED")) return notLongBlocked;
  return about.startsWith("DONE") ? fewDone : bound(about.replace("depends: ", ""));
}

/** `12: status_unknown WIP`, one problem of a plan. */
const PROBLEM = /^(?:(\d+): )?([a-z_]+)(?: (.*))?$/s;

function problemText(problem: string, lang: Lang): string {
  const [, line, code, about = ""] = PROBLEM.exec(problem) ?? [];
  const kind = BOARD_PROBLEMS.find((known) => known === code);
  if (!kind) return problem;
  return boardProblemText({ kind, line: line === undefined ? null : Number(line), about }, lang);
}
