import { readClaim, type Claim } from "../domain/protocol/claim.ts";
import { StreamScanner } from "../domain/protocol/scanner.ts";
import type { SuperviseSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { supervisePrompt } from "../reports/prompt.ts";
import { previousFeedback } from "./feedback.ts";
import type { Assignment } from "./assignment.ts";
import type { RunContext } from "./ports.ts";
import { keptInput } from "./turn-files.ts";

export function superviseAssignment(
  attempt: number,
  state: RunState,
  settings: SuperviseSettings,
  context: RunContext,
): Assignment {
  const prompt = supervisePrompt(state, settings, {
    attempt,
    plan: "sha256" in settings.plan ? keptInput(context, settings.plan) : "",
    feedback: previousFeedback(state),
  });
  return {
    prompt,
    tools: "all",
    env: superviseEnvironment(attempt, state, settings, context),
    answers: (finalText) => claimIn(finalText, prompt).status !== null,
    conclude: (finalText, ended) => ({
      type: "turn_ended",
      ...ended,
      claim: claimIn(finalText, prompt),
      product: null,
    }),
  };
}

/** Markers count in the agent's own final message alone; what it was told is no claim of its own there either. */
function claimIn(finalText: string, prompt: string): Claim {
  const scanner = new StreamScanner({ instructions: [prompt] });
  scanner.push(Buffer.from(finalText), 0);
  return readClaim(scanner.end(), new StreamScanner({ instructions: [] }).end(), () => undefined);
}

export function superviseEnvironment(
  attempt: number,
  { maxLoops }: RunState,
  { task, planFile, cwd }: SuperviseSettings,
  { files }: RunContext,
): Record<string, string> {
  return {
    GA_TASK: task,
    GA_PLAN_FILE: planFile,
    GA_LOOP_INDEX: String(attempt),
    GA_MAX_LOOPS: String(maxLoops),
    GA_WORKDIR: cwd,
    ...files.environment(attempt),
  };
}
