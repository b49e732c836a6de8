import type { CheckPhase, Containment, RefusalReason, RunEnded } from "../domain/event.ts";
import type { Lang } from "../domain/settings.ts";
import type { Reason } from "../domain/reason.ts";
import { MECHANISMS } from "./containment.ts";
import { isTurn, type LivePhase } from "./live-phase.ts";
import { reasonTexts } from "./reasons.ts";
import { changeTexts, type ChangeTexts } from "./changes.ts";
import { roomTexts, type RoomTexts } from "./room.ts";
import { agentTexts, type AgentTexts } from "./terminal-agents.ts";
import { boardTexts, type BoardTexts } from "./terminal-board.ts";
import { chatTexts, type ChatTexts } from "./terminal-chat.ts";
import { endWord, labelTexts, type LabelTexts } from "./terminal-labels.ts";
import { processEndTexts, type ProcessEndTexts } from "./terminal-process.ts";
import { stepTexts, type StepTexts } from "./terminal-steps.ts";
import { plural } from "./plural.ts";

/** What a person reads while a run goes on and when it is left. Values come formatted and made safe. */
export interface TerminalTexts extends AgentTexts, LabelTexts, ProcessEndTexts {
  readonly lang: Lang;
  readonly steps: StepTexts;
  readonly board: BoardTexts;
  readonly chat: ChatTexts;
  readonly room: RoomTexts;
  readonly changes: ChangeTexts;
  readonly reason: Readonly<Record<Reason, string>>;
  readonly refusal: Readonly<Record<RefusalReason, string>>;
  readonly phase: Readonly<Record<LivePhase, string>>;
  readonly containment: Readonly<Record<Containment, string>>;
  readonly contained: (how: string) => string;
  readonly bestEffort: (how: string) => string;

  readonly upTo: (attempts: number) => string;
  readonly started: string;
  readonly resumed: string;
  readonly attemptsUsed: (used: number, limit: number) => string;
  readonly endedLeftovers: (count: number) => string;
  readonly stopped: (by: string) => string;
  readonly undecided: string;
  readonly runEnded: (event: RunEnded) => string;
  readonly moreLines: (count: number) => string;

  readonly turnTakenAgain: string;
  readonly turnInterrupted: string;
  readonly ended: (how: string) => string;
  readonly agentEnded: (how: string) => string;
  readonly said: (status: string) => string;
  readonly saidWithoutEvidence: (status: string) => string;
  readonly saidUnknown: (text: string) => string;
  readonly saidNothing: string;
  readonly checkPassed: (phase: CheckPhase, command: string) => string;
  readonly checkUndecided: (phase: CheckPhase, command: string) => string;
  readonly checkFailed: (phase: CheckPhase, command: string, how: string) => string;
  readonly testsFailed: (phase: CheckPhase, command: string, how: string) => string;
  readonly testsPassed: (phases: readonly CheckPhase[]) => string;
  readonly passed: string;
  readonly accepted: string;
  readonly rejected: string;
  readonly colon: string;
  readonly listSeparator: string;
  readonly partSeparator: string;
  readonly leaked: (count: number) => string;
  readonly leftOut: (lines: number | null) => string;
  readonly allOutput: (path: string) => string;

  readonly asked: (used: number, limit: number) => string;
  readonly grantedMore: (attempts: number) => string;
  readonly markedPassed: string;
  readonly markedFailed: string;
  readonly chosen: (option: string) => string;
  readonly answerRefused: string;

  readonly running: (since: string) => string;
  readonly outputAgo: (ago: string) => string;
  readonly quiet: (since: string) => string;
  readonly noOutputYet: string;
  readonly total: (time: string) => string;
  readonly waited: (time: string) => string;
  readonly hintStop: (phase: LivePhase) => string;
  readonly hintStopping: (phase: LivePhase) => string;
  readonly hintKilling: string;

  readonly endAccepted: (attempt: number, limit: number) => string;
  readonly endRejected: (used: number, limit: number) => string;
  readonly endStuck: (used: number, limit: number) => string;
  readonly endMarkedPassed: string;
  readonly endMarkedFailed: string;
  readonly endPlan: Readonly<Record<"plan_file_missing" | "plan_file_unreadable", string>>;
  /** What can help attempts that go in circles; `where`: the file in which the agent reads what to do. */
  readonly afterStuck: (where: string, agentFlag: string) => readonly string[];
  /** By what could not start. */
  readonly endUnstarted: Readonly<
    Record<"test_cannot_start" | "agent_cannot_start" | "setup_failed", string>
  >;
  readonly endCancelled: (attempt: number | null) => string;
  readonly endInterrupted: (by: string | null, attempt: number | null) => string;
  readonly endWaiting: (used: number, limit: number) => string;
  readonly sameIn: (attempts: readonly number[]) => string;
  readonly leakedEnded: (count: number) => string;
  readonly turnsInterrupted: (count: number) => string;
  readonly answersRefused: (count: number) => string;
}

const en: TerminalTexts = {
  ...agentTexts.en,
  ...labelTexts.en,
  ...processEndTexts.en,
  lang: "en",
  steps: stepTexts.en,
  board: boardTexts.en,
  chat: chatTexts.en,
  room: roomTexts.en,
  changes: changeTexts.en,
  reason: reasonTexts.en,
  refusal: {
    no_open_question: "no question is open",
    wrong_question_id: "it answers another question",
    not_an_option: "it is none of the answers that the question has",
    unreadable: "it cannot be read",
  },
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
  },
  containment: MECHANISMS,
  contained: (how) => `contained: ${how}`,
  bestEffort: (how) => `contained (best effort): ${how}`,

  upTo: (attempts) => `up to ${plural(attempts, "attempt")}`,
  started: "started",
  resumed: "resumed",
  attemptsUsed: (used, limit) => `${used} of ${limit} attempts used`,
  endedLeftovers: (count) => `ended ${plural(count, "process", "processes")} the earlier foreman left`,
  stopped: (by) => `stopped by ${by}`,
  undecided: "waits: nobody answered",
  runEnded: ({ status, reason, exitCode }) => `ended: ${endWord(status, reason, "en")}, exit ${exitCode}`,
  moreLines: (count) => `... ${plural(count, "more line")}`,

  turnTakenAgain: "started again",
  turnInterrupted: "interrupted; no attempt spent",
  ended: (how) => `ended: ${how}`,
  agentEnded: (how) => `agent ${how}`,
  said: (status) => `said ${status}`,
  saidWithoutEvidence: (status) => `said ${status} without evidence`,
  saidUnknown: (text) => `said an unknown status: ${text}`,
  saidNothing: "said no status",
  checkPassed: (phase, command) => `${phase} passed: ${command}`,
  checkUndecided: (phase, command) => `${phase} undecided: ${command}`,
  checkFailed: (phase, command, how) => `${phase} failed: ${command}, ${how}`,
  testsFailed: (phase, command, how) => `${phase} tests failed: ${command} (${how})`,
  testsPassed: (phases) => `${phases.join(" and ")} tests passed`,
  passed: "passed",
  accepted: "accepted",
  rejected: "rejected",
  colon: ": ",
  listSeparator: ", ",
  partSeparator: "; ",
  leaked: (count) => `leaked ${count}`,
  leftOut: (lines) => (lines === null ? "... many lines left out" : `... ${plural(lines, "line")} left out`),
  allOutput: (path) => `all output: ${path}`,

  asked: (used, limit) => `${used} of ${limit} attempts used: continue, pass or fail?`,
  grantedMore: (attempts) => `a person decided: ${plural(attempts, "more attempt")}`,
  markedPassed: "a person decided: mark as passed",
  markedFailed: "a person decided: mark as failed",
  chosen: (option) => `a person decided: ${option}`,
  answerRefused: "an answer was refused",

  running: (since) => `running ${since}`,
  outputAgo: (ago) => `output ${ago} ago`,
  quiet: (since) => `quiet ${since}`,
  noOutputYet: "no output yet",
  total: (time) => `total ${time}`,
  waited: (time) => `waited ${time}`,
  hintStop: (phase) => `Ctrl-C: stop after this ${isTurn(phase) ? "turn" : "test"}`,
  hintStopping: (phase) => `stopping after this ${isTurn(phase) ? "turn" : "test"}; Ctrl-C again kills it`,
  hintKilling: "ending what still runs",

  endAccepted: (attempt, limit) => `ACCEPTED at attempt ${attempt} of ${limit}`,
  endStuck: (used, limit) => `STUCK after ${used} of ${limit} attempts: they go in circles`,
  endRejected: (used, limit) => `REJECTED after ${used} of ${limit} attempts`,
  endMarkedPassed: "MARKED AS PASSED by a person, not by evidence",
  endMarkedFailed: "MARKED AS FAILED by a person",
  endPlan: {
    plan_file_missing: "NOT STARTED: the plan file is missing",
    plan_file_unreadable: "NOT STARTED: the plan file cannot be read",
  },
  afterStuck: (where, agentFlag) => [
    "start again; the new run works on the files as they are now. What can help:",
    `a hint for the agent in ${where}`,
    `another agent: ${agentFlag} <name> (agent-foreman doctor lists them)`,
    "all attempts, stuck or not: --on-stuck continue",
  ],
  endUnstarted: {
    test_cannot_start: "NOT STARTED: a test command cannot start",
    agent_cannot_start: "NOT STARTED: the agent command cannot start",
    setup_failed: "NOT STARTED: the --setup command failed",
  },
  endCancelled: (attempt) =>
    attempt === null ? "CANCELLED before the first attempt" : `CANCELLED in attempt ${attempt}`,
  endInterrupted: (by, attempt) =>
    `INTERRUPTED${by === null ? "" : ` by ${by}`}${attempt === null ? " before the first attempt" : ` in attempt ${attempt}`}; it can go on`,
  endWaiting: (used, limit) => `WAITING for you: ${used} of ${limit} attempts used`,
  sameIn: (attempts) => `same in attempts ${attempts.join(", ")}`,
  leakedEnded: (count) =>
    count === 1
      ? "1 process outlived its command and was ended"
      : `${count} processes outlived their command and were ended`,
  turnsInterrupted: (count) => `${count} interrupted; no attempt spent`,
  answersRefused: (count) => `${count} refused: no open question was answered`,
};

const zhTests: Readonly<Record<CheckPhase, string>> = {
  fast: "快测",
  full: "全量测试",
  unit: "单元测试",
  acceptance: "验收命令",
  check: "检查",
};

const zh: TerminalTexts = {
  ...agentTexts.zh,
  ...labelTexts.zh,
  ...processEndTexts.zh,
  lang: "zh",
  steps: stepTexts.zh,
  board: boardTexts.zh,
  chat: chatTexts.zh,
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
  testsFailed: (phase, command, how) => `${zhTests[phase]}失败：${command} (${how})`,
  testsPassed: (phases) => `${phases.map((phase) => zhTests[phase]).join("和")}通过`,
  passed: "通过",
  accepted: "通过",
  rejected: "未通过",
  colon: "：",
  listSeparator: "，",
  partSeparator: "；",
  leaked: (count) => `残留 ${count} 个进程`,
  leftOut: (lines) => (lines === null ? "... 省略多行" : `... 省略 ${lines} 行`),
  allOutput: (path) => `完整输出：${path}`,

  asked: (used, limit) => `已用 ${used}/${limit} 次尝试：继续、标记通过还是标记失败？`,
  grantedMore: (attempts) => `人工决定：再尝试 ${attempts} 次`,
  markedPassed: "人工决定：标记为通过",
  markedFailed: "人工决定：标记为失败",
  chosen: (option) => `人工决定：${option}`,
  answerRefused: "一个回答被拒绝",

  running: (since) => `运行 ${since}`,
  outputAgo: (ago) => `${ago} 前有输出`,
  quiet: (since) => `已 ${since} 无输出`,
  noOutputYet: "尚无输出",
  total: (time) => `总计 ${time}`,
  waited: (time) => `另等待 ${time}`,
  hintStop: (phase) => `Ctrl-C：本${isTurn(phase) ? "轮" : "项测试"}结束后停止`,
  hintStopping: (phase) => `本${isTurn(phase) ? "轮" : "项测试"}结束后停止；再按 Ctrl-C 立即终止`,
  hintKilling: "正在终止仍在运行的进程",

  endAccepted: (attempt, limit) => `通过：第 ${attempt}/${limit} 次尝试`,
  endStuck: (used, limit) => `陷入循环，已停止：已用 ${used}/${limit} 次尝试`,
  endRejected: (used, limit) =>
    used >= limit ? `未通过：${limit} 次尝试已用完` : `未通过：已用 ${used}/${limit} 次尝试`,
  endMarkedPassed: "人工标记为通过，并非凭证据",
  endMarkedFailed: "人工标记为失败",
  endPlan: {
    plan_file_missing: "未开始：计划文件不存在",
    plan_file_unreadable: "未开始：计划文件无法读取",
  },
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
  endWaiting: (used, limit) =>
    used >= limit ? `等待你决定：${limit} 次尝试已用完` : `等待你决定：已用 ${used}/${limit} 次尝试`,
  sameIn: (attempts) => `第 ${attempts.join("、")} 次相同`,
  leakedEnded: (count) => `${count} 个进程在其命令结束后仍在运行，已终止`,
  turnsInterrupted: (count) => `${count} 轮被中断；不计入尝试次数`,
  answersRefused: (count) => `${count} 个被拒绝：没有对应的待答问题`,
};

export const terminalTexts: Readonly<Record<Lang, TerminalTexts>> = { en, zh };
