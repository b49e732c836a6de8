import { ROOM_SETTING_NAMES, type RoomSettings } from "../../core/evidence/settings.ts";
import { SETTING_NAMES, type Limits, type Settings } from "../../core/settings.ts";
import type { Config } from "../config/config.ts";
import { flagOf } from "./flags.ts";
import {
  SETTINGS,
  type AnyFlags,
  type ConfiguredName,
  type FlagName,
  type SettingName,
  type ValueOf,
} from "./table.ts";

export type Values = { readonly [N in SettingName]: ValueOf<N> };

/** Precedence: flags, then the configuration with its defaults. */
export function valuesOf(flags: AnyFlags, config: Config): Values {
  const values = Object.entries(SETTINGS).map(([name, setting]) => {
    const other = "key" in setting ? config[name as ConfiguredName].value : setting.default;
    return [name, flags[name as FlagName] ?? other];
  });
  return Object.fromEntries(values) as Values;
}

/** The source of the value: a flag or a key. */
export function sourceOf(name: ConfiguredName, flags: AnyFlags): string {
  return flags[name as FlagName] === undefined ? SETTINGS[name].key : flagOf(name as FlagName);
}

type SettingsOf<M extends Settings["mode"]> = Extract<Settings, { readonly mode: M }>;

/** The values that a run of a mode records under the same names. */
export function recordedValues<M extends Settings["mode"]>(
  values: Values,
  mode: M,
): Pick<Values, keyof Values & keyof SettingsOf<M>> {
  return named(values, SETTING_NAMES[mode]);
}

/** The same for the clean room. */
export function recordedRoomValues(values: Values): Pick<Values, keyof Values & keyof RoomSettings> {
  return named(values, ROOM_SETTING_NAMES);
}

function named<N extends keyof Values>(values: Values, names: readonly string[]): Pick<Values, N> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Pick<
    Values,
    N
  >;
}

/** Zero is no limit, except for waiting. */
export function limitsFrom({ maxCostUsd, maxTokens, maxTimeMs, maxWaitMs }: Values): Limits {
  return {
    costUsd: unlessNone(maxCostUsd),
    tokens: unlessNone(maxTokens),
    timeMs: unlessNone(maxTimeMs),
    waitMs: maxWaitMs,
  };
}

/** New limits from the flags of `resume` replace those from the start of the run. */
export function raisedLimits({ maxCostUsd, maxTokens, maxTimeMs, maxWaitMs }: AnyFlags, now: Limits): Limits {
  return {
    costUsd: maxCostUsd === undefined ? now.costUsd : unlessNone(maxCostUsd),
    tokens: maxTokens === undefined ? now.tokens : unlessNone(maxTokens),
    timeMs: maxTimeMs === undefined ? now.timeMs : unlessNone(maxTimeMs),
    waitMs: maxWaitMs ?? now.waitMs,
  };
}

function unlessNone(limit: number): number | null {
  return limit === 0 ? null : limit;
}
