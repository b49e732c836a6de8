import { readClaim, type Claim } from "../../core/claim/claim.ts";
import { StreamScanner } from "../../core/claim/scanner.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeSuperviseFeedback } from "./feedback.ts";
import type { Assignment } from "../../engine/assignment.ts";
import type { RunContext } from "../../engine/ports.ts";
import { keptInput } from "../../engine/turn-files.ts";
import { fillTemplate } from "../../text/prompt-template.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { sharedPromptTexts } from "../words/prompt-parts.ts";
import { superviseWords } from "./words/supervise-words.ts";

export function superviseAssignment(
  attempt: number,
  state: RunState,
  settings: SuperviseSettings,
  context: RunContext,
): Assignment {
  const prompt = supervisePrompt(state, settings, {
    attempt,
    plan: "sha256" in settings.plan ? keptInput(context, settings.plan) : "",
    feedback: previousFeedback(state, writeSuperviseFeedback),
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

/** Markers count only in the agent's own final message. An echo of its prompt there is not a claim. */
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
    ...files.environment?.(attempt),
  };
}

function supervisePrompt(
  { maxLoops }: RunState,
  settings: SuperviseSettings,
  parts: { readonly attempt: number; readonly plan: string; readonly feedback: string },
): string {
  const { firstAttempt } = sharedPromptTexts[settings.lang];
  const words = superviseWords[settings.lang];
  return fillTemplate<"supervise">(settings.prompt?.text ?? "", {
    task: settings.task,
    plan: parts.plan,
    plan_file: settings.planFile,
    feedback: parts.feedback === "" ? firstAttempt : parts.feedback,
    tests: [
      ...settings.testFast.map((command) => `- ${words.fast}: \`${command}\``),
      ...settings.testFull.map((command) => `- ${words.full}: \`${command}\``),
    ].join("\n"),
    protocol: feedbackTexts[settings.lang].protocol("GA_STATUS", "GA_EVIDENCE").join("\n"),
    attempt: String(parts.attempt),
    max_attempts: String(maxLoops),
    cwd: settings.cwd,
  });
}
