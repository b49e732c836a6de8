import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import { budgetReached } from "../domain/budget.ts";
import { redactEvent } from "../domain/redact-event.ts";
import { receive, type Message } from "../domain/message.ts";
import type { RunState } from "../domain/state.ts";
import { DOING } from "../domain/step.ts";
import { next } from "../policies/next.ts";
import { perform } from "./perform.ts";
import type { RunContext } from "./ports.ts";
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
  }, CANCEL_POLL_MS);
  try {
    for (;;) {
      const state = journal.state;
      if (state.ended || state.stopped !== null) return state;
      // A lost turn is recorded first, whatever is said to the run.
      const message = state.openTurn?.lost ? undefined : (cancel ?? inbox.peek());
      if (message) {
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
    }
  } finally {
    clearInterval(cancelWatch);
  }
}

/** What is cheap is always finished; work beyond a budget, and waiting for a person who cannot be asked, is not begun. */
function whyNotNow(context: RunContext, decision: Decision, state: RunState): RunEvent | null {
  switch (decision.do) {
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
    case "await_answer":
      if (context.stop.signal) return { type: "run_stopped", by: context.stop.signal };
      return state.interactive ? null : { type: "run_stopped", by: "undecided" };
    case "stop":
      return whyNoBudget(context, state);
    case "record_interrupted":
    case "judge":
    case "write_steps":
    case "ask":
    case "end":
      return null;
  }
}

function whyNoWork(context: RunContext, state: RunState): RunEvent | null {
  if (context.stop.signal) return { type: "run_stopped", by: context.stop.signal };
  return whyNoBudget(context, state);
}

function whyNoBudget(context: RunContext, state: RunState): RunEvent | null {
  const reached = budgetReached(state, context.now().toISOString());
  return reached ? { type: "run_stopped", by: "budget_reached" } : null;
}

/** Journals an event; what people and agents read is written from the new state. A journal that cannot be written ends the run. */
export function record(context: RunContext, event: RunEvent): void {
  const safe = redactEvent(event, context.redactor);
  // Whoever is asked may look at the board first, and write down what was forgotten.
  const edited = safe.type === "question_answered" ? context.editedBoard() : null;
  if (edited) record(context, edited);
  if (safe.type === "run_stopped" || safe.type === "question_asked")
    context.files.settle(context.journal.state);
  const state = context.journal.append(safe, context.now().toISOString());
  context.files.follow(safe, state);
  showEvent(context, safe, state);
}
