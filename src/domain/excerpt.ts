import { splitLines, visible } from "./text.ts";

/** A line of output, or how many lines (null: unknown many) were left out at this place. */
export type ExcerptLine = { readonly text: string } | { readonly leftOut: number | null };

export interface ExcerptLimits {
  readonly tailLines: number;
  readonly errorLines: number;
  readonly bytes: number;
}

const MAX_LINE = 300;
const CONTEXT_AFTER = 4;
const TELLING =
  /\b(?:errors?|fail(?:ed|ures?|ing|s)?|fatal|panic(?:ked)?|exception|traceback|assert\w*|expected|received|cannot|undefined|unexpected|not ok|not found|denied|refused|timed? ?out|segmentation)\b|[✗✕✖×❌]|错误|失败|^E\s{2,}/i;
const HARMLESS = /\b(?:0|no) (?:errors?|failures?|failed|failing|warnings?)\b|\bfail(?:ed|ures?)?:? 0\b/i;

/**
 * The telling part of a command's output: the first lines that look like errors, with what follows them, and the end, where
 * runners sum up. Without a `tail` the head is all there is; with one, the middle was not read.
 */
export function excerpt(
  parts: { readonly head: string; readonly tail: string | null },
  limits: ExcerptLimits,
): ExcerptLine[] {
  const head = splitLines(parts.head).map((line) => shorten(visible(line)));
  const tail = parts.tail === null ? [] : splitLines(parts.tail).map((line) => shorten(visible(line)));
  const lines = [...head, ...tail];
  const gapAt = parts.tail === null ? -1 : head.length;
  const chosen = choose(lines, limits);
  return assemble(lines, chosen, gapAt);
}

function choose(lines: readonly string[], limits: ExcerptLimits): ReadonlySet<number> {
  const chosen = new Set<number>();
  let bytes = 0;
  const take = (index: number): boolean => {
    const line = lines[index];
    if (line === undefined || chosen.has(index)) return true;
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > limits.bytes) return false;
    chosen.add(index);
    bytes += size;
    return true;
  };
  let errors = 0;
  for (const [index, line] of lines.entries()) {
    if (errors >= limits.errorLines || bytes > limits.bytes / 2) break;
    if (!TELLING.test(line) || HARMLESS.test(line)) continue;
    for (let near = Math.max(0, index - 1); near <= index + CONTEXT_AFTER; near++) take(near);
    errors += 1;
  }
  for (let index = lines.length - 1; index >= lines.length - limits.tailLines && index >= 0; index--) {
    if (!take(index)) break;
  }
  return chosen;
}

function assemble(lines: readonly string[], chosen: ReadonlySet<number>, gapAt: number): ExcerptLine[] {
  const result: ExcerptLine[] = [];
  let skipped = 0;
  let overGap = false;
  const closeGap = (): void => {
    if (skipped > 0 || overGap) result.push({ leftOut: overGap ? null : skipped });
    skipped = 0;
    overGap = false;
  };
  for (const [index, text] of lines.entries()) {
    if (index === gapAt) overGap = true;
    if (chosen.has(index)) {
      closeGap();
      result.push({ text });
    } else skipped += 1;
  }
  closeGap();
  return result;
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE) return line;
  // Not between the halves of a character.
  const end = /[\ud800-\udbff]/.test(line.charAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE;
  return `${line.slice(0, end)} ...`;
}
