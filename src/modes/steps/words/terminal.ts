import type { Lang } from "../../../core/settings.ts";
import type { StepCounts } from "../step-outcome.ts";
import { plural } from "../../../text/plural.ts";

/** The words of `run` and `analyze`. Lines that the requirements spell out are kept to the letter in Chinese. */
const en = {
  upTo: (attempts: number) => `up to ${plural(attempts, "attempt")} a step`,
  verifiedBy: (agents: string) => `verified by ${agents}`,
  anotherAgent: "another agent than worked",
  overview: (total: number, done: number, chosen: number | null, order: string) =>
    `${plural(total, "step")}, ${done} done${chosen === null ? "" : `, ${chosen} chosen`}: ${order}`,
  orderSeparator: " ",
  /** Whether names of step files are shown without `.json`. */
  shortNames: true,
  andMore: (count: number) => ` and ${count} more`,
  attemptsUsed: (at: string) => `at ${at}`,

  skipped: "skipped: already done",
  skippedMarked: "skipped: already done (marked by a person)",
  regression: "this step is marked as done: only its tests are run again, as a regression check...",
  status: (from: string, to: string) => `status: ${from} → ${to}`,
  attempt: (at: string, attempt: number, limit: number) =>
    `🔁 ${at} attempt ${attempt}/${limit} (${attempt === 1 ? "first" : "repairs the last failure"})...`,
  edited: (file: string) =>
    `another program or person changed ${file}: its text is kept, its status is the run's`,
  notCompared: "the work tree could not be compared before and after the verification",
  notVerified: (files: string) => `not tested and verified again (--no-reverify): ${files}`,
  markedBefore: (files: string) => `as done by a person in an earlier run, not by evidence: ${files}`,
  meddledWith: (files: string) => `files changed during a verification, look at them: ${files}`,
  filesChanged: (files: readonly string[]) =>
    `step files were changed during the run: ${files.join(", ")} (the run uses their original content)`,
  unitTestRecorded: (command: string) => `unit test recorded in the step's JSON (command: ${command})`,
  unitTestStarts: (command: string) => `🧪 unit test: ${command}`,
  unitTestPassed: "✓ unit test passed",
  unitTestFailed: "✗ unit test failed",
  reviewStarts: (agent: string) => `verification by ${agent}...`,
  /** The reviewer is on a line of its own if the requirements fix the first line to the letter. */
  reviewPassed: (items: number, agent: string, readOnly: boolean) => [
    `✓ verification passed: ${items} of ${items} (${agent}${readOnly ? ", read only" : ""})`,
  ],
  reviewFailed: (error: string) => `✗ verification failed: ${error}`,
  reviewAgain: (time: number, limit: number) =>
    `the verifier failed, not the work: verifying again (${time}/${limit})`,
  turnFailed: (how: string) => `✗ agent turn failed: ${how}`,
  roundFailed: (error: string) => `this round failed: ${error}`,
  passedAfter: (attempt: number) =>
    `✓ the step passed all tests and its verification after attempt ${attempt}`,
  workedAfter: (attempt: number) =>
    `✓ the step was reworked in attempt ${attempt}; not tested or verified again (--no-reverify)`,
  staysDone: "✓ regression check passed: the step stays done",
  reopened: "regression check failed: the step is opened again",

  requirements: (path: string) => `requirements: ${path}`,
  answerAsked: (at: string, agent: string) => `🔁 ${at} ${agent} reads the code and the requirements...`,
  answerUnusable: (at: string, why: string) => `✗ ${at} answer not used: ${why}`,
  written: (count: number, dir: string) => `✓ ${plural(count, "step")} written: ${dir}`,
  unchanged: (count: number, dir: string) => `✓ ${dir} contains these ${plural(count, "step")} already`,
  notWritten: (count: number, dir: string) =>
    `- DRY RUN: ${plural(count, "step")}, nothing written; without --dry-run: ${dir}`,
  /** Which requirements of a document the steps cover, as the agent claims. */
  coverage: {
    covers: (requirement: string) => `covers ${requirement}`,
    coversNothing: "covers no requirement of the document",
    stepNotStated: "coverage not stated",
    line: (line: number) => `(line ${line})`,
    uncovered: (count: number) =>
      count === 1 ? "1 requirement that no step covers:" : `${count} requirements that no step covers:`,
    notStated: "coverage not stated: the agent did not say which requirements the steps cover",
    noneFound: "coverage not checked: the document has no list items or headings with text",
    count: (covered: number, all: number) =>
      `${covered} of ${plural(all, "requirement")}, by the agent's word`,
    open: (ids: string) => `no step covers ${ids}`,
    unknown: (ids: string) => `not stated for ${ids}`,
  },

  label: {
    steps: "steps",
    failed: "failed",
    stuck: "stuck",
    edited: "edited",
    marked: "marked",
    progress: "status",
    dir: "dir",
    covers: "covers",
    requirements: "needs",
    verifier: "verify",
  },
  numbers: ({ total, passed, failed, notRun, alreadyDone, underWay }: StepCounts) =>
    `${total} in all: ${passed} succeeded, ${failed} failed, ${alreadyDone} done before, ${underWay === 0 ? "" : `${underWay} under way, `}${notRun} not run`,
  endPassed: (done: number, total: number) => `ACCEPTED: ${done} of ${plural(total, "step")} done`,
  endMarkedDone: (done: number, total: number, marked: number) =>
    `MARKED AS PASSED: ${done} of ${plural(total, "step")} done, ${marked} of them by a person, not by evidence`,
  endNothingToDo: (done: number, total: number, chosen: number | null) =>
    `NOTHING TO DO: ${chosen === null ? "all steps are" : chosen === 1 ? "the chosen step is" : "the chosen steps are"} done already (${done} of ${plural(total, "step")} done); nothing was run or accepted`,
  /** Bad ends of a run of steps. */
  failed: {
    limit_reached: "REJECTED",
    stuck: "STUCK: the attempts go in circles",
    marked_by_person: "MARKED AS FAILED by a person",
    step_file_changed: "STOPPED: a step file changed after the run started",
    step_file_invalid: "STOPPED: a step file is no longer usable",
    step_write_failed: "STOPPED: a step file cannot be written",
    cancelled: "CANCELLED",
  },
  endFailed: (how: string, done: number, total: number) => `${how}: ${done} of ${plural(total, "step")} done`,
  endInterrupted: (by: string | null, at: string) =>
    `INTERRUPTED${by === null ? "" : ` by ${by}`} at ${at}; it can go on`,
  endWaiting: (at: string, used: number, limit: number) =>
    `WAITING for you: ${used} of ${limit} attempts used at ${at}`,
  endNothingWritten: (why: "limit_reached" | "cancelled"): string =>
    why === "cancelled" ? "CANCELLED: no steps written" : "NO STEPS written: no answer could be used",
  endNoVerdict: (count: number) => `NO VERDICT: the verifier failed ${plural(count, "time")} in a row`,
  endDirExists: "NOT WRITTEN: the directory for the steps exists",
  moveItAway: "move it away, then go on",
  verifyAgain: "the work is kept: resume only verifies it; --verifier <agent> names another verifier",
  noStepYet: "the beginning",
};

export type StepTerms = typeof en;

const zh: StepTerms = {
  upTo: (attempts) => `每步最多 ${attempts} 次尝试`,
  verifiedBy: (agents) => `验证：${agents}`,
  anotherAgent: "实现者以外的 agent",
  overview: (total, done, chosen, order) =>
    `发现 ${total} 个步骤文件，其中 ${done} 个已完成${chosen === null ? "" : `，选择执行 ${chosen} 个`}；执行顺序：${order}`,
  orderSeparator: " → ",
  shortNames: false,
  andMore: () => " 等",
  attemptsUsed: (at) => `位于 ${at}`,

  skipped: "此前已完成，跳过",
  skippedMarked: "此前已完成（人工标记），跳过",
  regression: "当前步骤已标记为已完成，将仅重新运行测试进行回归验证...",
  status: (from, to) => `状态更新: ${from} → ${to}`,
  attempt: (at, attempt, limit) =>
    `🔁 ${at} 第 ${attempt}/${limit} 次尝试执行该步骤（${attempt === 1 ? "首次尝试" : "基于上一轮失败原因进行修复"}）...`,
  edited: (file) => `${file} 在此期间被他人修改：内容保留，状态以本次运行为准`,
  notCompared: "无法在验证前后比较工作区",
  notVerified: (files) => `未再测试和验证 (--no-reverify)：${files}`,
  markedBefore: (files) => `此前由人工标记为完成，并非凭证据：${files}`,
  meddledWith: (files) => `验证期间有文件发生变化，请查看：${files}`,
  filesChanged: (files) => `步骤文件被他人修改：${files.join("、")}（运行以开始时的内容为准）`,
  unitTestRecorded: (command) => `单元测试信息已记录到步骤 JSON（命令：${command}）`,
  unitTestStarts: (command) => `🧪 执行单元测试: ${command}`,
  unitTestPassed: "✓ 单元测试通过",
  unitTestFailed: "✗ 单元测试失败",
  reviewStarts: () => "正在调用命令行 AI 按 verification 进行验证...",
  reviewPassed: (items, agent, readOnly) => [
    "✓ verification 验证通过",
    `  ${items}/${items} 项，由 ${agent} 验证${readOnly ? "（只读）" : ""}`,
  ],
  reviewFailed: (error) => `✗ verification 验证未通过：${error}`,
  reviewAgain: (time, limit) => `验证者出错，与工作无关：再次验证（${time}/${limit}）`,
  turnFailed: (how) => `✗ agent 执行失败：${how}`,
  roundFailed: (error) => `本轮失败摘要：${error}`,
  passedAfter: (attempt) => `✓ 第 ${attempt} 次尝试后步骤已通过所有测试与验证`,
  workedAfter: (attempt) => `✓ 第 ${attempt} 次尝试已重新实现该步骤；未再次测试与验证 (--no-reverify)`,
  staysDone: "✓ 回归验证通过，步骤保持已完成",
  reopened: "回归验证未通过，将重新打开该步骤",

  requirements: (path) => `需求文档：${path}`,
  answerAsked: (at, agent) => `🔁 ${at} ${agent} 正在阅读代码与需求文档...`,
  answerUnusable: (at, why) => `✗ ${at} 回答未被采用：${why}`,
  written: (count, dir) => `✓ 已写入 ${count} 个步骤：${dir}`,
  unchanged: (count, dir) => `✓ ${dir} 中已有这 ${count} 个步骤`,
  notWritten: (count, dir) => `- 试运行：共 ${count} 个步骤，未写入；去掉 --dry-run 将写入 ${dir}`,
  coverage: {
    covers: (requirement) => `覆盖 ${requirement}`,
    coversNothing: "未覆盖文档中的任何需求",
    stepNotStated: "未说明覆盖哪些需求",
    line: (line) => `（第 ${line} 行）`,
    uncovered: (count) => `有 ${count} 条需求没有任何步骤覆盖：`,
    notStated: "覆盖情况未知：agent 没有说明各步骤覆盖哪些需求",
    noneFound: "未检查覆盖情况：文档中没有列表项，也没有带正文的标题",
    count: (covered, all) => `${all} 条需求中 ${covered} 条（以 agent 的说明为准）`,
    open: (ids) => `没有步骤覆盖 ${ids}`,
    unknown: (ids) => `未说明 ${ids} 是否覆盖`,
  },

  label: {
    steps: "步骤",
    failed: "失败",
    stuck: "循环",
    edited: "改动",
    marked: "人工",
    progress: "进度",
    dir: "目录",
    covers: "覆盖",
    requirements: "需求",
    verifier: "验证",
  },
  numbers: ({ total, passed, failed, notRun, alreadyDone, underWay }) =>
    `总步骤数 ${total}：成功 ${passed}，失败 ${failed}，此前已完成 ${alreadyDone}，${underWay === 0 ? "" : `进行中 ${underWay}，`}未执行 ${notRun}`,
  endPassed: (done, total) => `通过：${done}/${total} 个步骤已完成`,
  endMarkedDone: (done, total, marked) =>
    `人工标记为通过：${done}/${total} 个步骤已完成，其中 ${marked} 个由人工标记，并非凭证据`,
  endNothingToDo: (done, total, chosen) =>
    `无事可做：${chosen === null ? "全部步骤" : "所选步骤"}此前已完成（${done}/${total} 个步骤已完成）；未执行也未验收任何内容`,
  failed: {
    limit_reached: "未通过",
    stuck: "陷入循环，已停止",
    marked_by_person: "人工标记为失败",
    step_file_changed: "已停止：步骤文件与运行开始时不同",
    step_file_invalid: "已停止：步骤文件已无法使用",
    step_write_failed: "已停止：步骤文件无法写入",
    cancelled: "已取消",
  },
  endFailed: (how, done, total) => `${how}：${done}/${total} 个步骤已完成`,
  endInterrupted: (by, at) => `已中断：位于 ${at}${by === null ? "" : ` (${by})`}；可以继续`,
  endWaiting: (at, used, limit) => `等待你决定：${at} 已用 ${used}/${limit} 次尝试`,
  endNothingWritten: (why) => (why === "cancelled" ? "已取消：没有写入步骤" : "没有写入步骤：没有可用的回答"),
  endNoVerdict: (count) => `没有验证结论：连续 ${count} 次验证因验证者自身的问题失败`,
  endDirExists: "没有写入：步骤目录已存在",
  moveItAway: "请移走该目录，然后继续",
  verifyAgain: "已完成的工作会保留：resume 只会重新验证；--verifier <agent> 可换用其他验证者",
  noStepYet: "开头",
};

export const stepTerms: Readonly<Record<Lang, StepTerms>> = { en, zh };
