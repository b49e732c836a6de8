import type { AgentProfile } from "../../core/agent-profile.ts";
import type { ReviewEnded } from "../../core/event.ts";
import { checksMs } from "../../core/run-time.ts";
import type { Settings, StepsSettings } from "../../core/settings.ts";
import { lastAttempt, withLastAttempt, type RunState, type StepState } from "../../core/state.ts";
import type { Step } from "../../core/step.ts";
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

/** After a verifier's own fault the verification is repeated. If the verifier changed the tree, the tests run again first. */
export function withReview(state: RunState, event: ReviewEnded): RunState {
  if (verifierFaults(event).length === 0) return withLastAttempt(state, { review: event });
  const last = lastAttempt(state);
  const faultyReviews = [...(last?.faultyReviews ?? []), event];
  const isChanged = event.changed !== null && event.changed.length > 0;
  return withLastAttempt(state, {
    faultyReviews,
    treeReviewed: null,
    ...(isChanged && last && { checks: [], outdatedChecksMs: checksMs(last), candidate: null }),
  });
}

/** Profiles that a person names replace those with the same name. */
export function withVerifiers<S extends Settings>(
  settings: S,
  verifiers: readonly AgentProfile[] | undefined,
): S {
  if (!verifiers || !("verifiers" in settings)) return settings;
  const names = verifiers.map(({ name }) => name);
  const others = settings.agents.filter(({ name }) => !names.includes(name));
  const typed = (settings.callFlags ?? []).filter(({ flag }) => flag !== "--verifier");
  const callFlags = [...typed, { flag: "--verifier", values: [names.join(",")] }];
  return { ...settings, callFlags, verifiers: names, agents: [...others, ...verifiers] };
}

/** A person has dealt with the verifiers. */
export function withFaultsForgiven(state: RunState): RunState {
  return withLastAttempt(state, { faultsForgiven: lastAttempt(state)?.faultyReviews.length ?? 0 });
}

/** Includes steps that the run never reaches: an agent may have marked them as done, and the next run would believe it. */
export function withEdits(state: RunState, changed: readonly string[]): RunState {
  if (changed.length === 0) return state;
  const { stepsDir } = state.settings as StepsSettings;
  const names = new Set(
    changed.map((path) => (path.startsWith(stepsDir) ? path.slice(stepsDir.length + 1) : "")),
  );
  const isChanged = ({ step }: StepState): boolean => names.has(step.file);
  return { ...state, steps: state.steps.map((each) => (isChanged(each) ? { ...each, edited: true } : each)) };
}
