import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { ZodMiniType } from "zod/mini";
import type { Lang } from "../../core/settings.ts";
import type { valueSchemas } from "../config/value-schemas.ts";
import { formatDuration, parseDuration } from "../config/duration.ts";
import { flagValueTexts } from "../words/flag-values.ts";

/** Passed in, so that zod is loaded only if there is a configuration file. */
type FileSchemas = typeof valueSchemas;

/** How a kind of value is read from a flag and from a file, and how it is shown. */
export interface ValueType<T> {
  readonly choices?: readonly string[];
  /** The value is the name of an agent or file that has to exist. */
  readonly refersTo?: "agent" | "file";
  /** Absent: commander's own value, which is a text, a list of texts, or a boolean. */
  fromFlag?(given: string, lang: Lang, earlier: T | undefined): T;
  /** As given to the flag, for defaults in the help. */
  asFlag?(value: T): string;
  schema(schemas: FileSchemas): ZodMiniType;
  /** `dir`: the folder of the file. Absent: the value as written. */
  fromFile?(written: unknown, dir: string): T;
  /** As in the file. A list becomes one row for each item. */
  show(value: T): string | readonly string[];
  /** Absent: the value itself. */
  toJson?(value: T): unknown;
}

export const text: ValueType<string> = {
  schema: ({ filledText }) => filledText,
  show: (value) => value,
};

/** In a file `true` or `false`; as a flag without a value. */
export const yesNo: ValueType<boolean> = { schema: ({ yesOrNo }) => yesOrNo, show: String };

export function choice<const Choices extends readonly string[]>(
  choices: Choices,
): ValueType<Choices[number]> {
  return { choices, schema: ({ oneOf }) => oneOf(choices), show: (value) => value };
}

function wholeFromFlag(given: string, lang: Lang, min: number, max: number): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < min || value > max)
    throw new InvalidArgumentError(flagValueTexts[lang].notInRange(given, min, max));
  return value;
}

export function whole(min: number, max: number): ValueType<number> {
  return {
    fromFlag: (given, lang) => wholeFromFlag(given, lang, min, max),
    schema: (schemas) => schemas.whole(min, max),
    show: String,
  };
}

export const dollars: ValueType<number> = {
  fromFlag(given, lang) {
    const value = Number(given);
    if (!/^\d*\.?\d+$/.test(given) || !Number.isFinite(value))
      throw new InvalidArgumentError(flagValueTexts[lang].notAnAmount(given));
    return value;
  },
  schema: ({ amount }) => amount,
  show: String,
};

/** In milliseconds. JSON shows seconds. */
export const duration: ValueType<number> = {
  fromFlag(given, lang) {
    const ms = parseDuration(given);
    if (ms === undefined) throw new InvalidArgumentError(flagValueTexts[lang].notADuration(given));
    return ms;
  },
  schema: (schemas) => schemas.duration,
  fromFile: (written) => parseDuration(String(written)) ?? 0,
  show: formatDuration,
  toJson: (ms) => ms / 1000,
};

/** The longest delay of a Node timer, in seconds. */
const MAX_TIMEOUT_SEC = 2_147_483;

/** A duration whose flag takes whole seconds. */
export const timeout: ValueType<number> = {
  ...duration,
  fromFlag: (given, lang) => wholeFromFlag(given, lang, 0, MAX_TIMEOUT_SEC) * 1000,
  asFlag: (ms) => String(ms / 1000),
};

const MIB = 1024 * 1024;

/** In bytes. The flag takes MiB. */
export const mebibytes: ValueType<number> = {
  ...whole(1, 1_000_000),
  fromFlag: (given, lang) => wholeFromFlag(given, lang, 1, 1_000_000) * MIB,
  asFlag: (bytes) => String(bytes / MIB),
};

const list = { show: (value: readonly string[]) => value };

/** Values of a repeated flag. `<command...>` would split an unquoted `npm test` into two commands. */
export const repeated: ValueType<readonly string[]> = {
  ...list,
  fromFlag: (given, _, earlier = []) => [...earlier, given],
  schema: ({ commands }) => commands,
};

/** In a file one command or a list of them. */
export const commands: ValueType<readonly string[]> = {
  ...repeated,
  fromFile: (written) => [written].flat() as string[],
};

export const patterns: ValueType<readonly string[]> = { ...list, schema: ({ texts }) => texts };

export const variables: ValueType<readonly string[]> = { ...list, schema: (schemas) => schemas.variables };

/** Names of agents or profiles; as a flag separated by commas. */
export const agentNames: ValueType<readonly string[]> = {
  refersTo: "agent",
  fromFlag: namesIn,
  schema: ({ names }) => names,
  show: (value) => value.join(", "),
};

/** The name of an agent or profile. */
export const agentName: ValueType<string> = {
  refersTo: "agent",
  schema: ({ name }) => name,
  show: (value) => value,
};

export const marker: ValueType<string> = {
  schema: (schemas) => schemas.marker,
  fromFile: (written) => String(written).trim(),
  show: (value) => value,
};

/** A file, relative to the configuration file. */
export const file: ValueType<string> = {
  ...text,
  refersTo: "file",
  fromFile: (written, dir) => resolve(dir, String(written)),
};

/** Splits a list such as `claude,codex`. */
export function namesIn(given: string): readonly string[] {
  return given
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
