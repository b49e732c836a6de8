import { chatTerms } from "./words/terminal.ts";
import { failedAgain, reviewsOf, waitsForUser } from "./reviews.ts";
import type { EndReason } from "../../core/event.ts";
import { type Artifact, succeeded } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import { decisiveOutput } from "../../evidence/set-ups.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState, taskOf } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { reviewNumber, TASK_OUTCOMES, type TaskOutcome } from "./chat-parts.ts";
import { sessionCommand } from "./session-command.ts";
import { diffCommand } from "../../ui/shell-command.ts";
import { whyReviewFailed } from "./chat-history.ts";
import { duration } from "../../text/time-text.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import type { Parting } from "../../engine/reporter.ts";
import { countsText, detailOf, endedText, failureOf, testTexts } from "../../ui/room-wording.ts";
import { unstartedEnd } from "../../ui/summary-room.ts";
import { continued, endWith, labelled, pathRow, row, type End } from "../../ui/summary-parts.ts";
import { endText, failedCheck, stuckText } from "../../ui/wording.ts";
import { chatTasks } from "./chat-report.ts";
import { lostText } from "../../ui/change-wording.ts";
import { quotedText } from "../../ui/history.ts";

/** How a conversation ended. The next command resumes its session. */
export function chatEnd(
  reason: EndReason,
  state: RunOf<ChatSettings>,
  _parting: Parting,
  texts: TerminalTexts,
): End {
  const chat = chatTerms[texts.lang];
  const attempt = ofTheTask(state);
  const show = `agent-foreman show ${state.runId}`;
  const session = sessionCommand(state, state.settings, state.settings.calledFrom);
  const used = attempt ? reviewNumber(state, attempt) : 0;
  const why = attempt ? [...whyLines(attempt, texts), ...stuckLines(attempt, state, texts)] : [];
  const bad = (text: string): End => endWith("✗", text, session ?? show, why);
  switch (reason) {
    case "accepted": {
      const next = session ?? diffCommand(state) ?? show;
      const facts = attempt ? checkLines(attempt, texts) : [];
      return endWith("✓", chat.endAccepted(used, state.maxLoops), next, facts);
    }
    case "review_failed":
      return bad(chat.endReviewFailed);
    case "left_unaccepted":
      return bad(chat.endLeft);
    case "waiting_for_user":
      return endWith("?", chat.endWaiting, session ?? show, attempt ? saidLines(attempt, texts) : []);
    case "nothing_asked":
      return endWith("-", chat.endNothingAsked, session ?? show);
    case "live_agent_failed":
      return endWith("✗", chat.endAgentFailed(howItLeft(state, texts)), show, why);
    case "cancelled":
      return endWith("✗", texts.endCancelled(attempt?.index ?? null), session ?? show);
    case "test_cannot_start":
    case "setup_failed":
      return unstartedEnd(reason, state, texts);
    // The limit, or no progress. Reasons of other modes never occur here.
    default:
      return bad(rejectedText(used, state, texts));
  }
}

/** For a script, a failed attempt has no review. */
function rejectedText(used: number, state: RunState, { lang }: TerminalTexts): string {
  const chat = chatTerms[lang];
  const reviews = reviewsOf(state);
  return reviews < used ? chat.endUnreviewed(used, reviews) : chat.endRejected(used, state.maxLoops);
}

function stuckLines(attempt: Attempt, state: RunState, texts: TerminalTexts): Line[] {
  const stuck = stuckText(failedAgain(state, attempt), texts);
  return stuck === null ? [] : [continued(stuck)];
}

/** The last attempt, if it is at the last task. */
function ofTheTask(state: RunState): Attempt | undefined {
  const attempt = lastAttempt(state);
  return attempt?.chat?.task === taskOf(state) ? attempt : undefined;
}

function howItLeft({ chat }: RunState, texts: TerminalTexts): string {
  return typeof chat?.live === "object" ? endText(chat.live.end, texts) : "";
}

function checkLines({ checks }: Attempt, texts: TerminalTexts): Line[] {
  return checks.filter(checkPassed).map((check) => {
    const { command, durationMs } = check.process;
    const passed = `${countsText(check, texts) ?? texts.passed} (${duration(durationMs)})`;
    return labelled(texts.subject.check, `${visible(command)}${texts.colon}${passed}`);
  });
}

/** Names the file with the question. */
function saidLines({ turn, chat }: Attempt, texts: TerminalTexts): Line[] {
  const said = turn?.agent?.message ?? chat?.said ?? null;
  return said ? [pathRow("output", said.path, texts)] : [];
}

function whyLines(attempt: Attempt, texts: TerminalTexts): Line[] {
  const [first, ...rest] = (attempt.judged?.reasons ?? []).map((reason) =>
    reasonText(reason, attempt, texts),
  );
  const failed = failedCheck(attempt);
  const decisive = failed && decisiveOutput(failed);
  const output = decisive && decisive.bytes > 0 ? decisive : reviewOutput(attempt);
  return [
    ...(first === undefined ? [] : [row("why", first, texts)]),
    ...rest.map(continued),
    ...(failed ? testTexts(failed, texts).map(continued) : []),
    ...(output ? [pathRow("output", output.path, texts)] : []),
  ];
}

/** The reviewer's words. A reviewer that said nothing may have printed the reason. */
function reviewOutput({ review }: Attempt): Artifact | null {
  if (!review) return null;
  const outputs = [review.agent.message, review.stderr, review.stdout];
  return outputs.find((output) => output !== null && output.bytes > 0) ?? null;
}

function reasonText(reason: Reason, attempt: Attempt, texts: TerminalTexts): string {
  const facts = factsOf(reason, attempt, texts).join(texts.listSeparator);
  const detail = facts === "" ? detailOf(reason, attempt, texts) : texts.colon + facts;
  return `${texts.reason[reason]}${detail} (${reason})`;
}

function factsOf(reason: Reason, attempt: Attempt, texts: TerminalTexts): readonly string[] {
  const failed = failedCheck(attempt);
  const { turn, review } = attempt;
  if (reason === "check_failed" && failed)
    return [visible(failed.process.command), failureOf(failed, texts, endedText)];
  if (reason === "agent_exit_nonzero" && turn) return [endText(turn.process.end, texts)];
  return reason === "review_failed" && review ? [whyReviewFailed(review, texts)] : [];
}

/** The one line that remains after a conversation in the terminal: `agent-foreman: 2 tasks: 1 accepted, 1 not reviewed; agent-foreman show …` */
function partingText(state: RunState, texts: TerminalTexts): string {
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

const MAX_WORDS_LINES = 5;

/** One line, and the reasons of the last rejecting review. */
export function afterTerminal(state: RunState, words: string, texts: TerminalTexts): readonly Line[] {
  return [{ text: partingText(state, texts) }, ...lastReview(state, words, texts)];
}

/** An interrupted review has no words, so those of the previous one are shown. They may not have been sent to the agent. */
function lastReview(state: RunState, words: string, texts: TerminalTexts): readonly Line[] {
  const attempt = state.attempts.findLast((one) => one.judged !== null || waitsForUser(one));
  if (attempt?.judged?.verdict !== "rejected" || attempt.chat?.task !== taskOf(state)) return [];
  return [...whyLines(attempt, texts), ...quotedText(words.trim(), MAX_WORDS_LINES, texts)];
}
