import { NOT_DECLARED } from "../../src/evidence/protected/declared.ts";
import { describe, expect, test } from "vitest";
import type { ProtectedFiles } from "../../src/evidence/protected/protected-files.ts";
import { protectedFilesOfTree } from "../../src/evidence/base/tree-protected.ts";

/** Links are written `-> target`. */
function protectedFilesIn(tree: Readonly<Record<string, string>>, ...commands: string[]): ProtectedFiles {
  const isLink = (path: string): boolean => tree[path]?.startsWith("-> ") === true;
  return protectedFilesOfTree({
    files: new Map(Object.keys(tree).map((path) => [path, isLink(path) ? "link 1" : "file 1"])),
    entryAt: (path) => {
      const text = tree[path];
      if (text === undefined) return null;
      return { kind: isLink(path) ? "link" : "file", bytes: Buffer.from(text.replace(/^-> /, "")) };
    },
    commands,
    folder: "",
    declared: NOT_DECLARED,
  });
}

describe("a link that leads to a folder", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["tests", { tests: "-> suite" }],
    ["tests, with a slash", { tests: "-> ./suite/" }],
    ["tests by way of another", { tests: "-> now", now: "-> suite" }],
    ["deep tests", { "pkg/tests": "-> ../suite" }],
  ])("%s: files there are tests", (_, links) => {
    const { kindOf, kindOfNew } = protectedFilesIn(
      { ...links, "suite/sums.js": "", "add.js": "" },
      "node --test",
    );
    expect(kindOf("suite/sums.js")).toBe("test");
    expect(kindOf(Object.keys(links)[0] ?? "")).toBe("test");
    expect(kindOf("add.js")).toBeNull();
    expect([kindOfNew("suite/more.js"), kindOfNew("suite/conftest.py")]).toEqual([null, "test"]);
  });

  test("files that commands run indirectly", () => {
    const tree = { ci: "-> etc", "etc/all.sh": ". ./etc/part.sh\n", "etc/part.sh": "", "etc/hosts": "" };
    const { kindOf } = protectedFilesIn(tree, "./ci/all.sh");
    expect(["ci", "etc/all.sh", "etc/part.sh", "etc/hosts"].map(kindOf)).toEqual([
      "script",
      "script",
      "script",
      null,
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["among tests, to the product", { "tests/product": "-> ../suite" }],
    ["among dependencies", { "node_modules/suite": "-> ../suite" }],
    ["called otherwise", { shared: "-> suite" }],
    ["to itself", { "suite/tests": "-> ." }],
    ["to the root", { tests: "-> ." }],
    ["in a circle", { tests: "-> specs", specs: "-> tests" }],
    ["out of the tree", { tests: "-> ../suite", specs: "-> /suite" }],
    ["nowhere", { tests: "-> other" }],
    ["to the product by another name", { features: "-> src/features", "src/features/a.js": "" }],
  ])("%s: nothing is said about files there", (_, links) => {
    const { kindOf } = protectedFilesIn({ ...links, "suite/sums.js": "" }, "node --test");
    expect(["suite/sums.js", "src/features/a.js"].map(kindOf)).toEqual([null, null]);
  });
});
