import type { MAIN_OPTIONS } from "../../../core/question-options.ts";
import type { Tools } from "../../../core/event.ts";
import type { Lang } from "../../../core/settings.ts";
import type { QuestionAbout } from "../../../core/state.ts";
import { plural } from "../../../text/plural.ts";
import type { TerminalTexts } from "../../../ui/words/terminal.ts";

/** The words of `orchestrate` for people. Roles, statuses and codes are the same in every language. */
const en = {
  /** In place of words about attempts: a board counts iterations. */
  counting: {
    turnFailed: (what: string) => `${what}; no iteration spent`,
    turnInterrupted: "interrupted; no iteration spent",
    turnsInterrupted: (count: number) => `${count} interrupted; no iteration spent`,
    hintWait: "no iteration spent; Ctrl-C is safe",
    grantedMore: (count: number) => `a person decided: ${plural(count, "more iteration")}`,
    endBudget: (amount: string, notJudged: number | null) => `BUDGET reached: ${amount}${pending(notJudged)}`,
    endUncounted: (notJudged: number | null) => `BUDGET cannot be kept${pending(notJudged)}`,
    turnCutOff: (iteration: number) => `a turn of iteration ${iteration} was cut off; it will be taken again`,
    upTo: (iterations: number) => `up to ${plural(iterations, "iteration")}`,
  } satisfies Partial<TerminalTexts>,

  iterationsUsed: (used: number, limit: number) => `${used} of ${limit} iterations used`,
  andMore: (count: number) => `and ${count} more`,
  turnOf: (role: string) => `${role} turn`,

  recommended: " (recommended)",
  answerRefused: "answer refused",
  refused: (why: string) => `refused: ${why}`,
  rules: (count: number) => `${plural(count, "rule")} broken`,
  afterwards: {
    asked_again: "asked again",
    person_asked: "a person is asked",
    plan_taken: "its plan is taken over",
  },
  openNow: "open now: ",
  plan: (moves: string) => `plan ${moves}`,
  newTask: (id: string) => `${id} new`,
  reworded: "reworded",
  waived: (why: string) => `no red test first (red_waiver): ${why}`,
  mainTools: (agent: string, tools: Exclude<Tools, "none">) =>
    tools === "read"
      ? `MAIN has reading tools: ${agent} cannot disable them`
      : `MAIN has all tools: ${agent} cannot disable them`,

  turnFailed: (who: string, how: string) => `${who} turn failed: ${how}`,
  saidNothing: "reported no conclusion",
  questionsTests: "objects to the tests",
  asksClarification: "asks for clarification",
  ran: (ran: number, all: number) => `foreman ran ${ran} of ${plural(all, "acceptance command")}`,
  green: "green",
  /** For TEST's commands, if the tests are those that were red before. */
  greenRestored: "green (tests that were red before)",
  redAsWanted: (count: number) => `${count} red, as required`,
  redOf: (red: number, ran: number) => `${red} of ${ran} red`,
  notRunOf: (notRun: number, ran: number) => `${notRun} of ${ran} did not run`,
  didNotRun: "did not run",
  wanted: "red, as required",

  forbidden: (role: string, files: string) => `${role} changed files that are not its own: ${files}`,
  changedAround: (role: string, files: string) =>
    `${files} changed since a turn was cut off: by that turn, by ${role} or by a person`,
  restoredFiles: (files: string, kept: string | null) =>
    `board files differed from the journal and were restored: ${files}${kept === null ? "" : ` (previous content: ${kept})`}`,
  notCompared: "the work tree cannot be compared, so forbidden changes would go unnoticed",
  added: (files: string) => `unknown files on the board: ${files}; they stay and have no effect`,
  meddled: (files: string, kept: string | null, removed: string | null) =>
    `board files were changed without permission and restored: ${files}${kept === null ? "" : ` (previous content: ${kept})`}${removed === null ? "" : `; removed files, of which no copy exists: ${removed}`}`,
  edited: (files: string) => `changed by a person while no agent was working: ${files}`,

  asked: { user: "asked: the question of MAIN", main: "asked: what to do about MAIN" } satisfies Record<
    Exclude<QuestionAbout, "limit" | "protected">,
    string
  >,
  chose: (option: string) => `chose ${option}`,
  mainOption: { ask_again: "MAIN is asked again", stop: "the run ends as failed" } satisfies Record<
    (typeof MAIN_OPTIONS)[number],
    string
  >,

  label: {
    board: "board",
    waived: "waived",
    accept: "accept",
    dropped: "dropped",
    before: "before",
    rules: "rules",
    limit: "limit",
  },
  acceptanceChanged: (task: string, from: string, to: string) =>
    `${task} is judged by ${to}, no longer by ${from}`,
  dropped: (tasks: string) => `${tasks}: left undone by a person's decision`,
  before: (tasks: string) => `${tasks}: VERIFIED, but not by a REVIEW of this run`,
  endAccepted: (iteration: number, verified: number, tasks: number) =>
    `ACCEPTED in iteration ${iteration}: ${verified} of ${plural(tasks, "task")} VERIFIED`,
  endRejected: (used: number, limit: number, verified: number, tasks: number) =>
    `REJECTED after ${used} of ${limit} iterations: ${verified} of ${plural(tasks, "task")} VERIFIED`,
  endCancelled: (iteration: number | null) =>
    iteration === null ? "CANCELLED before the first iteration" : `CANCELLED in iteration ${iteration}`,
  endInterrupted: (by: string | null, iteration: number | null) =>
    `INTERRUPTED${by === null ? "" : ` by ${by}`}${iteration === null ? " before the first iteration" : ` in iteration ${iteration}`}; it can go on`,
  endAsks: (place: string, title: string) => `WAITING for you ${place}: ${title}`,
  endMainBreaksRules: (place: string, times: number) =>
    `WAITING for you ${place}: ${plural(times, "answer")} of MAIN refused`,
  endWaiting: (used: number, limit: number) => `WAITING for you: ${used} of ${limit} iterations used`,
  lastIteration: (limit: number) =>
    `this is the last of ${limit} allowed ${limit === 1 ? "iteration" : "iterations"}; after your answer the run needs more (resume --max-iterations)`,
  workLeft: (tasks: string) => `work is left: ${tasks}`,
  notFinished: "all tasks are VERIFIED, but no FINISH was accepted",
};

export type BoardTerms = typeof en;

const zh: BoardTerms = {
  counting: {
    turnFailed: (what) => `${what}；不计入迭代次数`,
    turnInterrupted: "被中断；不计入迭代次数",
    turnsInterrupted: (count) => `${count} 次执行被中断；不计入迭代次数`,
    hintWait: "不计入迭代次数；可以放心按 Ctrl-C",
    grantedMore: (count) => `人工决定：再进行 ${count} 次迭代`,
    endBudget: (amount, notJudged) => `预算已用完：${amount}${pendingZh(notJudged)}`,
    endUncounted: (notJudged) => `无法遵守预算${pendingZh(notJudged)}`,
    turnCutOff: (iteration) => `第 ${iteration} 次迭代的执行被打断；将重新执行`,
    upTo: (iterations) => `最多 ${iterations} 次迭代`,
  },

  iterationsUsed: (used, limit) => `已用 ${used}/${limit} 次迭代`,
  andMore: (count) => `等另外 ${count} 项`,
  turnOf: (role) => `${role} 执行`,

  recommended: "（推荐）",
  answerRefused: "回答被拒绝",
  refused: (why) => `被拒绝：${why}`,
  rules: (count) => `违反 ${count} 条规则`,
  afterwards: { asked_again: "重新询问", person_asked: "改为询问人", plan_taken: "计划已采用" },
  openNow: "现在可以选择：",
  plan: (moves) => `计划 ${moves}`,
  newTask: (id) => `${id} 新增`,
  reworded: "文字有改动",
  waived: (why) => `豁免红灯 (red_waiver)：${why}`,
  mainTools: (agent, tools) =>
    tools === "read"
      ? `MAIN 可以使用读取类工具：无法禁止 ${agent} 使用`
      : `MAIN 可以使用全部工具：无法禁止 ${agent} 使用`,

  turnFailed: (who, how) => `${who} 执行失败：${how}`,
  saidNothing: "没有声明结论",
  questionsTests: "对测试提出问题",
  asksClarification: "请求澄清",
  ran: (ran, all) => `foreman 运行 ${ran}/${all} 条验收命令`,
  green: "绿灯",
  greenRestored: "绿灯（测试之前为红灯）",
  redAsWanted: (count) => `${count} 条红灯，符合要求`,
  redOf: (red, ran) => `${red}/${ran} 红灯`,
  notRunOf: (notRun, ran) => `${notRun}/${ran} 未能运行`,
  didNotRun: "未能运行",
  wanted: "红灯，符合要求",

  forbidden: (role, files) => `${role} 改动了不属于它的文件：${files}`,
  changedAround: (role, files) =>
    `一个回合被打断，此后有文件改动：${files}；改动者可能是该回合、${role} 或人`,
  restoredFiles: (files, kept) =>
    `黑板文件与日志不一致：${files}；已恢复${kept === null ? "" : `，原内容保存在 ${kept}`}`,
  notCompared: "无法比较工作区：不能确定是否有不该改动的文件被改动",
  added: (files) => `黑板目录中出现了不属于编排器的文件：${files}；保留原样，不起任何作用`,
  meddled: (files, kept, removed) =>
    `黑板文件被他人改动：${files}；已恢复${kept === null ? "" : `，被改动的内容保存在 ${kept}`}${removed === null ? "" : `；被删除，没有可保存的内容：${removed}`}`,
  edited: (files) => `没有代理工作期间被人修改：${files}`,

  asked: { user: "提问：MAIN 需要的决策", main: "提问：如何处理 MAIN" },
  chose: (option) => `选择 ${option}`,
  mainOption: { ask_again: "重新询问 MAIN", stop: "以失败结束运行" },

  label: {
    board: "黑板",
    waived: "豁免",
    accept: "验收",
    dropped: "放弃",
    before: "此前",
    rules: "规则",
    limit: "上限",
  },
  acceptanceChanged: (task, from, to) => `${task} 改为 ${to}，不再是 ${from}`,
  dropped: (tasks) => `${tasks}：由人决定不做`,
  before: (tasks) => `${tasks}：VERIFIED，但并非由本次运行的 REVIEW 验收`,
  endAccepted: (iteration, verified, tasks) =>
    `通过：第 ${iteration} 次迭代，${verified}/${tasks} 个任务 VERIFIED`,
  endRejected: (used, limit, verified, tasks) =>
    used >= limit
      ? `未通过：${limit} 次迭代已用完，${verified}/${tasks} 个任务 VERIFIED`
      : `未通过：已用 ${used}/${limit} 次迭代，${verified}/${tasks} 个任务 VERIFIED`,
  endCancelled: (iteration) =>
    iteration === null ? "已取消：尚未开始迭代" : `已取消：第 ${iteration} 次迭代中`,
  endInterrupted: (by, iteration) =>
    `已中断：${iteration === null ? "尚未开始迭代" : `第 ${iteration} 次迭代中`}${by === null ? "" : ` (${by})`}；可以继续`,
  endAsks: (place, title) => `等待你决定 ${place}：${title}`,
  endMainBreaksRules: (place, times) => `等待你决定 ${place}：MAIN 的 ${times} 个回答被拒绝`,
  endWaiting: (used, limit) =>
    used >= limit ? `等待你决定：${limit} 次迭代已用完` : `等待你决定：已用 ${used}/${limit} 次迭代`,
  lastIteration: (limit) =>
    `允许的 ${limit} 次迭代已到最后一次；回答之后需要更多迭代才能继续（resume --max-iterations）`,
  workLeft: (tasks) => `尚未完成：${tasks}`,
  notFinished: "所有任务均为 VERIFIED，但没有 FINISH 被接受",
};

export const boardTerms: Readonly<Record<Lang, BoardTerms>> = { en, zh };

function pending(iteration: number | null): string {
  return iteration === null ? "" : `; iteration ${iteration} not judged`;
}

function pendingZh(iteration: number | null): string {
  return iteration === null ? "" : `；第 ${iteration} 次迭代未判定`;
}
