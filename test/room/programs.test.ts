import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestAt, withScripts } from "../../src/evidence/base/contents.ts";
import { changedPrograms, programStamps } from "../../src/evidence/base/programs.ts";
import { Rooms } from "./rooms.ts";

/** Directories `first`, `bin` (in the tree) and `last`, in this order on the PATH. */
class Path {
  readonly rooms = new Rooms();
  readonly value: string;

  constructor() {
    for (const name of ["first", "last", "elsewhere"]) fs.mkdirSync(join(this.rooms.base, name));
    fs.mkdirSync(join(this.rooms.root, "bin"));
    this.value = ["first", "none", "tree/bin", "last"].map((name) => join(this.rooms.base, name)).join(":");
    for (const name of ["first/git", "last/node", "last/make", "elsewhere/python3"]) this.program(name);
    this.link("last/python", "../elsewhere/python3");
  }

  program(name: string, text = ""): void {
    fs.writeFileSync(join(this.rooms.base, name), text, { mode: 0o755 });
  }

  link(name: string, to: string): void {
    fs.rmSync(join(this.rooms.base, name), { force: true });
    fs.symlinkSync(to, join(this.rooms.base, name));
  }

  changedBy(act: () => void): string[] {
    const look = () => programStamps(this.value, this.rooms.root);
    const before = withScripts(look());
    act();
    const changed = changedPrograms(before, look(), (path) => digestAt("/", path));
    return changed.map((path) => path.slice(this.rooms.base.length + 1));
  }
}

describe("programs on PATH", () => {
  const cases: Readonly<Record<string, readonly [(path: Path) => void, ...string[]]>> = {
    "are as they were": [() => undefined],
    changed: [(path) => path.program("last/node", "exit 0"), "last/node"],
    "changed where a link leads": [(path) => path.program("elsewhere/python3", "exit 0"), "last/python"],
    "a link that leads elsewhere": [(path) => path.link("last/python", "make"), "last/python"],
    "a link that leads nowhere": [(path) => path.link("last/python", "none"), "last/python"],
    gone: [(path) => fs.rmSync(join(path.rooms.base, "last/make")), "last/make"],
    "put before another": [(path) => path.program("first/node"), "first/node"],
    "put before another in a directory that is new": [
      (path) => {
        fs.mkdirSync(join(path.rooms.base, "none"));
        path.program("none/node");
      },
      "none/node",
    ],
    "put before another in the tree": [(path) => path.program("tree/bin/node"), "tree/bin/node"],
    "put after another": [(path) => path.program("last/git")],
    "new, and nobody had the name": [(path) => path.program("first/tool")],
    "put before another, but cannot be run": [
      (path) => fs.writeFileSync(join(path.rooms.base, "first/node"), "", { mode: 0o644 }),
    ],
    "can be run from now on": [
      (path) => {
        fs.writeFileSync(join(path.rooms.base, "first/make"), "", { mode: 0o644 });
        fs.chmodSync(join(path.rooms.base, "first/make"), 0o755);
      },
      "first/make",
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [act, ...expected]) => {
    const path = new Path();
    expect(path.changedBy(() => act(path))).toEqual(expected);
  });

  test("with rewritten equal content are unchanged if they are small, and can be run as before", () => {
    const path = new Path();
    const anew = (name: string, size: number): void => {
      fs.rmSync(join(path.rooms.base, name), { force: true });
      path.program(name, "x".repeat(size));
    };
    anew("last/small", 4096);
    anew("last/large", 4097);
    anew("last/mode", 1);
    const changed = path.changedBy(() => {
      anew("last/small", 4096);
      anew("last/large", 4097);
      anew("last/mode", 1);
      fs.chmodSync(join(path.rooms.base, "last/mode"), 0o555);
    });
    expect(changed).toEqual(["last/large", "last/mode"]);
  });

  test("in the tree belong to the tree", () => {
    const path = new Path();
    path.program("tree/bin/tool");
    expect(path.changedBy(() => path.program("tree/bin/tool", "other"))).toEqual([]);
  });

  test("counts a directory once that PATH names twice or by another name, and an empty name as the tree", () => {
    const path = new Path();
    fs.symlinkSync("last", join(path.rooms.base, "same"));
    const stamps = programStamps(`${path.rooms.base}/last:${path.rooms.base}/same::`, path.rooms.root);
    const names = [...stamps.keys()].map((name) => name.slice(path.rooms.base.length + 1));
    expect(names).toEqual(["last", "last/make", "last/node", "last/python", "tree"]);
  });
});
