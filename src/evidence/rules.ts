import type { EvidenceRules } from "../core/mode.ts";
import { isHeld, withProtectedDecided, withRoomEvent } from "./fold.ts";
import { whyNoCheck } from "./legality-checks.ts";
import { whyNoRoomEvent } from "./legality.ts";
import { withoutMissing } from "./set-ups.ts";
import { verdictOn } from "./verdict-on.ts";

export const evidenceRules: EvidenceRules = {
  fold: withRoomEvent,
  whyImpossible: (state, event) =>
    event.type === "check_ended" ? whyNoCheck(state, event) : whyNoRoomEvent(state, event),
  verdict: verdictOn,
  isHeld,
  withAnswer: withProtectedDecided,
  afterResume: withoutMissing,
};
