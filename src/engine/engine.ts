import type { Decision } from "../core/decision.ts";
import type { RunEvent } from "../core/event.ts";
import { budgetReached } from "../core/budget.ts";
import { redactEvent } from "../core/events/index.ts";
import { concernsReview, receive, type Message } from "../core/message.ts";
import type { RunState } from "../core/state.ts";
import { DOING } from "../core/step.ts";
import { next } from "./next.ts";
import { perform } from "./perform.ts";
import type { RunContext } from "./ports.ts";
import { withChanges } from "../evidence/base/run-changes.ts";
import { showEvent } from "./show.ts";

const CANCEL_POLL_MS = 250;

/**
 * The main loop: decide (pure), perform one effect, journal its event, fold. It never prints and never repeats an effect. After a crash the
 * same state leads to the same decision. Returns when the run has ended or has to wait. With `mayPerform: false` the caller only records an
 * answer and starts no work.
 */
export async function drive(
  context: RunContext,
  mayPerform: (decision: Decision) => boolean = () => true,
): Promise<RunState> {
  const { journal, inbox, stop } = context;
  // Remembered once seen: the current work is being stopped and must not restart if the message is withdrawn.
  let cancel: Message | undefined;
  const cancelWatch = setInterval(() => {
    cancel ??= inbox.cancel();
    if (cancel) stop.kill();
    else if (context.live && concernsReview(journal.state, inbox.reviews())) context.interrupt.request();
  }, CANCEL_POLL_MS);
  // A person at the terminal does not have to wait for a review.
  const forget = context.live ? stop.onRequest(() => context.interrupt.request()) : () => undefined;
  try {
    for (;;) {
      const state = journal.state;
      if (state.ended || state.stopped !== null) return state;
      context.interrupt.clear();
      const message = cancel ?? inbox.peek();
      const news = nextNews(context, state, message);
      if (news) {
        record(context, news);
        continue;
      }
      // Records a lost turn before anything else.
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
      // Lets other events run first, such as signals and keys.
      else await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    clearInterval(cancelWatch);
    forget();
  }
}

/** News from the person's terminal. It cancels a review that has not begun. */
function nextNews(context: RunContext, state: RunState, message: Message | undefined): RunEvent | null {
  const { live } = context;
  // A verdict is cheap and concerns only recorded events.
  if (!live || next(state)?.do === "judge") return null;
  const stopping = context.stop.signal !== null;
  if (state.openTurn && (stopping || live.hasNews() || concernsReview(state, message))) {
    const { attempt, turn } = state.openTurn;
    return { type: "turn_interrupted", attempt, turn };
  }
  // If the agent ends together with the foreman, the person has not left it.
  for (let news = stopping ? undefined : live.next(); news; news = live.next()) {
    const event = context.mode.newsEvent?.(news, state, context);
    if (event) return event;
  }
  return null;
}

/** Always finishes cheap work. Starts no work beyond a budget, and no wait for an unreachable person. */
function whyNotNow(context: RunContext, decision: Decision, state: RunState): RunEvent | null {
  switch (decision.do) {
    case "take_base":
    case "check_base":
    case "open_turn":
    case "take_turn":
    case "run_check":
    case "run_tests":
    case "start_wait":
    case "sit_out":
    case "start_step":
      return whyNoWork(context, state);
    case "mark_step":
      // All other marked decisions have already happened.
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
    case "end_check":
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

/** The person continues with the agent, whatever the review budget. */
function withoutReview({ openTurn, attempts }: RunState): RunEvent {
  if (openTurn) return { type: "turn_interrupted", attempt: openTurn.attempt, turn: openTurn.turn };
  const attempt = attempts.at(-1)?.index ?? 0;
  return { type: "review_dropped", attempt, why: "budget_reached", messageId: null };
}

function whyNoBudget(context: RunContext, state: RunState): RunEvent | null {
  const reached = budgetReached(state, context.now().toISOString());
  return reached ? { type: "run_stopped", by: "budget_reached" } : null;
}

/** Journals an event and updates the files for people and agents. A journal that cannot be written ends the run. */
export function record(context: RunContext, event: RunEvent): void {
  const safe = redactEvent(withChanges(event, context), context.redactor);
  // Before answering, the person may have edited the board.
  const edited = safe.type === "question_answered" ? context.editedBoard() : null;
  if (edited) record(context, edited);
  if (safe.type === "run_stopped" || safe.type === "question_asked")
    context.files.settle?.(context.journal.state);
  const state = context.journal.append(safe, context.now().toISOString());
  context.files.follow?.(safe, state);
  showEvent(context, safe, state);
  context.live?.follow(state);
}
