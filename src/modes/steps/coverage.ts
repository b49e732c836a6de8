import type { StepsWritten } from "../../core/event.ts";
import type { Requirement } from "./requirements.ts";

export interface Covered {
  readonly requirement: Requirement;
  /** Files of steps; null: no step with a statement covers it, but some steps have no statement. */
  readonly by: readonly string[] | null;
}

/** The steps that cover each requirement, as the agent claims. */
export function coverageOf({ files, steps, requirements }: StepsWritten): readonly Covered[] {
  const isStated = steps.every(({ covers }) => covers !== null);
  return requirements.map((requirement) => {
    const by = files.filter((_, index) => steps[index]?.covers?.includes(requirement.id) === true);
    return { requirement, by: by.length > 0 || isStated ? by : null };
  });
}
