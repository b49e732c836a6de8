import fs from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  baseSurroundings,
  changedAround,
  changedProgramsNow,
  keepSurroundings,
  readSurroundings,
  surroundingsNow,
  timesInRoom,
} from "../../src/evidence/base/surroundings.ts";
import { writePack } from "../../src/platform/git/pack.ts";
import { WorkTree } from "../../src/platform/git/tree.ts";
import { Rooms } from "./rooms.ts";

function project() {
  const rooms = new Rooms();
  rooms.write(".gitignore", "out\n");
  rooms.commitAll();
  rooms.write("out/config", "same");
  fs.utimesSync(join(rooms.root, "out/config"), 1000, 1000);
  rooms.git("init", "--quiet", "sub");
  rooms.git("-C", "sub", "commit", "--quiet", "--allow-empty", "--message", "Start");
  rooms.write("sub/.gitignore", "made\n");
  const tree = new WorkTree(rooms.root);
  tree.snapshot();
  return { rooms, context: { tree, paths: { dir: join(rooms.root, "out", "state") } } };
}

test("the saved surroundings show another process which files were only rewritten", () => {
  const { rooms, context } = project();
  const bin = join(rooms.base, "bin");
  fs.mkdirSync(bin);
  const shim = (): void => fs.writeFileSync(join(bin, "python"), "exec python3", { mode: 0o755 });
  shim();
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  fs.mkdirSync(join(rooms.root, "empty"));
  const base = baseSurroundings(rooms.root, [".gitignore", "none"], context);
  const kept = keepSurroundings(join(rooms.base, "stamps"), base);
  for (const folder of [join(rooms.root, "out"), bin]) fs.rmSync(folder, { recursive: true });
  fs.mkdirSync(bin);
  shim();
  rooms.write("out/config", "same");
  for (const name of ["out/new", "out/state/x", "sub/made", "empty/out"]) rooms.write(name, "new");
  fs.mkdirSync(join(rooms.root, "new/folder"), { recursive: true });
  fs.writeFileSync(join(rooms.base, "pytest.ini"), "");
  const before = readSurroundings(kept);
  expect(before).toEqual(base);
  expect([...base.written.keys()]).toEqual([".gitignore"]);
  const changed = before && changedAround(before, surroundingsNow(rooms.root, context));
  expect(changed).toEqual({
    hidden: ["empty/out", "out/new", "sub/made", "new"],
    shownHidden: ["empty/out", "out/new", "sub/made"],
    renewed: [{ path: "out/config", seconds: 1000 }],
    programs: [join(rooms.base, "pytest.ini")],
    isUnknown: false,
  });
  expect(changedProgramsNow(base, rooms.root)).toEqual([join(rooms.base, "pytest.ini")]);
});

test("facts that the base did not know do not count against the tree, and lost facts are reported", () => {
  const { rooms, context } = project();
  const base = baseSurroundings(rooms.root, [], context);
  fs.mkdirSync(join(rooms.root, "new"));
  fs.writeFileSync(join(rooms.base, "pytest.ini"), "");
  rooms.write("out/new", "new");
  const now = surroundingsNow(rooms.root, context);
  const nothing = { hidden: [], shownHidden: [], renewed: [], programs: [], isUnknown: false };
  const unknown = { ignored: null, unlisted: null, above: null };
  expect(changedAround({ ...base, ...unknown }, now)).toEqual(nothing);
  expect(changedAround({ ...base, above: null }, { ...now, ...unknown })).toEqual({
    ...nothing,
    isUnknown: true,
  });
  expect(changedAround(base, { ...now, unlisted: null })).toMatchObject({
    hidden: ["out/new"],
    isUnknown: true,
  });
});

test("a folder that contained files of the tree existed, although it is empty now", () => {
  const { rooms, context } = project();
  rooms.write("held/file", "");
  rooms.write("test/file", "");
  context.tree.snapshot();
  const base = baseSurroundings(rooms.root, ["held/file", "test/file"], context);
  fs.rmSync(join(rooms.root, "held/file"));
  fs.rmSync(join(rooms.root, "test/file"));
  rooms.write("test/out", "new");
  context.tree.snapshot();
  expect(changedAround(base, surroundingsNow(rooms.root, context)).hidden).toEqual(["test/out"]);
});

test("dates a file of the base to that time, and any other one later", () => {
  const { rooms, context } = project();
  const write = (name: string, seconds: number): void => {
    rooms.write(name, name);
    fs.utimesSync(join(rooms.root, name), seconds, seconds);
  };
  const soon = Date.now() / 1000 + 60;
  for (const name of ["same", "newer", "older", "old", "later"]) write(name, 1000.25);
  const files = new Map(["same", "newer", "older", "old", "later", "gone"].map((name) => [name, "file 1"]));
  const pack = writePack(join(rooms.base, "pack"), rooms.root, [...files.keys()]);
  const surroundings = baseSurroundings(rooms.root, files.keys(), context);
  write("newer", soon);
  write("older", 1);
  write("old", 1000.25);
  write("later", soon);
  write("new", 1);
  const now = new Map([...files, ["old", "file 2"], ["later", "file 2"], ["new", "file 2"]]);
  const times = () => timesInRoom(rooms.root, now, { files, pack, surroundings });
  const dated = ["newer", "older"].map((path) => ({ path, seconds: 1000.25 }));
  expect(times()).toEqual({ touched: ["old", "new"], dated });
  // A forger would do this to appear newer.
  fs.utimesSync(pack.kept.path, 0, 0);
  expect(times()).toEqual({ touched: ["old", "new"], dated });
  fs.rmSync(pack.kept.path);
  expect(times()).toEqual({ touched: ["old", "later", "new"], dated });
});
