import fs from "node:fs";
import { join } from "node:path";
import { vi, type MockInstance } from "vitest";
import { changedPaths, WorkTree, type TreeSnapshot } from "../../src/platform/git/tree.ts";
import { Rig } from "../rig/rig.ts";

/** A git project without influence from the user's own configuration. */
export function project(): Rig {
  const rig = new Rig();
  vi.stubEnv("HOME", rig.home);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  return rig;
}

export function commit(rig: Rig, ...more: readonly string[]): void {
  rig.git("add", "--all");
  rig.git(
    ...["-c", "user.name=rig", "-c", "user.email=rig@localhost"],
    "commit",
    "--quiet",
    "-m",
    "More",
    ...more,
  );
}

export function look(tree: WorkTree): TreeSnapshot {
  const snapshot = tree.snapshot();
  if (snapshot === null) throw new Error("no snapshot");
  return snapshot;
}

/** The tree's changes caused by an action. */
export function changedBy(cwd: string, act: () => void): string[] {
  const tree = new WorkTree(cwd);
  const before = look(tree);
  act();
  const after = look(tree);
  const changed = changedPaths(before, after);
  if ((before.sha256 === after.sha256) !== (changed.length === 0)) throw new Error("the digest disagrees");
  return changed;
}

/** A program that leaves a trace when it runs. */
export function trap(rig: Rig): { readonly program: string; readonly sprung: () => boolean } {
  const program = join(rig.root, "trap.sh");
  const trace = join(rig.root, "trace");
  fs.writeFileSync(program, `#!/bin/sh\ntouch ${trace}\ncat\n`, { mode: 0o755 });
  return { program, sprung: () => fs.existsSync(trace) };
}

/** Makes every file look unchanged for an hour. */
export function laterByAnHour(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
}

/** Opened files of the tree, except git's own. */
export function openedIn(folder: string, opened: MockInstance<typeof fs.openSync>): string[] {
  return opened.mock.calls
    .map(([path]) => String(path))
    .filter((path) => path.startsWith(`${folder}/`) && !path.includes("/.git"));
}
