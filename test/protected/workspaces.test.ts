import { expect, test } from "vitest";
import { comparedIn, protectedFilesIn } from "./base.ts";

const MANY = ["packages/a", "packages/b"];
const part = (name: string) => ({ name, scripts: { test: "node check.js" } });

function changed(workspaces: unknown, after: unknown, script = "npm test --workspaces --if-present") {
  const own = { name: "all", scripts: { test: script } };
  const files = {
    "package.json": { ...own, workspaces },
    "packages/a/package.json": part("a"),
    "packages/b/package.json": part("b"),
  };
  const text = JSON.stringify(after === undefined ? own : { ...own, workspaces: after });
  const { change, laid } = comparedIn(files, ["npm test"])("package.json", text);
  return { entries: change?.entries ?? null, laid: JSON.parse(laid ?? "{}").workspaces };
}

test.each<[unknown, unknown, string?]>([
  [MANY, ["packages/a"]],
  [MANY, undefined],
  [["packages/*"], ["packages/*", "!packages/b"]],
  [["packages/*"], ["packages/a"]],
  [{ packages: MANY }, { packages: ["packages/a"] }],
  [MANY, ["packages/a"], "npm test -ws"],
  [MANY, ["packages/a"], "yarn workspaces run test"],
  [MANY, ["packages/a"], "turbo run test"],
  // An additional package shows up in the room as on the base.
  [MANY, [...MANY, "packages/c"]],
  [undefined, ["packages/*"]],
])("%j becomes %j: other packages are tested", (before, after, script) => {
  expect(changed(before, after, script)).toEqual({ entries: ["workspaces"], laid: before });
});

test("unused packages belong to the product", () => {
  expect(changed(MANY, ["packages/a"], "node --test")).toEqual({ entries: null, laid: ["packages/a"] });
});

test.each<[string, string | null]>([
  ["packages/b", null],
  ["tools/b", "script"],
  ["checks", "script"],
  ["qa", "script"],
])("beside a check at the root of the package, %s is %s", (folder, kind) => {
  const files = {
    "package.json": { scripts: { test: "npm test -ws" }, workspaces: ["packages/*", folder] },
    [`${folder}/package.json`]: part("b"),
    [`${folder}/check.js`]: 'require("./add.js")',
    [`${folder}/add.js`]: "",
  };
  expect(protectedFilesIn(files, ["npm test"]).kindOf(`${folder}/add.js`)).toBe(kind);
});
