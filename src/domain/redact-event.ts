import type { AgentRecord, RunEvent } from "./event.ts";
import type { ProcessRecord } from "./process-end.ts";
import type { Redactor } from "./redact.ts";
import type { RunChanges } from "./room/changes.ts";

/**
 * Takes secrets out of what others wrote: agents, programs, people. What the run itself goes by (its settings, commands,
 * paths) is never changed, for it would then do something else; a secret in it is refused when the run starts.
 */
export function redactEvent(event: RunEvent, redactor: Redactor): RunEvent {
  switch (event.type) {
    case "turn_ended":
      return {
        ...event,
        process: safeProcess(event.process, redactor),
        claim: redactor.deep(event.claim),
        product: redactor.deep(event.product),
        agent: event.agent && safeAgent(event.agent, redactor),
      };
    case "review_ended":
      return {
        ...event,
        process: safeProcess(event.process, redactor),
        agent: safeAgent(event.agent, redactor),
        items: redactor.deep(event.items),
        problem: redactor.deep(event.problem),
        changed: redactor.deep(event.changed),
      };
    case "main_ended":
      return {
        ...event,
        process: safeProcess(event.process, redactor),
        agent: safeAgent(event.agent, redactor),
        answer: redactor.deep(event.answer),
        broken: redactor.deep(event.broken),
        refusedCommands: redactor.deep(event.refusedCommands),
        changed: redactor.deep(event.changed),
      };
    case "step_refused":
      return { ...event, message: redactor.text(event.message) };
    case "turn_failed":
      return {
        ...event,
        process: safeProcess(event.process, redactor),
        agent: safeAgent(event.agent, redactor),
      };
    case "attempt_judged":
      if (!event.changedByChecks) return event;
      return { ...event, changedByChecks: redactor.deep(event.changedByChecks) };
    case "check_ended":
      return {
        ...event,
        process: safeProcess(event.process, redactor),
        ...(event.room && { room: redactor.deep(event.room) }),
      };
    case "base_checked":
      return { ...event, process: safeProcess(event.process, redactor) };
    case "candidate_taken":
      return {
        ...event,
        newTests: redactor.deep(event.newTests),
        hidden: redactor.deep(event.hidden),
        ...(event.lost && { lost: redactor.deep(event.lost) }),
      };
    case "run_stopped":
    case "run_ended":
      return event.changes ? { ...event, changes: safeChanges(event.changes, redactor) } : event;
    case "run_resumed":
      return { ...event, ended: redactor.deep(event.ended) };
    case "question_answered":
      return { ...event, note: redactor.deep(event.note) };
    case "answer_refused":
      return { ...event, answer: redactor.deep(event.answer), note: redactor.deep(event.note) };
    default:
      return event;
  }
}

function safeProcess(process: ProcessRecord, redactor: Redactor): ProcessRecord {
  return { ...process, end: redactor.deep(process.end), leaked: redactor.deep(process.leaked) };
}

function safeChanges(changes: RunChanges, redactor: Redactor): RunChanges {
  return { ...changes, lost: redactor.deep(changes.lost), outside: redactor.deep(changes.outside) };
}

function safeAgent<T extends AgentRecord>(agent: T, redactor: Redactor): T {
  return {
    ...agent,
    failure: redactor.deep(agent.failure),
    filesTouched: redactor.deep(agent.filesTouched),
    denials: redactor.deep(agent.denials),
  };
}
