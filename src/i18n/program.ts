import type { Lang } from "../domain/settings.ts";

/** The words of the command line's help. */
export interface ProgramTexts {
  readonly about: string;
  readonly version: string;
  readonly help: string;
  readonly helpCommand: string;
  readonly lang: string;
  readonly footer: string;
  readonly notInRange: (value: string, min: number, max: number) => string;
  readonly supervise: string;
  readonly task: string;
  readonly planFile: string;
  readonly agentCmd: string;
  readonly agent: string;
  readonly model: string;
  readonly session: string;
  readonly analyze: string;
  readonly out: string;
  readonly agents: string;
  readonly run: string;
  readonly verifier: string;
  readonly fullVerify: string;
  readonly noReverify: string;
  readonly only: string;
  readonly from: string;
  readonly onStuck: string;
  readonly orchestrate: string;
  readonly boardDir: string;
  readonly board: string;
  readonly boardAction: string;
  readonly boardGoal: string;
  readonly boardTest: string;
  readonly boardYes: string;
  readonly maxIterations: string;
  readonly moreIterations: string;
  readonly otherVerifiers: string;
  readonly roles: string;
  readonly dryRun: string;
  readonly dryRunAnalyze: string;
  readonly maxCost: string;
  readonly maxTokens: string;
  readonly maxTime: string;
  readonly maxWait: string;
  readonly stall: string;
  readonly now: string;
  readonly notAnAmount: (value: string) => string;
  readonly notADuration: (value: string) => string;
  readonly byDefault: (value: string) => string;
  readonly testFast: string;
  readonly testFull: string;
  readonly maxLoops: string;
  readonly cwd: string;
  readonly report: (mode: string) => string;
  readonly force: string;
  readonly agentTimeout: string;
  readonly testTimeout: string;
  readonly maxOutput: string;
  readonly nonce: string;
  readonly json: string;
  readonly jsonOnce: string;
  readonly quiet: string;
  readonly verbose: string;
  readonly resume: string;
  readonly decide: string;
  readonly note: string;
  readonly cancel: string;
  readonly runs: string;
  readonly show: string;
  readonly diff: string;
  readonly diffStat: string;
  readonly restore: string;
  readonly restorePath: string;
  readonly restoreForce: string;
  readonly verify: string;
  readonly verifyRerun: string;
  readonly verifyCwd: string;
  readonly doctor: string;
  readonly demo: string;
  readonly demoWhat: string;
  readonly config: string;
  readonly configAction: string;
  readonly configPrompt: string;
  readonly configCwd: string;
  readonly init: string;
  readonly yes: string;
  readonly initPlan: string;
  readonly initForce: string;
}

const en: ProgramTexts = {
  about:
    "A foreman for coding agents: puts them to work in bounded loops and accepts their work on evidence only.",
  version: "print the version",
  help: "print help",
  helpCommand: "print help, of the program or of a command",
  lang: "language of messages (default: by locale)",
  footer: `
Exit codes: 0 accepted, 1 rejected, 2 bad input, 3 waits for a person, 4 budget or wait limit reached,
5 agent missing, not logged in or not permitted, 6 state locked, damaged or unwritable, 70 bug,
129/130/143 stopped by a signal (resumable).
Try it: agent-foreman demo`,
  notInRange: (value, min, max) => `must be a whole number from ${min} to ${max}, got ${value}`,
  supervise: "put an agent to work until tests and markers show that the task is done",
  task: "what is to be done",
  planFile: "the plan the agent works by",
  agentCmd: "shell command that runs one turn of the agent; or:",
  agent:
    "agents by name, the first that is available works: claude, codex, gemini, opencode, qwen, pi, copilot, or a profile (default: claude,codex,gemini,opencode)",
  model: "model of the first agent; agent=model for another one (may be given several times)",
  session: "whether an attempt starts afresh or continues the agent's session",
  analyze: "have an agent divide a requirements document into steps for run",
  out: "directory to write the steps to (default: ./<name>需求实现步骤, named by the agent)",
  agents: "agents by name, tried in this order (default: claude,codex,gemini,opencode)",
  run: "get the steps of a directory implemented, tested and independently verified, one by one",
  verifier: "who verifies, by name (default: another agent than did the work, where there is one)",
  fullVerify: "test and verify steps again that are done; re-open those that fail",
  noReverify: "with --full-verify: believe the agent about a step that was re-opened",
  only: "only these steps, by number",
  from: "only this step and those after it",
  onStuck: "what to do when attempts lead nowhere",
  orchestrate: "have MAIN plan and decide, and TEST, DEV and REVIEW do the work of a board",
  boardDir: "directory of the board (default: blackboard in the work directory)",
  board: "make the board that orchestrate works on, show how it stands, or check its files",
  boardAction: "show it, check its files, or init: make one",
  boardGoal: "init: what is to be reached",
  boardTest: "init: a command that shows it; may be given several times (default: by what is found)",
  boardYes: "init: ask nothing, take what is given and found",
  maxIterations: "iterations before a person is asked",
  moreIterations: "orchestrate: iterations the run may have in all from now on",
  otherVerifiers: "run: who verifies from now on; agents or profiles of the current configuration",
  roles: "who takes which role: MAIN=claude DEV=codex,claude (default: the configured agents)",
  dryRunAnalyze: "ask the agent and print the steps, but write none of them",
  dryRun: "say what would be done; start and write nothing",
  maxCost: "dollars the agents may cost; 0: no limit",
  maxTokens: "tokens the agents may use; 0: no limit",
  maxTime: "how long the run may take, waiting included: 90s, 30m, 8h; 0: no limit",
  maxWait:
    "how long to wait for agents that are out of quota, overloaded or cannot reach their API (default: 6h)",
  stall: "seconds after which a turn without output, CPU time and file changes is stuck; 0: never",
  now: "ask the agents at once, whatever they said about when to come back",
  notAnAmount: (value) => `must be a number, 0 or more, got ${value}`,
  notADuration: (value) => `must be a time such as 90s, 30m, 8h, 2d, got ${value}`,
  byDefault: (value) => `(default: ${value})`,
  testFast: "shell command run after every turn; may be given several times",
  testFull: "shell command run before acceptance; may be given several times",
  maxLoops: "attempts before a person is asked",
  cwd: "directory the commands run in (default: here)",
  report: (mode) => `where the report goes (default: ./goldagent-${mode}-report-<run-id>.json)`,
  force: "allow commands that look dangerous",
  agentTimeout: "seconds a turn may take; 0: no limit",
  testTimeout: "seconds a test command may take; 0: no limit",
  maxOutput: "MiB a command may write before it is ended",
  nonce: "require markers that an echo cannot satisfy (GA_NONCE_1 and GA_NONCE_2, joined)",
  json: "print events as NDJSON on stdout",
  jsonOnce: "print JSON",
  quiet: "print the summary only",
  verbose: "show the agent's output, or what it does, as it comes",
  resume: "go on with a run that was interrupted; without an id, the last one here that can go on",
  decide:
    "answer what a run asks: continue N, pass or fail, or one of its options; without an answer, ask here",
  note: "a note to keep with the decision",
  cancel: "end a run as failed",
  runs: "list runs, those that ask you first",
  show: "what happened in a run, attempt by attempt, and where to look",
  diff: "show what a run changed, as a unified diff against the work tree before it",
  diffStat: "only the files, with how many lines were added and removed",
  restore: "bring back files that a run deleted or reset, as they were before it",
  restorePath: "files or folders (default: all lost files)",
  restoreForce: "overwrite files that were changed since the run",
  verify: "hold a receipt against the journal, the work tree and, with --rerun, its tests",
  verifyRerun:
    "run the receipt's commands again in a clean room: they are the receipt's, so know whose it is",
  verifyCwd: "work tree to hold it against (default: here)",
  doctor: "what this machine offers",
  demo: "watch a scripted agent lie, break tests and get it right",
  demoWhat:
    "supervise: one task; run: three steps, one of which needs a repair; orchestrate: a board; chat: a review that finds what the check does not",
  config: "the configuration in effect and where it comes from",
  configAction: "show it, check it, tell where its files are, or print a prompt that comes with the program",
  configPrompt: "which prompt to print",
  configCwd: "directory the project's file is looked for in (default: here)",
  init: "write agent-foreman.yaml for this project, after a few questions",
  yes: "ask nothing: take what is found",
  initPlan: "write a plan.md to start from as well",
  initForce: "replace an agent-foreman.yaml that is there",
};

const zh: ProgramTexts = {
  about: "编码 agent 的工头：让它们在有界循环中工作，只凭证据验收。",
  version: "显示版本",
  help: "显示帮助",
  helpCommand: "显示程序或某个命令的帮助",
  lang: "消息语言（默认按 locale）",
  footer: `
退出码：0 通过，1 未通过，2 输入有误，3 等待人工，4 预算或等待上限，5 agent 缺失、未登录或无权限，
6 状态被锁定、损坏或不可写，70 内部错误，129/130/143 被信号停止（可恢复）。
试一试：agent-foreman demo`,
  notInRange: (value, min, max) => `必须是 ${min} 到 ${max} 的整数，实际为 ${value}`,
  supervise: "循环驱动外部 agent，直到测试和标记证明任务完成",
  task: "任务",
  planFile: "计划文件",
  agentCmd: "执行一轮 agent 的 shell 命令；或者：",
  agent:
    "按名称指定 agent，由第一个可用的工作：claude、codex、gemini、opencode、qwen、pi、copilot，或某个 profile（默认：claude,codex,gemini,opencode）",
  model: "第一个 agent 使用的模型；其他 agent 写作 agent=模型（可多次给出）",
  session: "每次尝试新开会话还是延续会话",
  analyze: "让 agent 把需求文档拆分为供 run 执行的步骤",
  out: "步骤写入的目录（默认：./<名称>需求实现步骤，名称由 agent 给出）",
  agents: "按名称指定 agent，依次尝试（默认：claude,codex,gemini,opencode）",
  run: "逐个实现、测试并独立验证目录中的步骤",
  verifier: "由谁验证（默认：尽可能选择未参与实现的 agent）",
  fullVerify: "重新测试并验证已完成的步骤；失败的重新打开",
  noReverify: "与 --full-verify 同用：重新打开的步骤只看 agent 是否执行成功",
  only: "只执行这些序号的步骤",
  from: "从该序号的步骤开始执行",
  onStuck: "多轮尝试没有进展时怎么办",
  orchestrate: "由 MAIN 规划和决策，由 TEST、DEV、REVIEW 完成黑板上的工作",
  boardDir: "黑板目录（默认：工作目录下的 blackboard）",
  board: "创建、查看或检查 orchestrate 使用的黑板",
  boardAction: "查看、检查文件，或用 init 创建",
  boardGoal: "init：要达到的目标",
  boardTest: "init：证明目标达到的命令，可多次给出（默认：自动检测）",
  boardYes: "init：不提问，采用给出和检测到的内容",
  maxIterations: "询问人之前的迭代次数",
  moreIterations: "orchestrate：从现在起该运行总共可以有的迭代次数",
  otherVerifiers: "run：从现在起由谁验证；可用当前配置中的 agent 或 profile",
  roles: "由谁担任哪个角色：MAIN=claude DEV=codex,claude（默认：已配置的 agent）",
  dryRunAnalyze: "照常询问 agent 并显示步骤，但不写入步骤文件",
  dryRun: "只说明将要做什么，不启动也不写入",
  maxCost: "agent 花费上限（美元）；0 表示不限",
  maxTokens: "agent 的 token 上限；0 表示不限",
  maxTime: "运行时长上限（含等待）：90s、30m、8h；0 表示不限",
  maxWait: "agent 额度用完、过载或连不上 API 时最多等待多久（默认 6h）",
  stall: "没有输出、CPU 时间和文件变化达到此秒数即视为卡住；0 表示从不",
  now: "立即询问 agent，不管它们说何时恢复",
  notAnAmount: (value) => `必须是不小于 0 的数，实际为 ${value}`,
  notADuration: (value) => `必须是时长，如 90s、30m、8h、2d，实际为 ${value}`,
  byDefault: (value) => `（默认：${value}）`,
  testFast: "每轮之后的快测命令，可多次给出",
  testFull: "验收前的全量测试命令，可多次给出",
  maxLoops: "询问人工之前的最大轮数",
  cwd: "命令的执行目录（默认：当前目录）",
  report: (mode) => `报告路径（默认：./goldagent-${mode}-report-<run-id>.json）`,
  force: "放行看似危险的命令",
  agentTimeout: "每轮 agent 的秒数上限；0 表示不限",
  testTimeout: "每条测试命令的秒数上限；0 表示不限",
  maxOutput: "单条命令的输出上限（MiB），超过即终止",
  nonce: "要求回显无法满足的标记（GA_NONCE_1 与 GA_NONCE_2 相连）",
  json: "在 stdout 输出 NDJSON 事件",
  jsonOnce: "输出 JSON",
  quiet: "只输出摘要",
  verbose: "实时显示 agent 的输出或动作",
  resume: "继续被中断的运行；不给编号则取此处最近一次可继续的运行",
  decide: "回答运行的提问：continue N、pass、fail 或所给选项；不给回答则在此询问",
  note: "随决定保存的备注",
  cancel: "将运行结束为失败",
  runs: "列出运行，等待你的排在最前",
  show: "逐轮说明一次运行发生了什么、到哪里查看",
  diff: "以统一 diff 显示一次运行改动了什么（与运行之前的工作树相比）",
  diffStat: "只列出文件及增删行数",
  restore: "恢复被一次运行删除或重置的文件，恢复为运行之前的内容",
  restorePath: "文件或目录（默认：所有丢失的文件）",
  restoreForce: "覆盖运行之后又有改动的文件",
  verify: "用日志、工作树以及（加 --rerun 时）测试核对一份凭证",
  verifyRerun: "在洁净室中重新运行凭证里的命令：命令来自凭证，请确认其来源",
  verifyCwd: "要核对的工作树（默认：当前目录）",
  doctor: "本机具备的条件",
  demo: "观看脚本 agent 撒谎、弄坏测试、最后做对",
  demoWhat:
    "supervise：一个任务；run：三个步骤，其中一个需要修复；orchestrate：一块黑板；chat：评审发现检查看不到的问题",
  config: "显示生效的配置及其来源",
  configAction: "显示、检查、列出配置文件路径，或打印内置的提示词",
  configPrompt: "打印哪个提示词",
  configCwd: "从哪个目录查找项目配置（默认：当前目录）",
  init: "回答几个问题，为本项目写出 agent-foreman.yaml",
  yes: "不提问，采用检测结果",
  initPlan: "同时写一个起步用的 plan.md",
  initForce: "覆盖已有的 agent-foreman.yaml",
};

export const programTexts: Readonly<Record<Lang, ProgramTexts>> = { en, zh };
