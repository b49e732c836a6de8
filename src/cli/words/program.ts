import type { Lang } from "../../core/settings.ts";

const en = {
  about:
    "A foreman for coding agents: puts them to work in bounded loops and accepts their work on evidence only.",
  version: "print the version",
  help: "print help",
  helpCommand: "print help, of the program or of a command",
  footer: `
Exit codes: 0 accepted, 1 rejected, 2 bad input, 3 waits for a person, 4 budget or wait limit reached,
5 agent missing, not logged in or not permitted, 6 state locked, damaged or unwritable, 70 bug,
129/130/143 stopped by a signal (resumable).
Try it: agent-foreman demo`,
  supervise: "put an agent to work until tests and markers show that the task is done",
  analyze: "have an agent divide a requirements document into steps for run",
  run: "get the steps of a directory implemented, tested and independently verified, one by one",
  orchestrate: "have MAIN plan and decide, and TEST, DEV and REVIEW do the work of a board",
  chat: "your own agent in this terminal; with --supervisor its work is reviewed whenever it stops",
  chatAction: "init: write SUPERVISOR.md; skip, pause, go-on, stop: the reviews of a chat that runs",
  chatRunId: "which chat; the one of this work tree if not given",
  chatFooter: `
Everything after -- goes to the agent's own program:
  agent-foreman chat --supervisor -- --model opus
  ccc --supervisor      the same as agent-foreman chat --supervisor
The report of a chat in a terminal is kept with the run: agent-foreman show <run-id>
`,
  board: "make the board that orchestrate works on, show its state, or check its files",
  boardAction: "show it, check its files, or init: make one",
  boardGoal: "init: what is to be reached",
  boardTest: "init: a command that shows it; may be given several times (default: by what is found)",
  boardYes: "init: ask nothing, take what is given and found",
  jsonOnce: "print JSON",
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
  verify: "check that a receipt matches the journal and the work tree; --rerun also runs its tests again",
  verifyRerun:
    "run the receipt's commands again in a clean room: they are the receipt's, so know whose it is",
  verifyCwd: "work tree to compare it with (default: here)",
  doctor: "what this machine offers",
  demo: "watch a scripted agent lie, break tests and get it right",
  demoWhat:
    "supervise: one task; run: three steps, one of which needs a repair; orchestrate: a board; chat: a review that finds what the check does not",
  config: "the configuration in effect and where it comes from",
  configAction: "show it, check it, list its files, or print a built-in prompt",
  configPrompt: "which prompt to print",
  configCwd: "directory the project's file is looked for in (default: here)",
  init: "write agent-foreman.yaml for this project, after a few questions",
  yes: "ask nothing: take what is found",
  initPlan: "write a plan.md to start from as well",
  initForce: "replace an agent-foreman.yaml that is there",
};

const zh: typeof en = {
  about: "编码 agent 的工头：让它们在有界循环中工作，只凭证据验收。",
  version: "显示版本",
  help: "显示帮助",
  helpCommand: "显示程序或某个命令的帮助",
  footer: `
退出码：0 通过，1 未通过，2 输入有误，3 等待人工，4 预算或等待上限，5 agent 缺失、未登录或无权限，
6 状态被锁定、损坏或不可写，70 内部错误，129/130/143 被信号停止（可恢复）。
试一试：agent-foreman demo`,
  supervise: "循环驱动外部 agent，直到测试和标记证明任务完成",
  analyze: "让 agent 把需求文档拆分为供 run 执行的步骤",
  run: "逐个实现、测试并独立验证目录中的步骤",
  orchestrate: "由 MAIN 规划和决策，由 TEST、DEV、REVIEW 完成黑板上的工作",
  chat: "在此终端中使用你自己的 agent；加 --supervisor 后每当它停下就评审其工作",
  chatAction: "init：写出 SUPERVISOR.md；skip、pause、go-on、stop：控制正在运行的 chat 的评审",
  chatRunId: "哪个 chat；不给出则为此工作区的那个",
  chatFooter: `
-- 之后的内容全部交给 agent 自己的程序：
  agent-foreman chat --supervisor -- --model opus
  ccc --supervisor      等同于 agent-foreman chat --supervisor
终端中的 chat 的报告与该次运行保存在一起：agent-foreman show <run-id>
`,
  board: "创建、查看或检查 orchestrate 使用的黑板",
  boardAction: "查看、检查文件，或用 init 创建",
  boardGoal: "init：要达到的目标",
  boardTest: "init：证明目标达到的命令，可多次给出（默认：自动检测）",
  boardYes: "init：不提问，采用给出和检测到的内容",
  jsonOnce: "输出 JSON",
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

export const programTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
