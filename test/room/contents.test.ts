import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeAny } from "../../src/platform/files/remove.ts";
import { compiledPaths } from "../../src/evidence/base/compiled.ts";
import { digestAt, withContents } from "../../src/evidence/base/contents.ts";
import { hiddenPaths, type HiddenPaths } from "../../src/evidence/base/hidden-paths.ts";
import { ignoredStamps, type Stamps } from "../../src/platform/git/stamps.ts";
import { Rooms } from "./rooms.ts";

function stampsOf({ root }: Rooms): Stamps {
  return ignoredStamps(root, { excludesFile: "/dev/null" }) ?? new Map();
}

/** A repository that ignores the content of some folders. All files there are older than the test. */
function project(...files: readonly string[]): Rooms {
  const rooms = new Rooms();
  rooms.git("init", "--quiet");
  rooms.write(".gitignore", "/out\nnode_modules\n");
  for (const file of files) {
    rooms.write(file, `this is ${file}`);
    fs.utimesSync(join(rooms.root, file), 1000, 1000.25);
  }
  return rooms;
}

function changedBy(rooms: Rooms, act: () => void): HiddenPaths {
  const before = withContents(rooms.root, stampsOf(rooms));
  act();
  return hiddenPaths(before, stampsOf(rooms), (path) => digestAt(rooms.root, path));
}

const anew = (rooms: Rooms, path: string, text = `this is ${path}`): void => {
  fs.rmSync(join(rooms.root, path));
  rooms.write(path, text);
};

describe("rewritten ignored files", () => {
  test("are unchanged with the same content, whatever their times", () => {
    const rooms = project("out/config.mk", "out/deep/b", "out/c");
    expect(
      changedBy(rooms, () => {
        anew(rooms, "out/config.mk");
        anew(rooms, "out/deep/b");
      }),
    ).toEqual({
      hidden: [],
      caches: [],
      renewed: [
        { path: "out/config.mk", seconds: 1000.25 },
        { path: "out/deep/b", seconds: 1000.25 },
      ],
    });
  });

  test("with the time that they had need no other", () => {
    const rooms = project("out/a");
    const changed = changedBy(rooms, () => {
      anew(rooms, "out/a");
      fs.utimesSync(join(rooms.root, "out/a"), 1, 1000.25);
    });
    expect(changed).toEqual({ hidden: [], caches: [], renewed: [] });
  });

  const others: Readonly<Record<string, (rooms: Rooms, path: string) => void>> = {
    "hold something else": (rooms, path) => anew(rooms, path, `THIS IS ${path}`),
    "can be run": (rooms, path) => fs.chmodSync(join(rooms.root, path), 0o755),
    "are links to the same": (rooms, path) => {
      fs.renameSync(join(rooms.root, path), join(rooms.base, "moved"));
      fs.symlinkSync(join(rooms.base, "moved"), join(rooms.root, path));
    },
  };
  test.each(Object.entries(others))("are changed if they %s now", (_, act) => {
    const rooms = project("out/a", "out/b");
    expect(changedBy(rooms, () => act(rooms, "out/a"))).toEqual({
      hidden: ["out/a"],
      caches: [],
      renewed: [],
    });
  });

  test("are compared up to a size limit; large installed ones as well", () => {
    const rooms = project("node_modules/p/index.js", "node_modules/large", "out/large", "out/largest");
    fs.truncateSync(join(rooms.root, "node_modules/large"), 1024 * 1024 + 1);
    fs.truncateSync(join(rooms.root, "out/large"), 1024 * 1024 + 1);
    fs.truncateSync(join(rooms.root, "out/largest"), 1024 * 1024);
    const touch = (path: string): void => fs.utimesSync(join(rooms.root, path), 2, 2);
    const changed = changedBy(rooms, () => {
      for (const path of ["node_modules/p/index.js", "node_modules/large", "out/large", "out/largest"])
        touch(path);
    });
    expect(changed.hidden).toEqual(["out/large"]);
    expect(changed.renewed).toHaveLength(3);
  });

  test("are compared up to a number, and to a size of all together", () => {
    const many = project();
    fs.mkdirSync(join(many.root, "out"));
    for (let number = 0; number <= 5000; number++) fs.writeFileSync(join(many.root, "out", `${number}`), "");
    const large = project();
    fs.mkdirSync(join(large.root, "out"));
    for (let number = 0; number < 65; number++) {
      fs.writeFileSync(join(large.root, "out", `${number}`), "");
      fs.truncateSync(join(large.root, "out", `${number}`), 1024 * 1024);
    }
    const told = ({ root }: Rooms, stamps: Stamps): number =>
      [...withContents(root, stamps).values()].filter((stamp) => stamp.includes("#")).length;
    expect([told(many, stampsOf(many)), told(large, stampsOf(large))]).toEqual([5000, 64]);
  });

  test("and links with the same target are unchanged, wherever they are", () => {
    const rooms = project("out/a");
    const link = (name: string, target: string): void => {
      removeAny(join(rooms.root, name));
      fs.symlinkSync(target, join(rooms.root, name));
    };
    fs.mkdirSync(join(rooms.root, "node_modules"));
    link("node_modules/tool", "../tool");
    link("node_modules/other", "../tool");
    const changed = changedBy(rooms, () => {
      link("node_modules/tool", "../tool");
      link("node_modules/other", "../evil");
    });
    expect(changed).toEqual({ hidden: ["node_modules/other"], caches: [], renewed: [] });
  });
});

test("finds folders of Python's cache among a tree's files, each once", () => {
  const files = [
    "a.py",
    "__pycache__/a.pyc",
    "__pycache__/b.pyc",
    "p/q/__pycache__/c.pyc",
    "p/q/__pycache__/__pycache__/d.pyc",
    "linked/__pycache__",
    "line\nend/__pycache__/x",
    "my__pycache__/x",
    "q/__pycache__.py",
    "__pycache__x/y",
  ];
  expect(compiledPaths(files)).toEqual([
    "__pycache__",
    "p/q/__pycache__",
    "linked/__pycache__",
    "line\nend/__pycache__",
  ]);
});
