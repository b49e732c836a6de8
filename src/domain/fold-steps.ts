import type { AgentProfile } from "./agent-profile.ts";
import type { ReviewEnded } from "./event.ts";
import { checksMs } from "./run-time.ts";
import type { Settings } from "./settings.ts";
import { lastAttempt, withLastAttempt, type RunState, type StepState } from "./state.ts";
import type { Step } from "./step.ts";
import { verifierFaults } from "./verdict-step.ts";

export function untouched(step: Step): StepState {
  const { status, unitTest, sha256 } = step;
  return { step, status, unitTest, sha256, edited: false, refused: null, markedDone: false };
}

export function withStep(
  state: RunState,
  step: number | null,
  change: (before: StepState) => Partial<StepState>,
): RunState {
  return {
    ...state,
    steps: state.steps.map((each, index) => (index + 1 === step ? { ...each, ...change(each) } : each)),
  };
}

/** After a verifier's own fault another verification is made. A tree that it changed is tested again first. */
export function withReview(state: RunState, event: ReviewEnded): RunState {
  const isFaulty = state.settings.mode === "run" && verifierFaults(event).length > 0;
  if (!isFaulty) return withLastAttempt(state, { review: event });
  const last = lastAttempt(state);
  const faultyReviews = [...(last?.faultyReviews ?? []), event];
  const isChanged = event.changed !== null && event.changed.length > 0;
  return withLastAttempt(state, {
    faultyReviews,
    treeReviewed: null,
    ...(isChanged && last && { checks: [], outdatedChecksMs: checksMs(last), candidate: null }),
  });
}

/** Profiles that a person names take the place of those with the same name. */
export function withVerifiers(settings: Settings, verifiers: readonly AgentProfile[] | undefined): Settings {
  if (settings.mode !== "run" || !verifiers) return settings;
  const names = verifiers.map(({ name }) => name);
  const others = settings.agents.filter(({ name }) => !names.includes(name));
  const typed = (settings.callFlags ?? []).filter(({ flag }) => flag !== "--verifier");
  const callFlags = [...typed, { flag: "--verifier", values: [names.join(",")] }];
  return { ...settings, callFlags, verifiers: names, agents: [...others, ...verifiers] };
}

/** A person has seen to the verifiers. */
export function withFaultsForgiven(state: RunState): RunState {
  if (state.stopped !== "no_verdict") return state;
  return withLastAttempt(state, { faultsForgiven: lastAttempt(state)?.faultyReviews.length ?? 0 });
}

/** Also of steps that the run never comes to: an agent may have marked them as done, and the next run would believe it. */
export function withEdits(state: RunState, changed: readonly string[]): RunState {
  const { settings, steps } = state;
  if (settings.mode !== "run" || changed.length === 0) return state;
  const { length } = settings.stepsDir;
  const names = new Set(
    changed.map((path) => (path.startsWith(settings.stepsDir) ? path.slice(length + 1) : "")),
  );
  const isChanged = ({ step }: StepState): boolean => names.has(step.file);
  return { ...state, steps: steps.map((each) => (isChanged(each) ? { ...each, edited: true } : each)) };
}
