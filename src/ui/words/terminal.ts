import type { CheckPhase, RefusalReason, RunEnded } from "../../core/event.ts";
import type { Lang } from "../../core/settings.ts";
import { MECHANISMS } from "./containment.ts";
import { isTurn, type LivePhase } from "../../engine/live-phase.ts";
import { zhTests } from "../../core/words/feedback.ts";
import { reasonTexts } from "../../evidence/words/reasons.ts";
import { changeTexts } from "../../evidence/words/changes.ts";
import { roomTexts } from "../../evidence/words/room.ts";
import { agentTexts } from "./terminal-agents.ts";
import { endWord, labelTexts } from "./terminal-labels.ts";
import { processEndTexts } from "./terminal-process.ts";
import type { Stuck } from "../../evidence/stuck.ts";
import { plural } from "../../text/plural.ts";

/** The words shown during a run and at its end. Values come formatted and made safe. */
const en = {
  ...agentTexts.en,
  ...labelTexts.en,
  ...processEndTexts.en,
  lang: "en" as Lang,
  room: roomTexts.en,
  changes: changeTexts.en,
  reason: reasonTexts.en,
  refusal: {
    no_open_question: "no question is open",
    wrong_question_id: "it answers another question",
    not_an_option: "it is none of the answers that the question has",
    unreadable: "it cannot be read",
  } satisfies Record<RefusalReason, string>,
  phase: {
    agent: "agent turn",
    review: "verification",
    main: "MAIN decides",
    base: "tests of the base",
    fast: "fast tests",
    full: "full tests",
    unit: "unit test",
    acceptance: "acceptance",
    check: "checks",
  } satisfies Record<LivePhase, string>,
  containment: MECHANISMS,
  contained: (how: string) => `contained: ${how}`,
  bestEffort: (how: string) => `contained (best effort): ${how}`,

  upTo: (attempts: number) => `up to ${plural(attempts, "attempt")}`,
  started: "started",
  resumed: "resumed",
  attemptsUsed: (used: number, limit: number) => `${used} of ${limit} attempts used`,
  endedLeftovers: (count: number) =>
    `ended ${plural(count, "process", "processes")} the earlier foreman left`,
  stopped: (by: string) => `stopped by ${by}`,
  undecided: "waits for an answer",
  runEnded: ({ status, reason, exitCode }: RunEnded) =>
    `ended: ${endWord(status, reason, "en")}, exit ${exitCode}`,
  moreLines: (count: number) => `... ${plural(count, "more line")}`,

  turnTakenAgain: "started again",
  turnInterrupted: "interrupted; no attempt spent",
  ended: (how: string) => `ended: ${how}`,
  agentEnded: (how: string) => `agent ${how}`,
  said: (status: string) => `said ${status}`,
  saidWithoutEvidence: (status: string) => `said ${status} without evidence`,
  saidUnknown: (text: string) => `said an unknown status: ${text}`,
  saidNothing: "said no status",
  checkPassed: (phase: CheckPhase, command: string) => `${phase} passed: ${command}`,
  checkUndecided: (phase: CheckPhase, command: string) => `${phase} undecided: ${command}`,
  checkFailed: (phase: CheckPhase, command: string, how: string) => `${phase} failed: ${command}, ${how}`,
  fullNotRun: "full tests not run",
  passed: "passed",
  accepted: "accepted",
  rejected: "rejected",
  colon: ": ",
  listSeparator: ", ",
  partSeparator: "; ",
  leaked: (count: number) => `leaked ${count}`,
  leftOut: (lines: number | null) =>
    lines === null ? "... many lines left out" : `... ${plural(lines, "line")} left out`,
  allOutput: (path: string) => `all output: ${path}`,
  feedback: (path: string, size: string) => `feedback: ${path} (${size})`,
  orderUncertain: "it is not known which stream spoke last: the less favourable status counts",
  readOnly: "read only",
  turnCutOff: (attempt: number) => `the turn of attempt ${attempt} was cut off; it will be taken again`,

  asked: (used: number, limit: number) => `${used} of ${limit} attempts used: continue, pass or fail?`,
  grantedMore: (attempts: number) => `a person decided: ${plural(attempts, "more attempt")}`,
  markedPassed: "a person decided: mark as passed",
  markedFailed: "a person decided: mark as failed",
  chosen: (option: string) => `a person decided: ${option}`,
  answerRefused: "an answer was refused",

  goesInCircles: "stuck",
  stuck: ({ kind, like }: Stuck) =>
    kind === "same_failure"
      ? `failed as attempt ${like} did, and the work tree has not changed since`
      : like === 0
        ? "the work tree is as it was before the first attempt"
        : `the work tree is as it was after attempt ${like}, which failed`,
  running: (since: string) => `running ${since}`,
  outputAgo: (ago: string) => `output ${ago} ago`,
  quiet: (since: string) => `quiet ${since}`,
  noOutputYet: "no output yet",
  total: (time: string) => `total ${time}`,
  waited: (time: string) => `waited ${time}`,
  hintStop: (phase: LivePhase) => `Ctrl-C: stop after this ${isTurn(phase) ? "turn" : "test"}`,
  hintStopping: (phase: LivePhase) =>
    `stopping after this ${isTurn(phase) ? "turn" : "test"}; Ctrl-C again kills it`,
  hintKilling: "ending what still runs",

  endMarkedPassed: "MARKED AS PASSED by a person, not by evidence",
  endMarkedFailed: "MARKED AS FAILED by a person",
  /** Ways to help attempts that go in circles; `where`: the file in which the agent reads its task. */
  afterStuck: (where: string, agentFlag: string) => [
    "start again; the new run works on the files as they are now. What can help:",
    `a hint for the agent in ${where}`,
    `another agent: ${agentFlag} <name> (agent-foreman doctor lists them)`,
    "all attempts, stuck or not: --on-stuck continue",
  ],
  /** By the part that could not start. */
  endUnstarted: {
    test_cannot_start: "NOT STARTED: a test command cannot start",
    agent_cannot_start: "NOT STARTED: the agent command cannot start",
    setup_failed: "NOT STARTED: the --setup command failed",
  },
  endCancelled: (attempt: number | null) =>
    attempt === null ? "CANCELLED before the first attempt" : `CANCELLED in attempt ${attempt}`,
  endInterrupted: (by: string | null, attempt: number | null) =>
    `INTERRUPTED${by === null ? "" : ` by ${by}`}${attempt === null ? " before the first attempt" : ` in attempt ${attempt}`}; it can go on`,
  leakedEnded: (count: number) =>
    count === 1
      ? "1 process outlived its command and was ended"
      : `${count} processes outlived their command and were ended`,
  turnsInterrupted: (count: number) => `${count} interrupted; no attempt spent`,
  answersRefused: (count: number) => `${count} refused: no open question was answered`,
};

export type TerminalTexts = typeof en;

const zh: TerminalTexts = {
  ...agentTexts.zh,
  ...labelTexts.zh,
  ...processEndTexts.zh,
  lang: "zh",
  room: roomTexts.zh,
  changes: changeTexts.zh,
  reason: reasonTexts.zh,
  refusal: {
    no_open_question: "没有待回答的问题",
    wrong_question_id: "回答的是另一个问题",
    not_an_option: "不是该问题的选项",
    unreadable: "无法读取",
  },
  phase: {
    agent: "agent 执行",
    review: "verification 验证",
    main: "MAIN 决策",
    base: "基线测试",
    ...zhTests,
    acceptance: "验收",
  },
  containment: MECHANISMS,
  contained: (how) => `隔离：${how}`,
  bestEffort: (how) => `隔离（尽力而为）：${how}`,

  upTo: (attempts) => `最多 ${attempts} 次尝试`,
  started: "开始",
  resumed: "继续",
  attemptsUsed: (used, limit) => `已用 ${used}/${limit} 次尝试`,
  endedLeftovers: (count) => `已终止上次遗留的 ${count} 个进程`,
  stopped: (by) => `因 ${by} 停止`,
  undecided: "等待：无人回答",
  runEnded: ({ status, reason, exitCode }) => `结束：${endWord(status, reason, "zh")}，退出码 ${exitCode}`,
  moreLines: (count) => `... 还有 ${count} 行`,

  turnTakenAgain: "重新开始",
  turnInterrupted: "被中断；不计入尝试次数",
  ended: (how) => `结束：${how}`,
  agentEnded: (how) => `agent ${how}`,
  said: (status) => `声明 ${status}`,
  saidWithoutEvidence: (status) => `声明 ${status}，没有证据`,
  saidUnknown: (text) => `声明了未知状态：${text}`,
  saidNothing: "没有声明状态",
  checkPassed: (phase, command) => `${zhTests[phase]}通过：${command}`,
  checkUndecided: (phase, command) => `${zhTests[phase]}待定：${command}`,
  checkFailed: (phase, command, how) => `${zhTests[phase]}失败：${command}，${how}`,
  fullNotRun: "全量测试未运行",
  passed: "通过",
  accepted: "通过",
  rejected: "未通过",
  colon: "：",
  listSeparator: "，",
  partSeparator: "；",
  leaked: (count) => `残留 ${count} 个进程`,
  leftOut: (lines) => (lines === null ? "... 省略多行" : `... 省略 ${lines} 行`),
  allOutput: (path) => `完整输出：${path}`,
  feedback: (path, size) => `反馈：${path} (${size})`,
  orderUncertain: "无法确定哪个流最后发言：以较不利的状态为准",
  readOnly: "只读",
  turnCutOff: (attempt) => `第 ${attempt} 次尝试的执行被打断；将重新执行`,

  asked: (used, limit) => `已用 ${used}/${limit} 次尝试：继续、标记通过还是标记失败？`,
  grantedMore: (attempts) => `人工决定：再尝试 ${attempts} 次`,
  markedPassed: "人工决定：标记为通过",
  markedFailed: "人工决定：标记为失败",
  chosen: (option) => `人工决定：${option}`,
  answerRefused: "一个回答被拒绝",

  goesInCircles: "陷入循环",
  stuck: ({ kind, like }) =>
    kind === "same_failure"
      ? `与第 ${like} 次尝试的失败相同，且工作区没有变化`
      : like === 0
        ? "工作区回到了首次尝试之前的状态"
        : `工作区回到了第 ${like} 次尝试之后的状态，而那次失败了`,
  running: (since) => `运行 ${since}`,
  outputAgo: (ago) => `${ago} 前有输出`,
  quiet: (since) => `已 ${since} 无输出`,
  noOutputYet: "尚无输出",
  total: (time) => `总计 ${time}`,
  waited: (time) => `另等待 ${time}`,
  hintStop: (phase) => `Ctrl-C：本${isTurn(phase) ? "轮" : "项测试"}结束后停止`,
  hintStopping: (phase) => `本${isTurn(phase) ? "轮" : "项测试"}结束后停止；再按 Ctrl-C 立即终止`,
  hintKilling: "正在终止仍在运行的进程",

  endMarkedPassed: "人工标记为通过，并非凭证据",
  endMarkedFailed: "人工标记为失败",
  afterStuck: (where, agentFlag) => [
    "重新启动即可，新的运行从当前文件开始。以下做法可能有帮助：",
    `在 ${where} 中给 agent 写下提示`,
    `换一个 agent：${agentFlag} <名称>（agent-foreman doctor 可列出）`,
    "用完所有尝试：--on-stuck continue",
  ],
  endUnstarted: {
    test_cannot_start: "未开始：测试命令无法启动",
    agent_cannot_start: "未开始：agent 命令无法启动",
    setup_failed: "未开始：--setup 命令失败",
  },
  endCancelled: (attempt) => (attempt === null ? "已取消：尚未开始尝试" : `已取消：第 ${attempt} 次尝试中`),
  endInterrupted: (by, attempt) =>
    `已中断：${attempt === null ? "尚未开始尝试" : `第 ${attempt} 次尝试中`}${by === null ? "" : ` (${by})`}；可以继续`,
  leakedEnded: (count) => `${count} 个进程在其命令结束后仍在运行，已终止`,
  turnsInterrupted: (count) => `${count} 轮被中断；不计入尝试次数`,
  answersRefused: (count) => `${count} 个被拒绝：没有对应的待答问题`,
};

export const terminalTexts: Readonly<Record<Lang, TerminalTexts>> = { en, zh };
