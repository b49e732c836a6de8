import { DONE, TODO } from "../../core/step.ts";
import type { Analysis } from "./analysis.ts";
import { splitLines } from "../../text/text.ts";
import type { PlannedStep, Requirement } from "./requirements.ts";
import { slugOf } from "./step-names.ts";

const MAX_SUMMARY = 200;

export function stepFiles({ steps }: Analysis): { readonly name: string; readonly text: string }[] {
  return steps.map((step, index) => {
    const number = String(index + 1).padStart(3, "0");
    const content = {
      id: `step-${number}`,
      description: step.description,
      status: step.done ? DONE : TODO,
      verification: step.verification.map(({ type, description }) => ({ type, description })),
    };
    return { name: `${number}-${slugOf(step)}.json`, text: `${JSON.stringify(content, null, 2)}\n` };
  });
}

/** The steps as they are shown. Ids that the document does not have are ignored. */
export function plannedSteps(
  { steps }: Analysis,
  requirements: readonly Requirement[],
): readonly PlannedStep[] {
  const known = new Set(requirements.map(({ id }) => id));
  return steps.map(({ description, done, covers }) => ({
    summary: Array.from(splitLines(description)[0] ?? "")
      .slice(0, MAX_SUMMARY)
      .join(""),
    done,
    covers: covers && [...new Set(covers.map(idIn))].filter((id) => known.has(id)),
  }));
}

/** Some agents repeat the text of the requirement behind its id. */
function idIn(text: string): string {
  return /^R\d+/i.exec(text)?.[0].toUpperCase() ?? "";
}
