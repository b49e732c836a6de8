import { agentSettings } from "./agents.ts";
import type { ConfiguredSetting, Settings } from "./setting.ts";
import { SETTINGS, type ConfiguredName } from "./table.ts";

type Named = ConfiguredSetting & { readonly name: ConfiguredName };

/** Settings that the configuration has, in its order. */
function configuredIn(settings: Settings): readonly Named[] {
  return Object.entries(settings).flatMap(([name, setting]) =>
    setting.key === undefined ? [] : [{ name, ...setting } as Named],
  );
}

export const CONFIGURED = configuredIn(SETTINGS);
/** `profiles` follows these. */
export const BEFORE_PROFILES = configuredIn(agentSettings);
export const AFTER_PROFILES = CONFIGURED.slice(BEFORE_PROFILES.length);
