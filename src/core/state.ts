import type { ReviewEnded, Role, TurnEnded, TestRunEnded } from "./event.ts";
import type { RunState } from "./mode.ts";
import type { Artifact } from "../platform/process/process-end.ts";
import type { Attempt, StepState } from "./state-parts.ts";
export type { RunState } from "./mode.ts";
export * from "./state-parts.ts";

/** The output that explains a failed turn: its errors, if it wrote any. */
export function outputWithErrors(turn: Pick<TurnEnded, "stdout" | "stderr">): Artifact {
  return turn.stderr.bytes > 0 ? turn.stderr : turn.stdout;
}

export function lastAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}

/** The review of an attempt. One that the budget cut off says nothing and is repeated. */
export function reviewOf({ review }: Attempt): ReviewEnded | null {
  return review?.process.end.kind === "over_budget" ? null : review;
}

export function attemptsAt(state: RunState, step: number | null): readonly Attempt[] {
  return state.attempts.filter((attempt) => attempt.step === step);
}

/** The current step. */
export function currentStep(state: RunState): StepState | undefined {
  return state.step === null ? undefined : state.steps[state.step - 1];
}

/** MAIN and reviewers have their own sessions, even where the same agent works. */
export function sessionKey(role: Role, agent: string): string {
  switch (role) {
    case "main":
      return `${MAINS}${agent}`;
    case "reviewer":
      return `${REVIEWERS}${agent}`;
    case "worker":
      return agent;
  }
}

/** Names of agents contain no space. */
const MAINS = "main ";
const REVIEWERS = "reviewer ";

export function isMains(session: string): boolean {
  return session.startsWith(MAINS);
}

export function newAttempt(step: number | null, index: number, startedAt: string): Attempt {
  return {
    step,
    index,
    startedAt,
    main: [],
    call: null,
    turn: null,
    treeBefore: null,
    checks: [],
    runs: [],
    treeReviewed: null,
    review: null,
    outdatedChecksMs: 0,
    faultyReviews: [],
    faultsForgiven: 0,
    meddledWith: null,
    candidate: null,
    judged: null,
    chat: null,
  };
}

export function withAttempt(state: RunState, attempt: Attempt): RunState {
  return { ...state, attempts: [...state.attempts, attempt] };
}

export function withLastAttempt(state: RunState, change: Partial<Attempt>): RunState {
  const last = lastAttempt(state);
  if (!last) return state;
  return { ...state, attempts: [...state.attempts.slice(0, -1), { ...last, ...change }] };
}

/** The current task: the number of the last input; 0: no input yet. */
export function taskOf({ chat }: Pick<RunState, "chat">): number {
  return chat?.inputs.length ?? 0;
}

/** Runs of the check that has not ended yet. */
export function openRuns({ runs, checks }: Pick<Attempt, "runs" | "checks">): readonly TestRunEnded[] {
  return runs.filter((run) => !checks.some(({ phase, index }) => phase === run.phase && index === run.index));
}
