import type { Entries, EntryFormat } from "./entries.ts";
import { scanToml, type TomlStatement } from "../../text/toml.ts";

/** Names from the root; a trailing star matches any name with that prefix. */
export type TomlSelector = readonly string[];

export function tomlFormat(selectors: readonly TomlSelector[]): EntryFormat {
  return {
    entriesIn: (text) => {
      const statements = scanToml(text);
      return statements && entriesOf(statements, selectors);
    },
    laidOver: (text, base) => laidOver(text, base, selectors),
  };
}

function entriesOf(statements: readonly TomlStatement[], selectors: readonly TomlSelector[]): Entries {
  const lines = new Map<string, string[]>();
  for (const statement of statements) {
    const entry = entryOf(statement, selectors);
    // An empty table means nothing, except in a list of tables.
    if (entry === null || statement.kind === "table") continue;
    const line = `${statement.path.map((key) => JSON.stringify(key)).join(".")}#${statement.ordinal}=${statement.value}`;
    const found = lines.get(entry);
    if (found === undefined) lines.set(entry, [line]);
    else found.push(line);
  }
  return new Map([...lines].map(([entry, found]) => [entry, found.sort().join("\n")]));
}

/** The entry that a statement belongs to. */
function entryOf({ kind, path }: TomlStatement, selectors: readonly TomlSelector[]): string | null {
  for (const selector of selectors) {
    const depth = Math.min(path.length, selector.length);
    // An inline table may contain anything below its key.
    if (depth < selector.length && kind !== "value") continue;
    if (path.slice(0, depth).every((key, at) => isMeant(selector[at] ?? "", key)))
      return path.slice(0, depth).join(".");
  }
  return null;
}

function isMeant(name: string, key: string): boolean {
  return name.endsWith("*") ? key.startsWith(name.slice(0, -1)) : key === name;
}

function laidOver(text: string, base: string | null, selectors: readonly TomlSelector[]): string | null {
  const own = scanToml(text);
  const theirs = base === null ? [] : scanToml(base);
  if (own === null || theirs === null) return null;
  const isProtected = (statement: TomlStatement): boolean => entryOf(statement, selectors) !== null;
  const { inPlace, whole } = parted(theirs, base ?? "", isProtected);
  const parts: string[] = [...(inPlace.get("[]") ?? [])];
  inPlace.delete("[]");
  let at = 0;
  for (const statement of own) {
    parts.push(text.slice(at, statement.start));
    at = statement.end;
    if (isProtected(statement)) continue;
    parts.push(lineOf(text, statement));
    const key = JSON.stringify(statement.path);
    parts.push(...(inPlace.get(key) ?? []));
    inPlace.delete(key);
  }
  parts.push(withLineEnd(text.slice(at)), ...whole);
  for (const [key, lines] of inPlace) {
    const table = (JSON.parse(key) as string[]).map((name) => JSON.stringify(name)).join(".");
    parts.push(`[${table}]\n`, ...lines);
  }
  return parts.join("");
}

/** The base's lines: by table if only part of a table is protected, all others unchanged. */
function parted(
  statements: readonly TomlStatement[],
  text: string,
  isProtected: (statement: TomlStatement) => boolean,
): { readonly inPlace: Map<string, string[]>; readonly whole: readonly string[] } {
  const inPlace = new Map<string, string[]>();
  const whole: string[] = [];
  let inProtected = false;
  for (const statement of statements) {
    const isOurs = isProtected(statement);
    if (statement.kind !== "value") inProtected = isOurs;
    if (!isOurs) continue;
    const line = lineOf(text, statement);
    if (inProtected) whole.push(line);
    else {
      const key = JSON.stringify(statement.table);
      const before = inPlace.get(key);
      if (before === undefined) inPlace.set(key, [line]);
      else before.push(line);
    }
  }
  return { inPlace, whole };
}

function lineOf(text: string, { start, end }: TomlStatement): string {
  return withLineEnd(text.slice(start, end));
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
