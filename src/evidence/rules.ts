import type { EvidenceRules } from "../core/mode.ts";
import { isHeld, withEvidence, withProtectedDecided } from "./fold.ts";
import { whyNoEvidence } from "./legality.ts";
import { withoutMissing } from "./set-ups.ts";
import { verdictOn } from "./verdict-on.ts";

export const evidenceRules: EvidenceRules = {
  fold: withEvidence,
  whyImpossible: whyNoEvidence,
  verdict: verdictOn,
  isHeld,
  withAnswer: withProtectedDecided,
  afterResume: withoutMissing,
};
