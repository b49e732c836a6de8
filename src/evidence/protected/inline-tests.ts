import type { Entries, EntryFormat } from "./entries.ts";
import { isTestPath } from "./test-paths.ts";
import { extensionOf, nameOf } from "../../text/paths.ts";

/** The places of tests in a production file: [start, end) of each part. */
type Parts = readonly (readonly [number, number])[];

interface Language {
  readonly partsIn: (text: string) => Parts;
  /** Finds a function with its attributes; the name is the first group. */
  readonly functions: RegExp;
}

const RUST: Language = {
  partsIn: rustParts,
  functions: /^[ \t]*(?:#\[[^\n]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/gm,
};
const C: Language = { partsIn: cParts, functions: /^\w[\w \t*]*?(\w+)\s*\([^;{]*\)\s*\{/gm };

const LANGUAGES = new Map<string, Language>([
  [".rs", RUST],
  ...[".c", ".h", ".cc", ".cpp"].map((extension) => [extension, C] as const),
]);

export function mayHaveInlineTests(path: string): boolean {
  return languageOf(path) !== undefined;
}

function languageOf(path: string): Language | undefined {
  return isTestPath(path) ? undefined : LANGUAGES.get(extensionOf(nameOf(path)));
}

/** Compares a production file by its inline tests. Null: it has none, or the whole file is a test. */
export function inlineTests(path: string, original: string | null): EntryFormat | null {
  const language = languageOf(path);
  if (!language || original === null || language.partsIn(original).length === 0) return null;
  return {
    entriesIn: (text) => entriesIn(text, language),
    // The order of these items does not matter to the compilers.
    laidOver: (text, base) =>
      [textWithout(text, language), ...testsIn(base ?? "", language)]
        .map((part) => part.trimEnd())
        .join("\n\n") + "\n",
  };
}

function testsIn(text: string, { partsIn }: Language): string[] {
  return partsIn(text).map(([start, end]) => text.slice(start, end));
}

function textWithout(text: string, { partsIn }: Language): string {
  const parts = partsIn(text);
  const starts = [0, ...parts.map(([, end]) => end)];
  return starts.map((start, at) => text.slice(start, parts[at]?.[0])).join("");
}

/** By function. The text before the first one is an entry, too. */
function entriesIn(text: string, language: Language): Entries {
  const entries = new Map<string, string>();
  const add = (name: string, part: string): void => {
    const content = part.trim();
    if (content !== "") entries.set(name, `${entries.get(name) ?? ""}${content}\n`);
  };
  for (const part of testsIn(text, language)) {
    // The closing lines belong to no function: a function added before them would otherwise change the one above.
    const inner = part.replace(/\s*(?:\}|#endif[^\n]*)\s*$/, "");
    const found = [...inner.matchAll(language.functions)];
    add(inner.slice(0, inner.indexOf("\n")).trim(), inner.slice(0, found[0]?.index));
    for (const [at, match] of found.entries())
      add(match[1] ?? "", inner.slice(match.index, found[at + 1]?.index));
  }
  return entries;
}

const RUST_TESTS = /^#\[cfg\((?:test|all\(test\b[^\n]*\))\)\]/gm;
/** Skips comments and literals, because braces in them do not count. */
const RUST_TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\br(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^'\\\n])'|[{};[\]]/g;

function rustParts(text: string): Parts {
  const parts: [number, number][] = [];
  for (const { index } of text.matchAll(RUST_TESTS)) {
    if (index >= (parts.at(-1)?.[1] ?? 0)) parts.push([index, endOfItem(text, index)]);
  }
  return parts;
}

function endOfItem(text: string, start: number): number {
  const tokens = new RegExp(RUST_TOKEN);
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [sign] = token;
    if (sign === "{" || sign === "[") depth += 1;
    if (sign === "}" || sign === "]") depth -= 1;
    if (depth === 0 && (sign === "}" || sign === ";")) return tokens.lastIndex;
  }
  return text.length;
}

const C_TESTS = /^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined\b[ \t(]*)\w*TEST\w*/i;

/** Outermost blocks that are compiled for tests only and contain a program. */
function cParts(text: string): Parts {
  const parts: [number, number][] = [];
  let [depth, start, at] = [0, 0, 0];
  let hasElse = false;
  for (const line of text.split("\n")) {
    const end = at + line.length + 1;
    if (depth > 0) {
      if (/^[ \t]*#[ \t]*if/.test(line)) depth += 1;
      if (/^[ \t]*#[ \t]*endif/.test(line)) depth -= 1;
      // The part between #else and #endif is the product.
      if (depth === 1 && /^[ \t]*#[ \t]*el/.test(line)) hasElse = true;
      if (depth === 0 && !hasElse && /\bmain[ \t]*\(/.test(text.slice(start, at))) parts.push([start, end]);
    } else if (C_TESTS.test(line)) {
      [depth, start, hasElse] = [1, at, false];
    }
    at = end;
  }
  return parts;
}
