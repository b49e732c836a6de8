import fs from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readStamps, writeStamps } from "../../src/evidence/base/stamp-file.ts";
import { hiddenPaths } from "../../src/evidence/base/hidden-paths.ts";
import { ignoredStamps, type IgnoredFiles, type Stamps } from "../../src/platform/git/stamps.ts";
import { WorkTree } from "../../src/platform/git/tree.ts";
import { Rooms } from "./rooms.ts";

let template: Rooms | undefined;

/** A repository that ignores some files. */
function project(): Rooms {
  template ??= makeTemplate();
  const rooms = new Rooms();
  fs.cpSync(template.root, rooms.root, { recursive: true });
  fs.utimesSync(join(rooms.root, "node_modules/p/index.js"), 1, 1);
  return rooms;
}

afterAll(() => template && fs.rmSync(template.base, { recursive: true }));

function makeTemplate(): Rooms {
  const rooms = new Rooms("tree", false);
  rooms.write(".gitignore", "node_modules/\ndist\n.env\n__pycache__\ncoverage\n.cache\n*.tmp\n");
  rooms.write("src/a.js", "a");
  rooms.write(".env", "x");
  rooms.write("node_modules/p/index.js", "p");
  rooms.write("node_modules/p/lib/x.js", "x");
  rooms.write("node_modules/.bin/tool", "tool");
  rooms.write("mixed/kept.js", "");
  rooms.write("mixed/old.tmp", "");
  rooms.commitAll();
  return rooms;
}

function stampsOf(rooms: Rooms, which: IgnoredFiles = {}): Stamps {
  const stamps = ignoredStamps(rooms.root, { excludesFile: "/dev/null", ...which });
  if (!stamps) throw new Error("too many");
  return stamps;
}

/** Hidden files and, after a bar, caches. */
function hiddenBy(rooms: Rooms, act: () => void, which: IgnoredFiles = {}): string[] {
  const before = stampsOf(rooms, which);
  act();
  const { hidden, caches } = hiddenPaths(before, stampsOf(rooms, which));
  return caches.length === 0 ? [...hidden] : [...hidden, "|", ...caches];
}

describe("ignored files", () => {
  test("are all seen, and no others", () => {
    expect([...stampsOf(project()).keys()].sort()).toEqual([
      ".env",
      "mixed/old.tmp",
      "node_modules",
      "node_modules/.bin",
      "node_modules/.bin/tool",
      "node_modules/p",
      "node_modules/p/index.js",
      "node_modules/p/lib",
      "node_modules/p/lib/x.js",
    ]);
  });

  const changes: Readonly<Record<string, readonly [(rooms: Rooms) => void, ...string[]]>> = {
    nothing: [() => undefined],
    "other files": [(rooms) => rooms.write("src/b.js", "b")],
    "a new file": [(rooms) => rooms.write("node_modules/p/new.js", ""), "node_modules/p/new.js"],
    "new folders": [
      (rooms) => ["a", "b/c"].forEach((name) => rooms.write(`node_modules/q/${name}`, "")),
      "node_modules/q",
    ],
    "new folders that were not there at all": [(rooms) => rooms.write("dist/deep/x", ""), "dist"],
    "a changed file": [(rooms) => rooms.write(".env", "y"), ".env"],
    "a file with the same length and times": [
      (rooms) => {
        rooms.write("node_modules/p/index.js", "q");
        fs.utimesSync(join(rooms.root, "node_modules/p/index.js"), 1, 1);
      },
      "node_modules/p/index.js",
    ],
    "a file that can be run now": [
      (rooms) => fs.chmodSync(join(rooms.root, "node_modules/p/index.js"), 0o755),
      "node_modules/p/index.js",
    ],
    "a folder that became a link": [
      (rooms) => {
        fs.renameSync(join(rooms.root, "node_modules/p"), join(rooms.base, "p"));
        fs.symlinkSync(join(rooms.base, "p"), join(rooms.root, "node_modules/p"));
      },
      "node_modules/p",
    ],
    "files that are gone": [(rooms) => fs.rmSync(join(rooms.root, "node_modules/p"), { recursive: true })],
    "a folder that others were moved out of": [
      (rooms) => fs.rmSync(join(rooms.root, "node_modules/p/lib"), { recursive: true }),
    ],
    "a file of the product that is ignored now": [
      (rooms) => {
        rooms.git("rm", "--cached", "--quiet", "src/a.js");
        fs.appendFileSync(join(rooms.root, ".gitignore"), "src/a.js\n");
      },
      "src",
    ],
    "a folder that holds only ignored files now": [
      (rooms) => {
        rooms.git("rm", "--quiet", "mixed/kept.js");
        rooms.write("mixed/new.tmp", "");
      },
      "mixed/new.tmp",
    ],
    "names of all kinds": [
      (rooms) => ["\udcff", "a\nb", "ü"].forEach((name) => rooms.write(`node_modules/${name}`, "")),
      "node_modules/a\nb",
      "node_modules/ü",
      "node_modules/\udcff",
    ],
    caches: [
      (rooms) => {
        const names = [
          "node_modules/.vite/x",
          "src/__pycache__/a.pyc",
          "coverage/x",
          "node_modules/coverage/x",
        ];
        for (const name of names) rooms.write(name, "");
      },
      "node_modules/coverage",
      "|",
      "coverage",
      "node_modules/.vite",
      "src/__pycache__",
    ],
    "our own files, hidden as caches are": [
      (rooms) => {
        rooms.write(".goldagent-supervise/1/x", "");
        fs.appendFileSync(join(rooms.root, ".git", "info", "exclude"), ".goldagent-supervise\n");
      },
      "|",
      ".goldagent-supervise",
    ],
  };
  test.each(Object.entries(changes))("%s", (_, [act, ...expected]) => {
    const rooms = project();
    expect(hiddenBy(rooms, () => act(rooms))).toEqual(expected);
  });

  test("hides our own folder as a whole, with any content", () => {
    const rooms = project();
    fs.appendFileSync(join(rooms.root, ".git", "info", "exclude"), ".goldagent-supervise\n");
    rooms.write(".goldagent-supervise/1/x", "");
    expect(hiddenBy(rooms, () => rooms.write(".goldagent-supervise/2/y", ""))).toEqual([
      "|",
      ".goldagent-supervise",
    ]);
  });

  test("hides a large folder without unchanged files as a whole, and keeps a small one", () => {
    const rooms = project();
    const fill = (text: string): void => {
      for (let number = 0; number < 60; number++) rooms.write(`dist/many/${number}`, text);
      for (const name of ["dist/few/a", "dist/few/b"]) rooms.write(name, text);
    };
    fill("");
    expect(hiddenBy(rooms, () => fill("x"))).toEqual(["dist"]);
    rooms.write("dist/same", "");
    expect(hiddenBy(rooms, () => fill("y"))).toEqual(["dist/few/a", "dist/few/b", "dist/many"]);
    rooms.write("dist/many/same", "");
    expect(hiddenBy(rooms, () => fill("z"))).toHaveLength(62);
    const anew = (): void => {
      fs.rmSync(join(rooms.root, "dist"), { recursive: true });
      for (let number = 0; number < 60; number++) rooms.write(`dist/many/new${number}/x`, "");
    };
    expect(hiddenBy(rooms, anew)).toEqual(["dist"]);
  });

  test("are the ignored files of the tree: also in repositories inside it, by the same lists", () => {
    const rooms = project();
    fs.mkdirSync(join(rooms.root, "sub"));
    rooms.git("-C", "sub", "init", "--quiet");
    rooms.git("-C", "sub", "commit", "--quiet", "--allow-empty", "--message", "Start");
    rooms.write("sub/.gitignore", "out\n");
    const list = join(rooms.base, "list");
    fs.writeFileSync(list, "/mine\n");
    rooms.git("config", "core.excludesFile", list);
    const tree = new WorkTree(rooms.root);
    const look = (): Stamps => {
      tree.snapshot();
      return stampsOf(rooms, { ...tree.ignoring, leftOut: ["node_modules/state"] });
    };
    const before = look();
    const made = ["sub/out/x", "mine/x", "node_modules/state/x", "node_modules/state2/x"];
    for (const name of made) rooms.write(name, "");
    rooms.git("config", "core.excludesFile", "/dev/null");
    expect(hiddenPaths(before, look()).hidden).toEqual(["mine", "node_modules/state2", "sub/out"]);
  });

  test("without git, folders that are a tool's", () => {
    const rooms = new Rooms();
    const act = (): void => {
      const made = ["a/node_modules/x", "b/venv/pyvenv.cfg", "b/venv/lib", "c/venv/x", "target/x", "src/x"];
      for (const name of made) rooms.write(name, "");
    };
    expect(hiddenBy(rooms, act)).toEqual(["a/node_modules", "b/venv"]);
  });
});

describe("stamps in a file", () => {
  test("read back unchanged", () => {
    const rooms = project();
    for (const name of ["\udcff", "a\nb\t"]) rooms.write(`node_modules/${name}`, "");
    fs.symlinkSync("x y", join(rooms.root, "node_modules", "link"));
    const stamps = stampsOf(rooms);
    const kept = writeStamps(join(rooms.base, "stamps"), { ignored: stamps, none: null, empty: new Map() });
    const read = readStamps(kept);
    expect([...(read?.["ignored"] ?? [])]).toEqual([...stamps]);
    expect([read?.["none"], read?.["empty"]?.size]).toEqual([null, 0]);
    expect(fs.readdirSync(rooms.base).sort()).toEqual(["stamps", "tree"]);
  });

  test("does not read a changed file", () => {
    const rooms = new Rooms();
    const kept = writeStamps(join(rooms.base, "stamps"), { ignored: new Map([["a", "1"]]) });
    fs.writeFileSync(kept.path, fs.readFileSync(kept.path, "utf8").replace("1\t", "2\t"));
    expect(readStamps(kept)).toBeNull();
    expect(readStamps({ ...kept, path: rooms.root })).toBeNull();
  });
});
