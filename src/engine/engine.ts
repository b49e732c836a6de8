import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import { budgetReached } from "../domain/budget.ts";
import { redactEvent } from "../domain/redact-event.ts";
import { concernsReview, receive, type Message } from "../domain/message.ts";
import type { RunState } from "../domain/state.ts";
import { DOING } from "../domain/step.ts";
import { next } from "../policies/next.ts";
import { liveHint } from "../reporters/live-hint.ts";
import { newsEvent } from "./live-news.ts";
import { perform } from "./perform.ts";
import type { RunContext } from "./ports.ts";
import { withChanges } from "./run-changes.ts";
import { showEvent } from "./show.ts";

const CANCEL_POLL_MS = 250;

/**
 * The loop: decide (pure), perform one effect, journal its event, fold. It never prints and never repeats an effect; after a
 * crash the same state leads to the same decision. Returns when the run has ended or has to wait.
 *
 * `mayPerform` keeps a caller that only records an answer from starting work.
 */
export async function drive(
  context: RunContext,
  mayPerform: (decision: Decision) => boolean = () => true,
): Promise<RunState> {
  const { journal, inbox, stop } = context;
  // Kept once it was seen: what runs is then being killed, and must not be begun again if the message is taken back.
  let cancel: Message | undefined;
  const cancelWatch = setInterval(() => {
    cancel ??= inbox.cancel();
    if (cancel) stop.kill();
    else if (context.live && concernsReview(journal.state, inbox.reviews())) context.attention.call();
  }, CANCEL_POLL_MS);
  // A person's terminal is not kept waiting for a review.
  const forget = context.live ? stop.onRequest(() => context.attention.call()) : () => undefined;
  try {
    for (;;) {
      const state = journal.state;
      if (state.ended || state.stopped !== null) return state;
      context.attention.clear();
      const message = cancel ?? inbox.peek();
      const news = nextNews(context, state, message);
      if (news) {
        record(context, news);
        continue;
      }
      // A lost turn is recorded first, whatever is said to the run.
      if (message && !state.openTurn?.lost) {
        const event = receive(state, message);
        if (event) record(context, event);
        inbox.remove(message.id);
        continue;
      }
      const decision = next(state);
      if (!decision || !mayPerform(decision)) return state;
      const stopped = whyNotNow(context, decision, state);
      const event = stopped ?? (await perform(decision, state, context));
      if (event) record(context, event);
      // Whatever else waits, signals and keys among it, gets its turn.
      else await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    clearInterval(cancelWatch);
    forget();
  }
}

/** What happened in the person's terminal. A review that was not yet begun is not begun any more. */
function nextNews(context: RunContext, state: RunState, message: Message | undefined): RunEvent | null {
  const { live } = context;
  // A verdict costs nothing, and what it is about is seen already.
  if (!live || next(state)?.do === "judge") return null;
  const stopping = context.stop.signal !== null;
  if (state.openTurn && (stopping || live.hasNews() || concernsReview(state, message))) {
    const { attempt, turn } = state.openTurn;
    return { type: "turn_interrupted", attempt, turn };
  }
  // An agent that ends with the foreman has not been left by the person.
  for (let news = stopping ? undefined : live.next(); news; news = live.next()) {
    const event = newsEvent(news, state, context);
    if (event) return event;
  }
  return null;
}

/** What is cheap is always finished; work beyond a budget, and waiting for a person who cannot be asked, is not begun. */
function whyNotNow(context: RunContext, decision: Decision, state: RunState): RunEvent | null {
  switch (decision.do) {
    case "take_base":
    case "check_base":
    case "open_turn":
    case "take_turn":
    case "run_check":
    case "start_wait":
    case "sit_out":
    case "start_step":
      return whyNoWork(context, state);
    case "mark_step":
      // Whatever else is marked has happened already.
      return decision.status === DOING ? whyNoWork(context, state) : null;
    case "await_live":
    case "start_live":
    case "send_feedback":
      return context.stop.signal ? { type: "run_stopped", by: context.stop.signal } : null;
    case "drop_review":
      return null;
    case "await_answer":
      if (context.stop.signal) return { type: "run_stopped", by: context.stop.signal };
      return state.interactive ? null : { type: "run_stopped", by: "undecided" };
    case "stop":
      return whyNoBudget(context, state);
    case "record_interrupted":
    case "take_candidate":
    case "confirm_candidate":
    case "judge":
    case "write_steps":
    case "ask":
    case "end":
      return null;
  }
}

function whyNoWork(context: RunContext, state: RunState): RunEvent | null {
  if (context.stop.signal) return { type: "run_stopped", by: context.stop.signal };
  const why = whyNoBudget(context, state);
  return why && context.live ? withoutReview(state) : why;
}

/** The person works on with the agent, whatever reviews may cost. */
function withoutReview({ openTurn, attempts }: RunState): RunEvent {
  if (openTurn) return { type: "turn_interrupted", attempt: openTurn.attempt, turn: openTurn.turn };
  const attempt = attempts.at(-1)?.index ?? 0;
  return { type: "review_dropped", attempt, why: "budget_reached", messageId: null };
}

function whyNoBudget(context: RunContext, state: RunState): RunEvent | null {
  const reached = budgetReached(state, context.now().toISOString());
  return reached ? { type: "run_stopped", by: "budget_reached" } : null;
}

/** Journals an event; what people and agents read is written from the new state. A journal that cannot be written ends the run. */
export function record(context: RunContext, event: RunEvent): void {
  const safe = redactEvent(withChanges(event, context), context.redactor);
  // Whoever is asked may look at the board first, and write down what was forgotten.
  const edited = safe.type === "question_answered" ? context.editedBoard() : null;
  if (edited) record(context, edited);
  if (safe.type === "run_stopped" || safe.type === "question_asked")
    context.files.settle(context.journal.state);
  const state = context.journal.append(safe, context.now().toISOString());
  context.files.follow(safe, state);
  showEvent(context, safe, state);
  context.live?.hint(liveHint(state, state.settings.lang));
}
