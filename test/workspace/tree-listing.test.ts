import fs from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ignoredStamps } from "../../src/platform/git/stamps.ts";
import { changedPaths, WorkTree } from "../../src/platform/git/tree.ts";
import type { Rig } from "../rig/rig.ts";
import { findTool } from "../../src/platform/files/tools.ts";
import { commit, laterByAnHour, look, project } from "./looking.ts";

let rig: Rig;
let log: string;

beforeEach(() => {
  rig = project();
  rig.write("src/deep/a.js", "a");
  rig.write(".gitignore", "node_modules/\n*.log\n");
  rig.write("node_modules/x/index.js", "x");
  commit(rig);
  // Git ignores the folder's content, but not the folder itself.
  rig.write("logs/one.log", "one");
  rig.write("notes/.gitignore", "*\n");
  laterByAnHour();
  log = countGitCalls();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Logs calls of git, one per line. */
function countGitCalls(): string {
  const bin = join(rig.root, "bin");
  const path = join(rig.root, "git-calls");
  fs.mkdirSync(bin);
  fs.writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >>'${path}'\nexec '${findTool("git")}' "$@"\n`, {
    mode: 0o755,
  });
  vi.stubEnv("PATH", [bin, "/nowhere"].join(delimiter));
  fs.writeFileSync(path, "");
  return path;
}

function calls(): number {
  return fs.readFileSync(log, "utf8").split("\n").length - 1;
}

/** Changes of the tree and of the ignored files caused by an action. */
function changedBy(act: () => unknown): { files: string[]; ignored: string[] } {
  const tree = new WorkTree(rig.project);
  const ignored = (): string[] => [...(ignoredStamps(rig.project, tree.ignoring)?.keys() ?? [])];
  const before = look(tree);
  const ignoredBefore = ignored();
  act();
  const after = look(tree);
  const ignoredAfter = ignored();
  const all = [...new Set([...ignoredBefore, ...ignoredAfter])].sort();
  return {
    files: changedPaths(before, after),
    ignored: all.filter((path) => ignoredBefore.includes(path) !== ignoredAfter.includes(path)),
  };
}

test("does not ask git again while its input is unchanged", () => {
  const tree = new WorkTree(rig.project);
  const first = look(tree);
  const ignored = ignoredStamps(rig.project, tree.ignoring);
  const before = calls();
  rig.write("src/deep/a.js", "other");
  rig.write("node_modules/x/more.js", "more");
  expect(changedPaths(first, look(tree))).toEqual(["src/deep/a.js"]);
  const now = ignoredStamps(rig.project, tree.ignoring);
  expect([...(now?.keys() ?? [])].filter((path) => !ignored?.has(path))).toEqual(["node_modules/x/more.js"]);
  expect(calls()).toBe(before);
});

interface Case {
  readonly what: string;
  readonly act: () => unknown;
  readonly files: readonly string[];
  readonly ignored?: readonly string[];
}

const CASES: readonly Case[] = [
  { what: "a new file", act: () => rig.write("src/deep/b.js", "b"), files: ["src/deep/b.js"] },
  { what: "a new folder", act: () => rig.write("src/new/b.js", "b"), files: ["src/new/b.js"] },
  {
    what: "a file among ignored ones",
    act: () => rig.write("logs/two.txt", "two"),
    files: ["logs/two.txt"],
    ignored: ["logs"],
  },
  {
    what: "another list of what to ignore",
    act: () => rig.write(".gitignore", "*.log\n"),
    files: [".gitignore", "node_modules/x/index.js"],
    ignored: ["node_modules", "node_modules/x", "node_modules/x/index.js"],
  },
  {
    what: "such a list that hides itself",
    act: () => rig.write("notes/.gitignore", "#*\n"),
    files: ["notes/.gitignore"],
    ignored: ["notes", "notes/.gitignore"],
  },
  {
    what: "the repository's own list",
    act: () => rig.write(".git/info/exclude", "one.log\n"),
    files: [".git/info/exclude"],
  },
  {
    what: "an ignored file that is tracked now",
    act: () => rig.git("add", "--force", "logs/one.log"),
    files: ["logs/one.log"],
    ignored: ["logs", "logs/one.log"],
  },
  {
    what: "a folder that is a link now",
    act: () => linkInstead("src/deep"),
    files: ["src/deep", "src/deep/a.js"],
  },
];

test.each(CASES)("sees $what", ({ act, files, ignored = [] }) => {
  expect(changedBy(act)).toEqual({ files, ignored });
});

test("sees a repository inside, and its changes", () => {
  const isInner = (path: string): boolean => path.startsWith("inner/.git/");
  expect(changedBy(() => rig.git("init", "--quiet", "inner")).files.some(isInner)).toBe(true);
  expect(changedBy(() => rig.write("inner/new", "new")).files).toEqual(["inner/new"]);
});

function linkInstead(path: string): void {
  fs.renameSync(join(rig.project, path), join(rig.root, "moved"));
  fs.symlinkSync(join(rig.root, "moved"), join(rig.project, path));
}
