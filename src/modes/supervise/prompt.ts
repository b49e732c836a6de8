import type { SuperviseSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { fillTemplate } from "../../text/prompt-template.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { promptPartTexts } from "../words/prompt-parts.ts";

/** The prompt at the beginning of a turn. */
export function supervisePrompt(
  { maxLoops }: RunState,
  settings: SuperviseSettings,
  parts: { readonly attempt: number; readonly plan: string; readonly feedback: string },
): string {
  const texts = promptPartTexts[settings.lang];
  return fillTemplate<"supervise">(settings.prompt?.text ?? "", {
    task: settings.task,
    plan: parts.plan,
    plan_file: settings.planFile,
    feedback: parts.feedback === "" ? texts.firstAttempt : parts.feedback,
    tests: [
      ...settings.testFast.map((command) => `- ${texts.fast}: \`${command}\``),
      ...settings.testFull.map((command) => `- ${texts.full}: \`${command}\``),
    ].join("\n"),
    protocol: feedbackTexts[settings.lang].protocol("GA_STATUS", "GA_EVIDENCE").join("\n"),
    attempt: String(parts.attempt),
    max_attempts: String(maxLoops),
    cwd: settings.cwd,
  });
}
