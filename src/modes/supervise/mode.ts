import type { SuperviseSettings } from "../../core/settings.ts";
import type { Mode } from "../mode.ts";
import { superviseRules } from "./rules.ts";
import { superviseView } from "./view.ts";
import { superviseWork } from "./work.ts";

export const supervise: Mode<SuperviseSettings> = {
  rules: superviseRules,
  work: superviseWork,
  view: superviseView,
};
