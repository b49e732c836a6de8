import { reviewsOf, taskOf } from "../domain/chat/reviews.ts";
import { impasseOf } from "../domain/end.ts";
import type { EndReason } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import { decisiveOutput } from "../domain/room/set-ups.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import type { ChatSettings } from "../domain/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { reviewNumber } from "../reports/chat-parts.ts";
import { sessionCommand } from "../reports/session-command.ts";
import { diffCommand } from "../reports/shell-command.ts";
import { whyReviewFailed } from "./chat-history.ts";
import { duration } from "../domain/time-text.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { countsText, detailOf, endedText, failureOf, testTexts } from "./room-wording.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { unstartedEnd } from "./summary-room.ts";
import { continued, labelled, pathRow, row, type End } from "./summary-parts.ts";
import { endText, failedCheck, stuckText } from "./wording.ts";

/** How `chat` leaves a conversation: whoever takes it up goes on in its session. */
export function chatEnd(
  state: RunState,
  settings: ChatSettings,
  parting: Parting,
  texts: TerminalTexts,
): End {
  if (state.ended) return endedBy(state.ended.reason, state, settings, texts);
  const impasse = impasseOf(state.stopped);
  if (impasse !== null) return stoppedBy(impasse, state, parting, texts);
  const attempt = lastAttempt(state)?.index ?? null;
  return {
    head: { text: `! ${texts.endInterrupted(state.stopped, attempt)}`, tone: "warn" },
    facts: [],
    next: `agent-foreman resume ${state.runId}`,
  };
}

function endedBy(reason: EndReason, state: RunState, settings: ChatSettings, texts: TerminalTexts): End {
  const { chat } = texts;
  const attempt = ofTheTask(state);
  const show = `agent-foreman show ${state.runId}`;
  const session = sessionCommand(state, settings, settings.calledFrom);
  const used = attempt ? reviewNumber(state, attempt) : 0;
  const bad = (text: string): End => ({
    head: { text: `✗ ${text}`, tone: "bad" },
    facts: attempt ? [...whyLines(attempt, texts), ...stuckLines(attempt, state, texts)] : [],
    next: session ?? show,
  });
  switch (reason) {
    case "accepted":
      return {
        head: { text: `✓ ${chat.endAccepted(used, state.maxLoops)}`, tone: "good" },
        facts: attempt ? checkLines(attempt, texts) : [],
        next: session ?? diffCommand(state) ?? show,
      };
    case "review_failed":
      return bad(chat.endReviewFailed);
    case "left_unaccepted":
      return bad(chat.endLeft);
    case "waiting_for_user":
      return {
        head: { text: `? ${chat.endWaiting}`, tone: "ask" },
        facts: attempt ? saidLines(attempt, texts) : [],
        next: session ?? show,
      };
    case "nothing_asked":
      return { head: { text: `- ${chat.endNothingAsked}` }, facts: [], next: session ?? show };
    case "live_agent_failed":
      return { ...bad(chat.endAgentFailed(howItLeft(state, texts))), next: show };
    case "cancelled":
      return { ...bad(texts.endCancelled(attempt?.index ?? null)), facts: [] };
    case "test_cannot_start":
    case "setup_failed":
      return unstartedEnd(reason, state, texts);
    case "limit_reached":
    case "stuck":
    // The reasons of other modes are never given here.
    case "agent_cannot_start":
    case "marked_by_person":
    case "nothing_to_do":
    case "plan_file_missing":
    case "plan_file_unreadable":
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
      return bad(rejectedText(used, state, texts));
  }
}

/** Where a script asks, an attempt that failed has no review. */
function rejectedText(used: number, state: RunState, { chat }: TerminalTexts): string {
  const reviews = reviewsOf(state);
  return reviews < used ? chat.endUnreviewed(used, reviews) : chat.endRejected(used, state.maxLoops);
}

function stuckLines(attempt: Attempt, state: RunState, texts: TerminalTexts): Line[] {
  const stuck = stuckText(attempt, state, texts);
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

/** Where to read the question. */
function saidLines({ turn, chat }: Attempt, texts: TerminalTexts): Line[] {
  const said = turn?.agent?.message ?? chat?.said ?? null;
  return said ? [pathRow("output", said.path, texts)] : [];
}

export function whyLines(attempt: Attempt, texts: TerminalTexts): Line[] {
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
function reviewOutput({ review }: Attempt): Captured | null {
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
