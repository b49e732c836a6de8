import { globMatcher } from "../board/globs.ts";
import { isRecord, isText } from "../steps/values.ts";
import type { EntryFormat } from "./entries.ts";
import { readJson } from "./read-json.ts";

const KEY = "workspaces";
const MAX_PATTERNS = 500;

/**
 * Where commands go through the packages of a workspace, what package.json says they are: none that the base names may go, and none
 * may be left out. Others may come.
 */
export function withWorkspaces(format: EntryFormat, base: string | null): EntryFormat {
  const own = patternsIn(base ?? "");
  const named = own.filter((pattern) => !isLeftOut(pattern));
  if (named.length === 0) return format;
  return {
    entriesIn: (text) => {
      const entries = format.entriesIn(text);
      if (entries === null) return null;
      const patterns = patternsIn(text);
      const isCovered = globMatcher(patterns.filter((one) => !isLeftOut(one)).map((one) => `./${one}`));
      const kept = named.filter((pattern) => patterns.includes(pattern) || isCovered(pattern));
      const out = patterns.filter((pattern) => isLeftOut(pattern) && !own.includes(pattern));
      return new Map([...entries, [KEY, JSON.stringify([kept, out])]]);
    },
    laidOver: (text, given) => {
      const laid = format.laidOver(text, given);
      const value = laid === null ? null : readJson(laid);
      const theirs = readJson(given ?? "");
      if (!isRecord(value) || !isRecord(theirs)) return laid;
      return `${JSON.stringify({ ...value, [KEY]: theirs[KEY] }, null, 2)}\n`;
    },
  };
}

function isLeftOut(pattern: string): boolean {
  return pattern.startsWith("!");
}

/** A list, or a record that holds one. */
function patternsIn(text: string): string[] {
  const value = readJson(text);
  const said = isRecord(value) ? value[KEY] : null;
  const list = isRecord(said) ? said["packages"] : said;
  if (!Array.isArray(list)) return [];
  return list
    .filter(isText)
    .slice(0, MAX_PATTERNS)
    .map((pattern) => pattern.replace(/^(!?)\.\//, "$1").replace(/\/+$/, ""));
}
