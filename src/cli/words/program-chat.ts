import type { Lang } from "../../core/settings.ts";

const en = {
  about: "your own agent in this terminal; with --supervisor its work is reviewed whenever it stops",
  action: "init: write SUPERVISOR.md; skip, pause, go-on, stop: the reviews of a chat that runs",
  runId: "which chat; the one of this work tree if not given",
  supervisor: "review the work whenever the agent stops, and say to it what is missing",
  print: "the same loop without a terminal, for scripts; - reads the prompt from standard input",
  agent: "whom you work with (default: claude)",
  reviewer: "who reviews (default: the same agent, in a read-only fork of the session)",
  check: "command that has to pass before a task is accepted; may be repeated",
  marker: "line by which the reviewer calls the task completed",
  waitingMarker: "line by which the reviewer reports that the agent waits for your answer",
  maxReviews: "reviews per task",
  global: "with init: for all your projects",
  footer: `
Everything after -- goes to the agent's own program:
  agent-foreman chat --supervisor -- --model opus
  ccc --supervisor      the same as agent-foreman chat --supervisor
The report of a chat in a terminal is kept with the run: agent-foreman show <run-id>
`,
};

type ChatTexts = typeof en;

const zh: ChatTexts = {
  about: "在此终端中使用你自己的 agent；加 --supervisor 后每当它停下就评审其工作",
  action: "init：写出 SUPERVISOR.md；skip、pause、go-on、stop：控制正在运行的 chat 的评审",
  runId: "哪个 chat；不给出则为此工作区的那个",
  supervisor: "每当 agent 停下就评审，并把缺少的内容告诉它",
  print: "无终端的同一循环，供脚本使用；- 表示从标准输入读取提示",
  agent: "与谁一起工作（默认：claude）",
  reviewer: "由谁评审（默认：同一 agent，在会话的只读分支中）",
  check: "任务被接受前必须通过的命令；可重复",
  marker: "评审者用以表示任务完成的一行",
  waitingMarker: "评审者用以表示 agent 在等你回答的一行",
  maxReviews: "每个任务的评审次数",
  global: "与 init 一起：用于你的所有项目",
  footer: `
-- 之后的内容全部交给 agent 自己的程序：
  agent-foreman chat --supervisor -- --model opus
  ccc --supervisor      等同于 agent-foreman chat --supervisor
终端中的 chat 的报告与该次运行保存在一起：agent-foreman show <run-id>
`,
};

export const chatTexts: Readonly<Record<Lang, ChatTexts>> = { en, zh };
