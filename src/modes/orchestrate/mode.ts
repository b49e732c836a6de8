import type { OrchestrateSettings } from "../../core/settings.ts";
import type { Mode } from "../mode.ts";
import { orchestrateRules } from "./rules.ts";
import { orchestrateView } from "./view.ts";
import { orchestrateWork } from "./work.ts";

export const orchestrate: Mode<OrchestrateSettings> = {
  rules: orchestrateRules,
  work: orchestrateWork,
  view: orchestrateView,
};
