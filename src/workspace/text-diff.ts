import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";
import { findTool } from "../files/tools.ts";

export interface TextPair {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Lines for people to read, none where nothing was changed; null where git cannot tell. */
export type TextDiff = readonly string[] | "binary" | null;

const WORDS = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
/** Every line may be twice as long as it was, if it was empty. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** What was changed in texts, as git tells it. All at once: to start git takes longer than to compare what people write. */
export function textDiffs(pairs: readonly TextPair[]): readonly TextDiff[] {
  const told = tryTell(pairs);
  return pairs.map((_, at) => (told === null ? null : (told.get(at) ?? [])));
}

function tryTell(pairs: readonly TextPair[]): ReadonlyMap<number, TextDiff> | null {
  try {
    const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "agent-foreman-diff-")));
    try {
      return tellIn(dir, pairs);
    } finally {
      fs.rmSync(dir, { recursive: true, force: true });
    }
  } catch {
    return null;
  }
}

function tellIn(dir: string, pairs: readonly TextPair[]): ReadonlyMap<number, TextDiff> | null {
  for (const side of ["before", "after"] as const) {
    fs.mkdirSync(join(dir, side));
    for (const [at, pair] of pairs.entries()) fs.writeFileSync(join(dir, side, String(at)), pair[side]);
  }
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: dir,
    LC_ALL: "C",
    // Whoever may write beside it could make a repository there, by whose attributes every text is binary.
    GIT_CEILING_DIRECTORIES: dirname(dir),
  };
  const words = [...WORDS, "before", "after"];
  const options = { cwd: dir, env, timeout: 10_000, maxBuffer: MAX_OUTPUT, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(findTool("git"), words, options);
  // 1: they differ.
  return status === 0 || status === 1 ? partsOf(stdout) : null;
}

/** By the number of the pair. No line of a text begins as git's own do: they have a sign before them. */
function partsOf(stdout: string): ReadonlyMap<number, TextDiff> {
  const parts = new Map<number, TextDiff>();
  let at = -1;
  let lines: string[] = [];
  for (const line of stdout.split("\n").slice(0, -1)) {
    const [, number] = /^diff --git a\/before\/(\d+) /.exec(line) ?? [];
    if (number !== undefined) {
      at = Number(number);
      lines = [];
      parts.set(at, lines);
    } else if (lines.length > 0 || line.startsWith("@@")) lines.push(line);
    else if (line.startsWith("Binary files ")) parts.set(at, "binary");
  }
  return parts;
}
