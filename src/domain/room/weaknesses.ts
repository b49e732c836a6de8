import type { RunState } from "../state.ts";
import { areTold } from "../tests/findings.ts";
import type { Weakness } from "./event.ts";

/** What makes the evidence of a run less sure than it could be: facts of the machine, and acceptances without the name of any test. */
export function weaknessesOf({ base, attempts }: RunState): readonly Weakness[] {
  const accepted = attempts.filter(
    ({ judged, checks }) => judged?.verdict === "accepted" && checks.length > 0,
  );
  const isUnseen = accepted.some(({ checks }) =>
    checks.every(({ room }) => room !== undefined && !(room.findings && areTold(room.findings))),
  );
  return [...(base?.taken.weak ?? []), ...(isUnseen ? (["tests_not_seen"] as const) : [])];
}
