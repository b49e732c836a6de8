import type { RunState } from "../core/state.ts";
import { reportsTests } from "../core/evidence/findings.ts";
import type { Weakness } from "../core/evidence/event.ts";

/** Weak points of a run's evidence: facts about the machine, and acceptances without the name of any test. */
export function weaknessesOf({ base, attempts }: RunState): readonly Weakness[] {
  const accepted = attempts.filter(
    ({ judged, checks }) => judged?.verdict === "accepted" && checks.length > 0,
  );
  const isUnseen = accepted.some(({ checks }) =>
    checks.every(({ room }) => room !== undefined && !(room.findings && reportsTests(room.findings))),
  );
  return [...(base?.taken.weak ?? []), ...(isUnseen ? (["tests_not_seen"] as const) : [])];
}
