import { evidenceRules } from "../../evidence/rules.ts";
import { atTerminal, isReviewable, judgeChat } from "./reviews.ts";
import type { RunEvent } from "../../core/event.ts";
import { isOwnedBy } from "../../core/events/index.ts";
import type { FoldContext, ModeRules } from "../../core/mode.ts";
import { numbered } from "../../evidence/held.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { reviewOf, withLastAttempt, type RunState } from "../../core/state.ts";
import { afterResume, firstChat, settleAccepted, withChat } from "./fold.ts";
import { whyNoChatEvent, whyNoChatReview, whyNoChatTurn, whyNotPassed } from "./legality.ts";
import { nextChat } from "./policy.ts";

export const chatRules: ModeRules<ChatSettings> = {
  name: "chat",
  turnResult: null,
  claims: false,
  movesBase: true,
  hasPerson: true,
  knowsTestsAtStart: true,
  prompts: ({ supervisor }) => [supervisor],
  begin: (settings, at) => ({ chat: firstChat(settings, at) }),
  next: nextChat,
  fold: foldChat,
  verdict(_, attempt, settings) {
    const review = reviewOf(attempt);
    if (attempt.chat?.settled !== null) return null;
    const seen = attempt.turn !== null && !isReviewable(attempt);
    return seen || review ? judgeChat(attempt, review, settings) : null;
  },
  baseCommands: ({ prompt, checks }) => numbered("check", prompt === null ? [] : checks),
  testCommands: (_, { checks }) => checks,
  commandsDue: (_, phase, { checks }) => (phase === "check" ? checks : []),
  checksWithoutTurn: (state, { chat }) => atTerminal(state) && chat?.settled === null,
  testsDecide: false,
  // The person takes part in the conversation and decides about the tests.
  protectsTests: () => false,
  expectsChange: () => false,
  evidence: evidenceRules,
  legality: {
    own: whyNoChatEvent,
    turn: whyNoChatTurn,
    review: whyNoChatReview,
    question: () => "a conversation asks no questions",
    passed: whyNotPassed,
  },
};

function foldChat(after: RunState, event: RunEvent, { at, before }: FoldContext): RunState {
  switch (event.type) {
    case "run_resumed":
      return afterResume(after);
    case "turn_started":
      return before.attempts.length < after.attempts.length
        ? // A script has one task.
          withLastAttempt(after, { chat: { task: 1, said: null, settled: null } })
        : after;
    case "attempt_judged":
      return settleAccepted(after, event);
    default:
      return isOwnedBy("chat", event) ? withChat(after, event, at) : after;
  }
}
