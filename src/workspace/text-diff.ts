import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { findTool } from "../files/tools.ts";

/**
 * What was changed in a text, for people to read, as git tells it. In a folder of its own, where nothing says how git is to look at files;
 * null where git cannot tell.
 */
export function textDiff(before: Buffer, after: Buffer): readonly string[] | null {
  const dir = fs.mkdtempSync(join(tmpdir(), "agent-foreman-diff-"));
  try {
    fs.writeFileSync(join(dir, "before"), before);
    fs.writeFileSync(join(dir, "after"), after);
    const words = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "before", "after"];
    const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", HOME: dir, LC_ALL: "C" };
    const told = spawnSync(findTool("git"), words, { cwd: dir, env, timeout: 10_000, encoding: "utf8" });
    // 1: they differ.
    if (told.status !== 1 && told.status !== 0) return null;
    const lines = told.stdout.split("\n");
    const first = lines.findIndex((line) => line.startsWith("@@"));
    return first < 0 ? [] : lines.slice(first, -1);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
