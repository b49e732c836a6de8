import type { Lang } from "../../core/settings.ts";

const en = {
  about: "your own agent in this terminal; with --supervisor its work is reviewed whenever it stops",
  action: "init: write SUPERVISOR.md; skip, pause, go-on, stop: the reviews of a chat that runs",
  runId: "which chat; the one of this work tree if not given",
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
  footer: `
-- 之后的内容全部交给 agent 自己的程序：
  agent-foreman chat --supervisor -- --model opus
  ccc --supervisor      等同于 agent-foreman chat --supervisor
终端中的 chat 的报告与该次运行保存在一起：agent-foreman show <run-id>
`,
};

export const chatTexts: Readonly<Record<Lang, ChatTexts>> = { en, zh };
