import { CONFIGURED } from "../settings/configured.ts";
import type { Config, Origin } from "./config.ts";

const origin: Origin = { kind: "default" };

export const DEFAULTS = {
  ...Object.fromEntries(CONFIGURED.map((setting) => [setting.name, { value: setting.default, origin }])),
  files: [],
  profiles: new Map(),
  secrets: [],
} as unknown as Config;
