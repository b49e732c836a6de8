import type { FailureClass } from "../../core/agent-turn.ts";
import type { Impasse } from "../../core/event.ts";
import type { Lang } from "../../core/settings.ts";
import { plural } from "../../text/plural.ts";

/** The words about named agents: their failures, waits and costs. */
const en = {
  /** The failure of an agent's turn. It follows the agent's name. */
  failure: {
    quota: "is out of quota",
    rate_limited: "is rate limited",
    overloaded: "is overloaded or has server errors",
    unreachable: "cannot reach its API",
    auth: "is not logged in",
    permission: "cannot work with its current settings",
    missing: "was not found",
    session_lost: "has lost its session",
    question: "asked a person",
    refused: "declined the task",
    own_limit: "ran into a limit of its own",
    crashed: "ended with an error",
    timeout: "did not end in time",
    cut_off: "was cut off",
    no_output: "said nothing",
    protocol: "gave no result",
  } satisfies Record<FailureClass, string>,
  until: (moment: string) => ` until ${moment}`,
  turnFailed: (what: string) => `${what}; no attempt spent`,
  reviewerCalled: (name: string) => `reviewer ${name}`,
  takesOver: (agent: string) => `${agent} takes over`,
  passedOver: (agent: string) => `${agent} was not found; the run goes without it`,
  cpuBusy: "CPU busy",
  filesChange: "files change",
  againAt: (moment: string) => `tries again at ${moment}`,
  impasse: {
    budget_reached: "stopped: the budget is used up or cannot be kept",
    wait_limit_reached: "stopped: the wait would be too long",
    no_agent_available: "stopped: no agent is available",
    no_verdict: "stopped: no verifier gave a usable verdict",
    steps_dir_exists: "stopped: the directory for the steps exists",
    dependencies_missing: "stopped: dependencies cannot be installed for the checks",
  } satisfies Record<Impasse, string>,
  costUnknown: "a turn did not report its cost: give the agent's profile a price",
  tokensUnknown: "a turn did not report its tokens: use --max-time instead",
  timeLeft: (left: string, limit: string) => `${left} left (--max-wait ${limit})`,
  waitOver: "goes on after waiting",
  hintWait: "no attempt spent; Ctrl-C is safe",
  inputsChanged: (paths: readonly string[]) =>
    `changed during the run, without effect on it: ${paths.join(", ")}`,
  denied: (count: number) => `${plural(count, "call")} denied`,
  tokens: (count: string) => `${count} tokens`,
  atLeast: (amount: string) => `at least ${amount}`,
  of: (amount: string, limit: string) => `${amount} of ${limit}`,

  endBudget: (amount: string, notJudged: number | null) =>
    `BUDGET reached: ${amount}${notJudged === null ? "" : `; attempt ${notJudged} not judged`}`,
  endUncounted: (notJudged: number | null) =>
    `BUDGET cannot be kept${notJudged === null ? "" : `; attempt ${notJudged} not judged`}`,
  endWaitLimit: (what: string, limit: string) => `WAIT LIMIT reached (--max-wait ${limit}): ${what}`,
  endNoAgent: "NO AGENT available",
  allowTools: "allow its tools: see the args of its profile, and the agent's own settings",
};

const zh: typeof en = {
  failure: {
    quota: "额度已用完",
    rate_limited: "被限流",
    overloaded: "的服务过载或出错",
    unreachable: "连不上它的 API",
    auth: "未登录",
    permission: "在当前设置下无法工作",
    missing: "未找到",
    session_lost: "会话已丢失",
    question: "向人提问",
    refused: "拒绝了任务",
    own_limit: "达到自身限制",
    crashed: "因错误结束",
    timeout: "没有按时结束",
    cut_off: "被中止",
    no_output: "没有输出",
    protocol: "没有给出结果",
  },
  until: (moment) => `，直到 ${moment}`,
  turnFailed: (what) => `${what}；不计入尝试次数`,
  reviewerCalled: (name) => `评审者 ${name}`,
  takesOver: (agent) => `由 ${agent} 接手`,
  passedOver: (agent) => `未找到 ${agent}；运行不使用它`,
  cpuBusy: "CPU 忙",
  filesChange: "文件有变化",
  againAt: (moment) => `将在 ${moment} 再试`,
  impasse: {
    budget_reached: "停止：预算已用完或无法遵守",
    wait_limit_reached: "停止：等待时间过长",
    no_agent_available: "停止：没有可用的 agent",
    no_verdict: "停止：没有验证者给出可用的结论",
    steps_dir_exists: "停止：步骤目录已存在",
    dependencies_missing: "停止：无法为检查安装依赖",
  },
  costUnknown: "有一轮没有报告费用：请在该 agent 的 profile 中给出 price",
  tokensUnknown: "有一轮没有报告 token 用量：请改用 --max-time",
  timeLeft: (left, limit) => `剩余 ${left} (--max-wait ${limit})`,
  waitOver: "等待结束，继续",
  hintWait: "不计入尝试次数；可以放心按 Ctrl-C",
  inputsChanged: (paths) => `运行期间被修改，对运行无效：${paths.join("、")}`,
  denied: (count) => `${count} 次调用被拒绝`,
  tokens: (count) => `${count} tokens`,
  atLeast: (amount) => `至少 ${amount}`,
  of: (amount, limit) => `${amount} / ${limit}`,

  endBudget: (amount, notJudged) =>
    `预算已用完：${amount}${notJudged === null ? "" : `；第 ${notJudged} 次尝试未判定`}`,
  endUncounted: (notJudged) => `无法遵守预算${notJudged === null ? "" : `；第 ${notJudged} 次尝试未判定`}`,
  endWaitLimit: (what, limit) => `等待超过上限 (--max-wait ${limit})：${what}`,
  endNoAgent: "没有可用的 agent",
  allowTools: "请允许其使用工具：检查 profile 的 args 以及 agent 自身的设置",
};

export const agentTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
