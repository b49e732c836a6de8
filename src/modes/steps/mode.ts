import type { AnalyzeSettings, StepsSettings } from "../../core/settings.ts";
import type { Mode } from "../mode.ts";
import { analyzeRules } from "./analyze-rules.ts";
import { analyzeView } from "./analyze-view.ts";
import { analyzeWork } from "./analyze-work.ts";
import { stepsRules } from "./rules.ts";
import { stepsView } from "./view.ts";
import { stepsWork } from "./work.ts";

/** Derives steps from a requirements document. */
export const analyze: Mode<AnalyzeSettings> = { rules: analyzeRules, work: analyzeWork, view: analyzeView };
/** Takes the steps one at a time. */
export const steps: Mode<StepsSettings> = { rules: stepsRules, work: stepsWork, view: stepsView };
