import type { Lang } from "../../core/settings.ts";
import type { ConfigTexts } from "../words/config.ts";
import type { ValueType } from "./value-types.ts";

/** Help of a flag. `{verb}` is replaced by the name of the command. */
type Help = Readonly<Record<Lang, string>>;

interface FlagDefinition {
  /** As in the help: `--max-loops <n>`. */
  readonly flag: string;
  readonly help: Help;
  /** The other flag that excludes this one, by its setting. */
  readonly excludes?: string;
  /** Differences of single commands from the above. */
  readonly of?: Readonly<
    Record<string, { readonly flag?: string; readonly help?: Help; readonly default?: string }>
  >;
  /** The flag has no effect if checks run in the work tree. */
  readonly needsRoom?: true;
  /** The flag has no effect in `chat` without reviews, or while the agent owns the terminal. */
  readonly inChatNeeds?: "--supervisor" | "--print";
}

interface KeyDefinition {
  /** Of the JSON schema. */
  readonly about: string;
  /** Shown in place of null, zero and empty lists. */
  readonly empty?: keyof ConfigTexts["special"];
  /** Environment variable with a list of names, which has precedence over the files. */
  readonly variable?: string;
}

/** A setting of a run: where its value comes from, what it may be, and how it is described. */
export interface Setting<T = unknown, D = unknown> extends Partial<FlagDefinition>, Partial<KeyDefinition> {
  readonly type: ValueType<T>;
  /** Key of the configuration: `limits.max_loops`. */
  readonly key?: string;
  readonly default?: D;
}

export type Settings = Readonly<Record<string, Setting>>;
export type ConfiguredSetting<T = unknown, D = unknown> = Setting<T, D> &
  KeyDefinition & { readonly key: string; readonly default: D };
type FlagSetting<T, D> = Setting<T, D> & FlagDefinition;

/** A setting with a key in the configuration, and a flag if it has one. */
export function configured<T, const D extends T | null>(
  key: string,
  definition: { readonly type: ValueType<T>; readonly default: D } & KeyDefinition &
    (FlagDefinition | { readonly flag?: never }),
): ConfiguredSetting<T, D> {
  return { key, ...definition };
}

/** A setting of one command line. */
export function flagOnly<T, const D extends T | undefined = undefined>(
  flag: string,
  definition: { readonly type: ValueType<T>; readonly default?: D } & Omit<FlagDefinition, "flag">,
): FlagSetting<T, D> {
  return { flag, ...definition };
}
