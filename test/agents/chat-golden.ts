import fs from "node:fs";
import { join } from "node:path";
import type { ScreenShot } from "../../src/agents/chat.ts";

const GOLDEN = join(import.meta.dirname, "..", "golden", "chat");

/** The screen of a real client: a line with the cursor, then the rows. */
export function screenOf(agent: string, name: string): ScreenShot {
  const [head = "", ...rows] = fs.readFileSync(join(GOLDEN, agent, `${name}.txt`), "utf8").split("\n");
  const [, row, col] = /^cursor (\d+),(\d+)$/.exec(head) ?? [];
  return { rows: rows.slice(0, -1), cursor: { row: Number(row), col: Number(col) } };
}

export function screensOf(agent: string): readonly string[] {
  const names = fs.readdirSync(join(GOLDEN, agent)).filter((name) => /\dx\d+\.txt$/.test(name));
  return names.map((name) => name.slice(0, -".txt".length)).sort();
}

export function goldenFile(agent: string, name: string): string {
  return join(GOLDEN, agent, name);
}
