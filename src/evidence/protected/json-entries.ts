import { repeatedKey } from "../../text/json/json-keys.ts";
import { isRecord } from "../../text/json/values.ts";
import type { EntryFormat } from "./entries.ts";
import { readJson, readJsonWithComments, writtenJson } from "../../text/read-json.ts";

/** Keys from the root; a star in the last one matches any text, as in names of packages. */
export type JsonSelector = readonly string[];

export function jsonFormat(
  selectors: readonly JsonSelector[],
  { comments, base }: { readonly comments: boolean; readonly base: string | null },
): EntryFormat {
  const read = (text: string): Readonly<Record<string, unknown>> | null => {
    const value = comments ? readJsonWithComments(text) : readJson(text);
    return isRecord(value) ? value : null;
  };
  // Readers may differ about duplicate keys. Duplicates of the base are accepted, and so is removing them.
  const maySayTwice = comments || (base !== null && saysTwice(base));
  return {
    entriesIn: (text) => {
      const value = maySayTwice || !saysTwice(text) ? read(text) : null;
      if (value === null) return null;
      const found = new Map<string, string>();
      for (const selector of selectors.flatMap((one) => matched(value, one))) {
        const entry = entryAt(value, selector);
        const line = entry === undefined ? "" : writtenJson(entry);
        if (line === null) return null;
        if (entry !== undefined) found.set(selector.join("."), line);
      }
      return found;
    },
    laidOver: (text, given) => {
      const own = read(text);
      const theirs = given === null ? {} : read(given);
      if (own === null || theirs === null) return null;
      const all = [own, theirs].flatMap((value) => selectors.flatMap((one) => matched(value, one)));
      const laid = all.reduce((now, selector) => withEntry(now, selector, entryAt(theirs, selector)), own);
      const line = writtenJson(laid, /\n([\t ]+)\S/.exec(text)?.[1] ?? "  ");
      return line === null ? null : `${line}\n`;
    },
  };
}

/** Always includes the entry itself. */
function matched(value: unknown, selector: JsonSelector): readonly JsonSelector[] {
  const [start = "", end] = (selector.at(-1) ?? "").split("*");
  const among = end === undefined ? null : entryAt(value, selector.slice(0, -1));
  if (!isRecord(among) || end === undefined) return [selector];
  const names = Object.keys(among).filter((name) => name.startsWith(start) && name.endsWith(end));
  return [
    selector,
    ...names.filter((name) => name !== selector.at(-1)).map((name) => [...selector.slice(0, -1), name]),
  ];
}

function saysTwice(text: string): boolean {
  return repeatedKey(text, { start: 0, end: text.length }) !== null;
}

function entryAt(value: unknown, [key, ...below]: JsonSelector): unknown {
  if (key === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, key) ? entryAt(value[key], below) : undefined;
}

/** Keeps the order of keys. */
function withEntry(
  value: Readonly<Record<string, unknown>>,
  [key = "", ...below]: JsonSelector,
  entry: unknown,
): Readonly<Record<string, unknown>> {
  const own = Object.hasOwn(value, key) ? value[key] : undefined;
  const inner = isRecord(own) ? own : null;
  const next = below.length === 0 ? entry : withEntry(inner ?? {}, below, entry);
  if (next !== undefined) return { ...value, [key]: next };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
