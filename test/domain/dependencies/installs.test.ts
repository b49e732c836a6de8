import { describe, expect, test } from "vitest";
import { installsIn, type Texts } from "../../../src/evidence/dependencies/installs.ts";
import { replacedPackage } from "../../../src/evidence/dependencies/sources.ts";

type Files = Readonly<Record<string, string | object>>;

function tree(files: Files): Texts {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === "string" ? text : JSON.stringify(text),
    ]),
  );
  return { paths: texts.keys(), read: (path) => texts.get(path) ?? null };
}

const installs = (files: Files) => [...installsIn(tree(files)).values()];
const entries = (files: Files) => installs(files).map((install) => install.entries);

describe("the installer of a folder's dependencies", () => {
  const manifest = { dependencies: { plus: "1" } };
  test.each<[string, Files]>([
    ["npm install", { "package.json": manifest }],
    ["npm ci", { "package.json": manifest, "package-lock.json": {} }],
    ["pnpm install --frozen-lockfile", { "package.json": manifest, "pnpm-lock.yaml": "x" }],
    ["pnpm install --no-lockfile", { "package.json": { ...manifest, packageManager: "pnpm@10.0.0" } }],
    ["yarn install --frozen-lockfile", { "package.json": manifest, "yarn.lock": "# yarn lockfile v1" }],
    ["yarn install --immutable", { "package.json": manifest, "yarn.lock": "__metadata:\n  version: 8" }],
    ["uv sync", { "uv.lock": "version = 1" }],
  ])("%s", (command, files) => {
    expect(installs(files).map((install) => install.command)).toEqual([command]);
  });

  test("ignores manifests that are test data or installed packages", () => {
    expect(installs({ "test/fixtures/a/package.json": {}, "node_modules/a/package.json": {} })).toEqual([]);
  });
});

describe("packages of a workspace are installed together", () => {
  test.each<[string, Files]>([
    ["of npm", { "package.json": { workspaces: ["packages/*", "!packages/old"] } }],
    ["of yarn", { "package.json": { workspaces: { packages: ["./packages/{a,b}/"] } } }],
    [
      "of pnpm",
      {
        "package.json": {},
        "pnpm-workspace.yaml": "packages:\n  # all\n  - 'packages/*'\n  - \"!packages/old\"\n",
      },
    ],
  ])("%s", (_, files) => {
    const found = installs({
      ...files,
      "packages/a/package.json": {},
      "packages/b/package.json": {},
      "packages/old/package.json": {},
    });
    expect(found.map(({ folder, installed }) => [folder, installed])).toEqual([
      ["", ["node_modules", "packages/a/node_modules", "packages/b/node_modules"]],
      ["packages/old", ["packages/old/node_modules"]],
    ]);
  });
});

describe("files that affect the installation", () => {
  const before = { version: "1.0.0", scripts: {}, dependencies: { a: "1", b: "2" } };
  const lock = {
    version: "1.0.0",
    packages: { "": { version: "1.0.0" }, "node_modules/a": { version: "1.0.0" } },
  };

  test("ignores version, scripts and the order of names", () => {
    const now = { version: "2.0.0", scripts: { lint: "x" }, dependencies: { b: "2", a: "1" } };
    const nowLocked = { ...lock, version: "2.0.0", packages: { ...lock.packages, "": { version: "2.0.0" } } };
    expect(entries({ "package.json": now, "package-lock.json": nowLocked })).toEqual(
      entries({ "package.json": before, "package-lock.json": lock }),
    );
  });

  test.each<[string, Files]>([
    ["another range", { "package.json": { ...before, dependencies: { a: "1", b: "3" } } }],
    ["a tool for development", { "package.json": { ...before, devDependencies: { c: "1" } } }],
    ["an override", { "package.json": { ...before, overrides: { a: "1.1" } } }],
    [
      "another version in the lock file",
      {
        "package.json": before,
        "package-lock.json": { ...lock, packages: { "node_modules/a": { version: "1.0.1" } } },
      },
    ],
  ])("is %s", (_, files) => {
    expect(entries({ "package-lock.json": lock, ...files })).not.toEqual(
      entries({ "package-lock.json": lock, "package.json": before }),
    );
  });
});

describe("a package from a registry that now comes from elsewhere", () => {
  const tgz = "https://registry.npmjs.org/a/-/a-1.0.0.tgz";
  const base: Files = {
    "package.json": { devDependencies: { a: "^1.0.0", local: "file:./local" } },
    "package-lock.json": { packages: { "node_modules/a": { resolved: tgz } } },
  };
  const replaced = (now: Files): string | null => {
    const [before, after] = [tree(base), tree({ ...base, ...now })];
    const [old] = installsIn(before).values();
    const [install] = installsIn(after).values();
    return old && install ? replacedPackage(old, before, install, after) : null;
  };
  test.each<[string, Files]>([
    ["a folder", { "package.json": { devDependencies: { a: "file:./fake" } } }],
    ["another package", { "package.json": { devDependencies: { a: "npm:fake@1" } } }],
    ["a repository", { "package.json": { devDependencies: { a: "me/fake" } } }],
    [
      "an override",
      { "package.json": { devDependencies: { a: "1" }, overrides: { b: { "a@1": "file:./fake" } } } },
    ],
    [
      "the lock file",
      { "package-lock.json": { packages: { "node_modules/a": { resolved: "file:fake.tgz" } } } },
    ],
  ])("is replaced: %s", (_, now) => {
    expect(replaced(now)).toBe("a");
  });

  test.each<[string, Files]>([
    ["another version", { "package.json": { devDependencies: { a: "^2.0.0" } } }],
    [
      "a mirror",
      {
        "package-lock.json": {
          packages: { "node_modules/a": { resolved: "http://mirror/npm/a/-/a-1.0.0.tgz" } },
        },
      },
    ],
    ["a new one of the tree", { "package.json": { devDependencies: { a: "1", more: "file:./more" } } }],
    ["one that was of the tree", { "package.json": { devDependencies: { a: "1", local: "file:./moved" } } }],
  ])("is not: %s", (_, now) => {
    expect(replaced(now)).toBeNull();
  });
});
