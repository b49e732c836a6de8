import type { Decision } from "../domain/decision.ts";
import { exitCodeOfEnd } from "../domain/end.ts";
import type { EndReason, FinalStatus } from "../domain/event.ts";

export function end(status: FinalStatus, reason: EndReason): Decision {
  return { do: "end", status, exitCode: exitCodeOfEnd(status, reason), reason };
}
