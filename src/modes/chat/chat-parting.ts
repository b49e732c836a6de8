import { chatTerms } from "./words/terminal.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { RunState } from "../../core/state.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { TASK_OUTCOMES, type TaskOutcome } from "./chat-parts.ts";
import { chatTasks } from "./chat-tasks.ts";
import { lostText } from "../../ui/change-wording.ts";
import { endText } from "../../ui/wording.ts";

/** The one line that remains after a conversation in the terminal: `agent-foreman: 2 tasks: 1 accepted, 1 not reviewed; agent-foreman show …` */
export function partingText(state: RunState, texts: TerminalTexts): string {
  const cutOff = state.ended === null;
  const parts = [
    ...(cutOff ? [chatTerms[texts.lang].interrupted] : []),
    tasksText(state, texts),
    ...brokenText(state, texts),
    ...killedText(state, texts),
    ...(state.changes && state.changes.lost.count > 0
      ? [texts.changes.lost(lostText(state.changes.lost, texts))]
      : []),
    `agent-foreman ${cutOff ? "resume" : "show"} ${state.runId}`,
  ];
  return `agent-foreman: ${parts.join(texts.partSeparator)}`;
}

/** `3 tasks: 1 accepted, 1 not accepted after 5 reviews, 1 not reviewed` */
export function tasksText(state: RunState, texts: TerminalTexts): string {
  const chat = chatTerms[texts.lang];
  const tasks = chatTasks(state);
  if (tasks.length === 0) return nothingText(state, texts);
  const words: Readonly<Record<TaskOutcome, (count: number) => string>> = {
    accepted: chat.accepted,
    limit_reached: (count) => chat.exhausted(count, state.maxLoops),
    waiting_for_user: chat.waiting,
    not_accepted: chat.notAccepted,
    not_reviewed: chat.notReviewed,
  };
  const counts = TASK_OUTCOMES.flatMap((outcome) => {
    const count = tasks.filter((task) => task.outcome === outcome).length;
    return count === 0 ? [] : [words[outcome](count)];
  });
  return `${chat.tasks(tasks.length)}${texts.colon}${counts.join(texts.listSeparator)}`;
}

function brokenText(state: RunState, { lang }: TerminalTexts): string[] {
  const chat = chatTerms[lang];
  const broken = chatTasks(state).reduce((sum, task) => sum + task.broken_off, 0);
  return broken === 0 ? [] : [chat.brokenOff(broken)];
}

/** Reports an agent that left neither by itself nor by Ctrl-C. If nothing was asked, the line says so already. */
function killedText({ chat }: RunState, texts: TerminalTexts): string[] {
  const end = typeof chat?.live === "object" ? chat.live.end : null;
  if (end?.kind !== "signaled" || end.signal === "SIGINT" || chat?.inputs.length === 0) return [];
  return [chatTerms[texts.lang].agentKilled(end.signal)];
}

function nothingText({ chat }: RunState, texts: TerminalTexts): string {
  const end = typeof chat?.live === "object" ? chat.live.end : null;
  return end && !succeeded(end)
    ? chatTerms[texts.lang].agentFailed(endText(end, texts))
    : chatTerms[texts.lang].nothingAsked;
}
