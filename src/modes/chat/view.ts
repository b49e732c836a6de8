import { afterTerminal, tasksText, chatEnd } from "./summary-chat.ts";
import { chatTerms } from "./words/terminal.ts";
import { failedAgain } from "./reviews.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { type RunState, taskOf } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import { reviewNumber } from "./chat-parts.ts";
import { chatAttempts, chatTasks } from "./chat-report.ts";
import { sessionCommand, sessionOf } from "./session-command.ts";
import { chatHistory, liveText } from "./chat-history.ts";
import type { ModeView } from "../../ui/mode-view.ts";
import { labelled } from "../../ui/summary-parts.ts";
import { COMMON, runningAt } from "../../ui/common-view.ts";

export const chatView: ModeView<ChatSettings> = {
  ...COMMON,
  hasSubjects: () => true,
  words: (texts) => ({ ...texts, upTo: chatTerms[texts.lang].upTo }),
  describe: chatHistory,
  ended: chatEnd,
  place: chatPlace,
  title: chatPlace,
  phase: (phase, _state, texts) => (phase === "review" ? texts.subject.review : texts.phase[phase]),
  stuck: (attempt, state) => failedAgain(state, attempt),
  task: (state, texts) => (state.settings.prompt === null ? tasksText(state, texts) : state.settings.task),
  about: (state, { label }, { lang }) => {
    const { story } = chatTerms[lang];
    const { worker, reviewer, checks } = state.settings;
    const session = sessionOf(state, state.settings);
    return [
      labelled(label.agent, visible(worker)),
      labelled(story.reviewer, visible(reviewer)),
      ...checks.map((check, index) => labelled(index === 0 ? story.checks : "", visible(check))),
      ...(session === null ? [] : [labelled(story.session, visible(session))]),
    ];
  },
  running: runningAt(chatPlace),
  doing: liveText,
  afterTerminal,
  next: (state, here) => sessionCommand(state, state.settings, here),
  listed: (state) => ({ task_number: taskOf(state) }),
  unfinished: (state) => ({
    attempts: chatAttempts(state),
    tasks: chatTasks(state),
    session_id: sessionOf(state, state.settings),
  }),
};

/** `1/5`, where a script asks; `#2 1/5`: the task that a person asked for, and its review. */
function chatPlace(state: RunState, index: number): string {
  const attempt = state.attempts.find((one) => one.index === index);
  const round = `${attempt ? reviewNumber(state, attempt) : 0}/${state.maxLoops}`;
  if ("prompt" in state.settings && state.settings.prompt !== null) return round;
  const task = attempt?.chat?.task ?? taskOf(state);
  return task === 0 ? "-" : `#${task} ${round}`;
}
