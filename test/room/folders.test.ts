import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newEntries, unlistedEntries } from "../../src/evidence/base/folders.ts";
import { placeOf } from "../../src/platform/git/tree-path.ts";
import { Rooms } from "./rooms.ts";

class Tree {
  readonly rooms = new Rooms();

  folder(...paths: readonly string[]): void {
    for (const path of paths) fs.mkdirSync(placeOf(this.rooms.root, path), { recursive: true });
  }

  unlisted(files: readonly string[], ignored: readonly string[] = [], leftOut: readonly string[] = []) {
    return unlistedEntries(this.rooms.root, { files: new Set(files), ignored: new Set(ignored), leftOut });
  }
}

test("finds folders without relevant files, but not those that another check covers", () => {
  const tree = new Tree();
  for (const path of ["src/a.js", "src/deep/er/b.js", "other/uncounted", "repo/.git/HEAD"])
    tree.rooms.write(path, "");
  tree.folder("src/empty", "a/b/c", "dist/x", "src/node_modules/x", ".git/x", "state/x", "names/\udcff");
  tree.folder("goldagent-supervise-report-1115-49ux.json");
  fs.symlinkSync("src", join(tree.rooms.root, "link"));
  const found = tree.unlisted(
    ["src/a.js", "src/deep/er/b.js", "repo/.git/HEAD", "/etc/x/y", "gone/file"],
    ["dist"],
    ["state"],
  );
  expect([...(found ?? [])].map(([path]) => path).sort()).toEqual(
    ["a", "a/b", "a/b/c", "names", "names/\udcff", "other", "repo", "src/empty"].sort(),
  );
});

test("pipes are found where no list has them", () => {
  const tree = new Tree();
  for (const name of ["pipe", "listed"]) spawnSync("mkfifo", [join(tree.rooms.root, name)]);
  expect([...(tree.unlisted(["listed"])?.keys() ?? [])]).toEqual(["pipe"]);
});

test("an unreadable one counts as empty", () => {
  const tree = new Tree();
  tree.folder("closed");
  fs.chmodSync(join(tree.rooms.root, "closed"), 0);
  expect([...(tree.unlisted([])?.keys() ?? [])]).toEqual(["closed"]);
});

test("the topmost new ones are reported, and not older ones", () => {
  const found = (...paths: readonly string[]) => new Map(paths.map((path) => [path, "d"]));
  const now = new Map([...found("old", "old/new", "new", "new/a", "new-a", "held"), ["pipe", "s"]]);
  const before = found("old", "pipe", "gone");
  expect(newEntries(before, now, (path) => path === "held" || path === "pipe")).toEqual([
    "new",
    "new-a",
    "old/new",
    "pipe",
  ]);
});

test("does not check too many", () => {
  const tree = new Tree();
  tree.folder("a", "b/c");
  const bounded = (most: number) =>
    unlistedEntries(tree.rooms.root, { files: new Set<string>(), ignored: new Set(), leftOut: [] }, most);
  expect(bounded(4)?.size).toBe(3);
  expect(bounded(3)).toBe(null);
});
