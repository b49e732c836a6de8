import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findTool } from "../files/tools.ts";
import type { Entry } from "./base/read-entry.ts";

/** Null: there is none. */
export interface EntryPair {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

const WORDS = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
/** Every line may be twice as long as it was, if it was empty. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * A diff of all pairs, in which each goes by its number: `before/<n>`, `after/<n>`. So no name can choose attributes, and no
 * configuration of a repository counts. All at once: to start git takes longer than to compare what people write. Null where git cannot tell.
 */
export function diffEntries(pairs: readonly EntryPair[], more: readonly string[]): Buffer | null {
  try {
    const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "agent-foreman-diff-")));
    try {
      return diffIn(dir, pairs, more);
    } finally {
      fs.rmSync(dir, { recursive: true, force: true });
    }
  } catch {
    return null;
  }
}

function diffIn(dir: string, pairs: readonly EntryPair[], more: readonly string[]): Buffer | null {
  for (const side of ["before", "after"] as const) {
    fs.mkdirSync(join(dir, side));
    for (const [at, pair] of pairs.entries()) if (pair[side]) put(join(dir, side, String(at)), pair[side]);
  }
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: dir,
    LC_ALL: "C",
    // Another user of the temporary folder could create a repository there whose attributes make every text binary.
    GIT_CEILING_DIRECTORIES: dirname(dir),
  };
  const words = [...WORDS, ...more, "before", "after"];
  const options = { cwd: dir, env, timeout: 10_000, maxBuffer: MAX_OUTPUT } as const;
  const { status, stdout } = spawnSync(findTool("git"), words, options);
  // 1: they differ.
  return status === 0 || status === 1 ? stdout : null;
}

function put(place: string, { kind, bytes }: Entry): void {
  if (kind === "link") fs.symlinkSync(bytes, place);
  else fs.writeFileSync(place, bytes, { mode: kind === "program" ? 0o755 : 0o644 });
}
