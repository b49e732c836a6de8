import type { StepsWritten } from "../event.ts";
import type { Requirement } from "./requirements.ts";

export interface Covered {
  readonly requirement: Requirement;
  /** Files of steps; null: none of those that the agent spoke about, but it said nothing about some. */
  readonly by: readonly string[] | null;
}

/** Which steps cover each requirement, by the agent's word. */
export function coverageOf({ files, steps, requirements }: StepsWritten): readonly Covered[] {
  const isStated = steps.every(({ covers }) => covers !== null);
  return requirements.map((requirement) => {
    const by = files.filter((_, index) => steps[index]?.covers?.includes(requirement.id) === true);
    return { requirement, by: by.length > 0 || isStated ? by : null };
  });
}
