import { isModeEvent } from "../core/events/index.ts";
import type {
  QuestionAnswered,
  RunEvent,
  RunResumed,
  RunStarted,
  TurnFailed,
  TurnStarted,
  WaitStarted,
} from "../core/event.ts";
import type { Leaked } from "../platform/process/process-end.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { duration } from "../text/time-text.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { failedInReview, failureText, waitText } from "./agent-wording.ts";
import { processLines, quotedText } from "./history.ts";
import type { Scene } from "./mode-view.ts";
import { baseCommandText, baseName, baseText, baseWarnings, treeNews } from "./room-wording.ts";
import { warns, type Description, type Statement, type Subject } from "./statement.ts";
import { agentDetails, answerText, lastDecidedAbout } from "./wording.ts";

const MAX_NOTE_LINES = 5;

/** The description of an event that is the same in every mode and every output. */
export function sharedStatements(event: RunEvent, scene: Scene, texts: TerminalTexts): Description {
  const { state, verbose, kept } = scene;
  const now = Date.parse(state.updatedAt);
  if (isModeEvent(event)) return [];
  switch (event.type) {
    case "turn_failed": {
      const text = texts.turnFailed(failureText(event, now, state, texts));
      return [
        { subject: failing(event, state), sign: "~", attempt: event.attempt, text, tone: "warn" },
        ...quotedText(event.agent.failure.message, MAX_NOTE_LINES, texts),
        ...leakedStatements(event.process.leaked, texts),
      ];
    }
    case "turn_interrupted":
      return [{ ...warns("agent", interruptedText(scene, texts), event.attempt), isDetail: false }];
    case "wait_started": {
      const text = waitText(event, now, state, texts);
      return [{ subject: failing(event, state), sign: "~", text, tone: "warn" }];
    }
    case "wait_ended":
      return [{ subject: "agent", sign: "~", text: texts.waitOver }];
    case "question_answered": {
      const text = answerText(event.answer, texts, lastDecidedAbout(state)) + viaText(event, scene);
      return [
        { subject: "person", sign: "?", text, tone: "ask" },
        ...quotedText(event.note ?? "", MAX_NOTE_LINES, texts),
      ];
    }
    case "answer_refused": {
      const why = [
        ...(kept && event.answer ? [event.answer.kind] : []),
        `${texts.refusal[event.why]} (${event.why})`,
      ];
      const text = `${texts.answerRefused}${texts.colon}${why.join(texts.partSeparator)}`;
      return [
        { ...warns("person", text), isDetail: false },
        ...(kept ? quotedText(event.note ?? "", MAX_NOTE_LINES, texts) : []),
      ];
    }
    case "base_taken": {
      const commit = event.commit === null ? "" : `${visible(event.commit.slice(0, 7))}${texts.colon}`;
      const text = commit + texts.room.baseTaken(event.files, event.protected.files);
      return [
        ...(kept ? [{ subject: "base", text } as const] : []),
        ...(isFirst(state) ? baseWarnings(event, texts).map((weak) => warns("base", weak)) : []),
      ];
    }
    case "base_checked": {
      const isOnly = event.tests !== null && state.mode.baseCommands(state.settings).length === 1;
      const what = isOnly ? baseText(event, texts) : baseCommandText(event, texts);
      return [{ subject: "base", text: `${baseName(state, texts)}  ${what}` }];
    }
    case "candidate_taken":
      return treeNews(event, lastAttempt(state), state, texts, verbose).map(({ text, isWarning }) => {
        const said = warns("agent", text, event.attempt);
        return { ...said, isApart: true, ...(!isWarning && { sign: "-", tone: undefined }) };
      });
    // The verdict shows the result.
    case "candidate_confirmed":
    // The question is shown by the code that asks it, and the summary says how the run was left.
    case "question_asked":
    case "run_stopped":
    case "run_ended":
    // Each mode describes these in its own way.
    case "run_started":
    case "run_resumed":
    case "turn_started":
    case "turn_ended":
    case "base_run_ended":
    case "test_run_ended":
    case "check_ended":
    case "review_ended":
    case "attempt_judged":
      return [];
  }
}

function failing(event: TurnFailed | WaitStarted, state: RunState): Subject {
  return failedInReview(event, state) ? "review" : "agent";
}

/** `interrupted; no attempt spent`; for a person who looks back, also how long the turn took. */
function interruptedText({ state, kept }: Scene, texts: TerminalTexts): string {
  const { durationMs = null, lost = false } = state.interruptedTurns.at(-1) ?? {};
  if (!kept || durationMs === null) return texts.turnInterrupted;
  const time = duration(durationMs);
  return `${texts.turnInterrupted} (${lost ? texts.atLeast(time) : time})`;
}

/** ` (decide)`: how the answer came. */
export function viaText({ via }: QuestionAnswered, { kept }: Scene): string {
  return kept ? ` (${via})` : "";
}

/** Weak points of the first base apply to the others, too. */
function isFirst({ base }: RunState): boolean {
  return base?.attempts === 0;
}

/** Agents whose profile differs from their name, and missing ones. */
export function agentStatements(event: RunStarted, state: RunState, texts: TerminalTexts): Description {
  return [
    ...agentDetails(state).map((text) => ({ subject: "agent", text, isDetail: true }) as const),
    ...event.missingAgents.map((name) => warns("agent", texts.passedOver(visible(name)))),
  ];
}

export function leftoverStatements({ ended }: RunResumed, texts: TerminalTexts): Description {
  return endedStatements(warns("run", texts.endedLeftovers(ended.length)), ended);
}

export function leakedStatements(leaked: readonly Leaked[], texts: TerminalTexts): Description {
  return endedStatements(warns("agent", texts.leakedEnded(leaked.length)), leaked);
}

function endedStatements(head: Statement, processes: readonly Leaked[]): Description {
  return processes.length === 0 ? [] : [head, ...processLines(processes)];
}

/** Another agent than the last one takes the turn. */
export function takeoverStatement({ agent, attempt }: TurnStarted, texts: TerminalTexts): Statement {
  return { subject: "agent", sign: "~", attempt, text: texts.takesOver(visible(agent ?? "")), tone: "warn" };
}

/** Changed inputs have no effect, because a run keeps those from its start. */
export function inputStatements(changed: readonly string[], texts: TerminalTexts): readonly Statement[] {
  return changed.length === 0
    ? []
    : [warns("agent", texts.inputsChanged(changed.map((path) => visible(path))))];
}
