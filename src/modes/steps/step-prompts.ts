import { fillTemplate } from "../../text/prompt-template.ts";
import type { CheckEnded } from "../../core/event.ts";
import type { AnalyzeSettings, StepsSettings } from "../../core/settings.ts";
import type { StepState } from "../../core/state.ts";
import type { VerificationItem } from "../../core/step.ts";
import { requirementsIn } from "./requirements.ts";
import { sharedPromptTexts } from "../words/prompt-parts.ts";
import { stepWords } from "./words/step-words.ts";

/** The prompt for the worker of a step. */
export function implementPrompt(
  settings: StepsSettings,
  current: StepState,
  parts: { readonly attempt: number; readonly maxAttempts: number; readonly feedback: string },
): string {
  const words = stepWords[settings.lang];
  const { step, unitTest } = current;
  return fillTemplate<"implement">(settings.prompts.implement.text, {
    ...aboutStep(current, settings),
    unit_test: unitTest ? words.unitTestGiven(unitTest.command) : words.unitTestWanted,
    feedback: parts.feedback,
    attempt: String(parts.attempt),
    max_attempts: String(parts.maxAttempts),
    protocol: words.implementProtocol(step.unitTest === null).join("\n"),
  });
}

/** The prompt for the reviewer of a step. It contains neither the worker's name nor its words. */
export function verifyPrompt(settings: StepsSettings, current: StepState, check: CheckEnded | null): string {
  const words = stepWords[settings.lang];
  return fillTemplate<"verify">(settings.prompts.verify.text, {
    ...aboutStep(current, settings),
    unit_test: check ? words.unitTestPassed(check.process.command) : words.noUnitTest,
    protocol: words.verifyProtocol(itemsToVerify(current, settings).length).join("\n"),
  });
}

export function analyzePrompt(
  settings: AnalyzeSettings,
  parts: { readonly requirements: string; readonly feedback: string },
): string {
  const { firstAttempt } = sharedPromptTexts[settings.lang];
  return fillTemplate<"analyze">(settings.prompts.analyze.text, {
    requirements: parts.requirements,
    requirements_file: settings.requirements.path,
    feedback: parts.feedback === "" ? firstAttempt : parts.feedback,
    cwd: settings.cwd,
    protocol: stepWords[settings.lang].analyzeProtocol(requirementsIn(parts.requirements)).join("\n"),
  });
}

/** A step without a list is verified as a whole. */
export function itemsToVerify(
  { step }: StepState,
  { lang }: Pick<StepsSettings, "lang">,
): readonly VerificationItem[] {
  if (step.verification.length > 0) return step.verification;
  return [{ type: "manual", description: stepWords[lang].asDescribed }];
}

function aboutStep(current: StepState, settings: StepsSettings) {
  const { step } = current;
  return {
    id: step.id,
    file: step.file,
    description: step.description,
    verification: itemsToVerify(current, settings)
      .map(({ type, description }, index) => `${index + 1}. [${type}] ${description}`)
      .join("\n"),
    cwd: settings.cwd,
  };
}
