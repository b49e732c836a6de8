import fs, { type BigIntStats } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { changedPaths, WorkTree } from "../../src/platform/git/tree.ts";
import { changedBy, commit, laterByAnHour, look, openedIn, project } from "./looking.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Simulates a file system without a moving clock: this file keeps its first times. */
function stopTimesOf(path: string): void {
  const real = fs.lstatSync.bind(fs);
  let first: BigIntStats | undefined;
  const stopped = (place: fs.PathLike): BigIntStats | undefined => {
    const stat = real(place, { bigint: true, throwIfNoEntry: false });
    return place === path ? (first ??= stat) : stat;
  };
  vi.spyOn(fs, "lstatSync").mockImplementation(stopped);
}

test("files that were read once and left alone are not read again", () => {
  const rig = project();
  for (let index = 0; index < 500; index += 1) rig.write(`f${index % 50}/${index}`, String(index));
  commit(rig);
  laterByAnHour();
  const tree = new WorkTree(rig.project);
  const opened = vi.spyOn(fs, "openSync");
  const first = look(tree);
  expect(openedIn(rig.project, opened)).toHaveLength(501);
  opened.mockClear();
  expect(look(tree).sha256).toBe(first.sha256);
  expect(openedIn(rig.project, opened)).toEqual([]);
  const path = rig.write("f7/7", "other");
  expect(changedPaths(first, look(tree))).toEqual(["f7/7"]);
  expect(openedIn(rig.project, opened)).toEqual([path]);
});

test("an untouched tree is the same snapshot, and another one after a touch", () => {
  const rig = project();
  const path = rig.write("x", "one");
  commit(rig);
  laterByAnHour();
  const tree = new WorkTree(rig.project);
  const first = look(tree);
  expect(look(tree)).toBe(first);
  fs.utimesSync(path, 1_000, 1_000);
  const touched = look(tree);
  expect(touched).not.toBe(first);
  expect(touched.sha256).toBe(first.sha256);
  rig.write("y", "new");
  expect(look(tree)).not.toBe(touched);
});

test("an edit of the same size with its time set back is seen", () => {
  const rig = project();
  const path = rig.write("x", "one");
  fs.utimesSync(path, 1_000, 1_000);
  laterByAnHour();
  const { ctimeMs } = fs.statSync(path);
  const changed = changedBy(rig.project, () => {
    do {
      fs.writeFileSync(path, "two");
      fs.utimesSync(path, 1_000, 1_000);
    } while (fs.statSync(path).ctimeMs === ctimeMs);
  });
  expect(changed).toEqual(["x"]);
});

test("reads a file again that changed just before it was read, because its times may not show it", () => {
  const rig = project();
  const path = rig.write("x", "one");
  stopTimesOf(path);
  expect(changedBy(rig.project, () => rig.write("x", "two"))).toEqual(["x"]);
  laterByAnHour();
  expect(changedBy(rig.project, () => rig.write("x", "six"))).toEqual([]);
});

test("a file of more than 1 GiB is not read; it goes by its times", () => {
  const rig = project();
  const path = rig.write("huge", "");
  fs.truncateSync(path, 2 ** 30 + 1);
  const opened = vi.spyOn(fs, "openSync");
  expect(changedBy(rig.project, () => undefined)).toEqual([]);
  expect(openedIn(rig.project, opened)).not.toContain(path);
  expect(changedBy(rig.project, () => fs.truncateSync(path, 2 ** 30 + 2))).toEqual(["huge"]);
});

test("there is no snapshot if more than 8 GiB would have to be read", () => {
  const rig = project();
  fs.rmSync(join(rig.project, "plan.md"));
  const add = (name: string, size: number) => fs.truncateSync(rig.write(name, ""), size);
  // Simulates the read, because only the number of reads matters.
  vi.spyOn(fs, "readSync").mockReturnValue(0);
  for (let index = 0; index < 7; index += 1) add(`f${index}`, 2 ** 30);
  add("f7", 2 ** 30 - 2 ** 20);
  expect(new WorkTree(rig.project).snapshot()).not.toBeNull();
  add("f8", 2 ** 20);
  expect(new WorkTree(rig.project).snapshot()).toBeNull();
});
