import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeAny } from "../../src/platform/files/remove.ts";
import { changedAbove, stampsAbove } from "../../src/evidence/base/above.ts";
import { digestAt, withContents } from "../../src/evidence/base/contents.ts";
import { Rooms } from "./rooms.ts";

/** A project two folders below the folder that contains everything. */
class Above {
  readonly rooms = new Rooms("outer");
  readonly root = join(this.rooms.root, "project");
  uid = process.getuid?.() ?? 0;
  mostInstalled = 1000;

  constructor() {
    fs.mkdirSync(this.root);
  }

  write(name: string, text = name): void {
    const path = join(this.rooms.base, name);
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text);
  }

  link(name: string, to: string): void {
    removeAny(join(this.rooms.base, name));
    fs.symlinkSync(to, join(this.rooms.base, name));
  }

  remove(name: string): void {
    fs.rmSync(join(this.rooms.base, name), { recursive: true });
  }

  changedBy(act: () => void): string[] {
    const look = () => stampsAbove(this.root, this);
    const before = withContents("/", look());
    act();
    const changed = changedAbove(before, look(), (path) => digestAt("/", path));
    return changed.map((path) => path.slice(this.rooms.base.length + 1));
  }
}

const MATTER = [
  "package.json .npmrc .yarnrc .yarnrc.yml pnpm-workspace.yaml jest.config.js vitest.config.mts vitest.workspace.ts",
  "babel.config.cjs .babelrc .babelrc.json .mocharc.yml tsconfig.json tsconfig.base.json pytest.ini .pytest.ini tox.ini",
  "setup.cfg pyproject.toml conftest.py __init__.py .python-version .node-version .nvmrc .tool-versions Cargo.toml go.work",
  "Makefile GNUmakefile local.mk pom.xml settings.gradle Directory.Build.props .cargo/config.toml .mvn/jvm.config Gemfile",
].flatMap((line) => line.split(" "));

describe("in the folders above the tree", () => {
  test.each(["", "outer/"])("new settings are reported, and others are not: %s", (folder) => {
    const above = new Above();
    const changed = above.changedBy(() => {
      for (const name of MATTER) above.write(folder + name);
      for (const name of ["report.json", "notes.txt", "add.test.js", "my-package.json", ".cargo/bin/x"])
        above.write(folder + name);
    });
    expect(changed).toEqual(MATTER.map((name) => folder + name).sort());
  });

  test("those in the tree are its own affair", () => {
    const above = new Above();
    expect(above.changedBy(() => above.write("outer/project/pytest.ini"))).toEqual([]);
  });

  const cases: Readonly<Record<string, readonly [(above: Above) => void, ...string[]]>> = {
    "written anew": [(above) => above.write("outer/pytest.ini")],
    changed: [(above) => above.write("outer/pytest.ini", "[pytest]"), "outer/pytest.ini"],
    gone: [(above) => above.remove("outer/pytest.ini"), "outer/pytest.ini"],
    "changed where a link leads": [(above) => above.write("data", "other"), "tox.ini"],
    "a link that leads to the same": [(above) => above.link("tox.ini", "data-too")],
    "too large to be read, and changed": [
      (above) => fs.appendFileSync(join(above.rooms.base, "large.mk"), "x"),
      "large.mk",
    ],
    "when yarn last looked for a newer one": [
      (above) => above.write(".yarnrc", "a b\nlastUpdateCheck 2\nc d\n"),
    ],
    "what else yarn is told": [(above) => above.write(".yarnrc", "a b\nlastUpdateCheck 1\nc e\n"), ".yarnrc"],
  };
  test.each(Object.entries(cases))("%s", (_, [act, ...expected]) => {
    const above = new Above();
    above.write("outer/pytest.ini");
    above.write("data", "same");
    above.write("data-too", "same");
    above.link("tox.ini", "data");
    above.write(".yarnrc", "a b\nlastUpdateCheck 1\nc d\n");
    above.write("large.mk", "x".repeat(1024 * 1024 + 1));
    expect(above.changedBy(() => act(above))).toEqual(expected);
  });

  test("a pipe in place of settings is reported without waiting", () => {
    const above = new Above();
    above.write("pytest.ini");
    const changed = above.changedBy(() => {
      above.remove("pytest.ini");
      spawnSync("mkfifo", [join(above.rooms.base, "pytest.ini")]);
    });
    expect(changed).toEqual(["pytest.ini"]);
  });

  test("another person's files in a shared folder are not the agent's doing", () => {
    const above = new Above();
    const mine = process.getuid?.() ?? 0;
    const write = (): void => above.write("conftest.py", String(above.uid));
    above.uid = mine + 1;
    expect(above.changedBy(write)).toEqual(["conftest.py"]);
    above.remove("conftest.py");
    fs.chmodSync(above.rooms.base, 0o1777);
    expect(above.changedBy(write)).toEqual([]);
    above.remove("conftest.py");
    above.uid = mine;
    expect(above.changedBy(write)).toEqual(["conftest.py"]);
  });
});

describe("dependencies above the tree", () => {
  const installed = (): Above => {
    const above = new Above();
    for (const name of ["checks/index.js", "checks/lib/a.js", "@some/one/index.js"])
      above.write(`node_modules/${name}`, name);
    above.link("node_modules/linked", "../data");
    return above;
  };
  const cases: Readonly<Record<string, readonly [(above: Above) => void, ...string[]]>> = {
    "are as they were": [() => undefined],
    "installed anew": [
      (above) => {
        above.remove("node_modules/checks");
        for (const name of ["index.js", "lib/a.js"])
          above.write(`node_modules/checks/${name}`, `checks/${name}`);
      },
    ],
    changed: [(above) => above.write("node_modules/checks/lib/a.js", "x"), "node_modules/checks/lib/a.js"],
    "a file is new": [(above) => above.write("node_modules/@some/one/x.js"), "node_modules/@some/one/x.js"],
    "one is new": [(above) => above.write("node_modules/new/lib/a.js"), "node_modules/new"],
    "a program is new": [(above) => above.write("node_modules/.bin/jest"), "node_modules/.bin"],
    "a link leads elsewhere": [(above) => above.link("node_modules/linked", "../x"), "node_modules/linked"],
    "are gone": [(above) => above.remove("node_modules"), "node_modules"],
    "new ones, nearer": [(above) => above.write("outer/node_modules/checks/a.js"), "outer/node_modules"],
    "caches and lists of tools": [
      (above) => {
        above.write("node_modules/.cache/x");
        above.write("node_modules/.package-lock.json");
      },
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [act, ...expected]) => {
    const above = installed();
    expect(above.changedBy(() => act(above))).toEqual(expected);
  });

  test("too many to check count as one change, and later as known by name", () => {
    const above = installed();
    above.mostInstalled = 8;
    expect(above.changedBy(() => undefined)).toEqual([]);
    expect(above.changedBy(() => above.write("node_modules/checks/one-more"))).toEqual(["node_modules"]);
    expect(above.changedBy(() => above.write("node_modules/checks/two-more"))).toEqual([]);
    expect(above.changedBy(() => above.write("node_modules/new/a.js"))).toEqual(["node_modules/new"]);
  });
});
