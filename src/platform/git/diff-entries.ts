import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findTool } from "../files/tools.ts";
import type { Entry } from "./read-entry.ts";

/** Null: this side does not exist. */
export interface EntryPair {
  readonly before: Entry | null;
  readonly after: Entry | null;
}

const WORDS = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];
/** An empty line may double in length. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Compares all pairs with one call, because starting git takes longer than comparing small texts. Each file is named by its number
 * (`before/<n>`, `after/<n>`): no name can select attributes, and no repository configuration applies. Null: git failed.
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
