import { DONE, TODO } from "../step.ts";
import type { Analysis } from "./analysis.ts";
import { slugOf } from "./step-names.ts";

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
