import type { Decision } from "./decision.ts";
import { exitCodeOfEnd } from "./end.ts";
import type { EndReason, FinalStatus } from "./event.ts";

export function end(status: FinalStatus, reason: EndReason): Decision {
  return { do: "end", status, exitCode: exitCodeOfEnd(status, reason), reason };
}
