import { DONE, TODO } from "../step.ts";
import type { Analysis } from "./analysis.ts";
import { splitLines } from "../text.ts";
import type { PlannedStep, Requirement } from "./requirements.ts";
import { slugOf } from "./step-names.ts";

const MAX_SUMMARY = 200;

/** What `analyze` writes. */
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

/** What is shown of the steps. An id that the document does not have says nothing. */
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

/** Some agents repeat the text behind the id. */
function idIn(text: string): string {
  return /^R\d+/i.exec(text)?.[0].toUpperCase() ?? "";
}
