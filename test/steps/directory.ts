import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { TODO } from "../../src/core/step.ts";

/** A directory with these files for one test. */
export function directory(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const dir = fs.mkdtempSync(join(tmpdir(), "steps-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(join(dir, name), content);
  return dir;
}

export function stepText(number: string, more: object = {}): string {
  const step = {
    id: `step-${number}`,
    description: "work",
    status: TODO,
    verification: [{ type: "unit", description: "it works" }],
    ...more,
  };
  return `${JSON.stringify(step, null, 2)}\n`;
}

/** Root may read and write everything, so it drops its rights during the action. */
export function asNobody<T>(action: () => T): T {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65_534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}
