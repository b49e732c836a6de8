import { expect, test } from "vitest";
import { comparedIn, oracleIn } from "./base.ts";

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
])("%j becomes %j: a package is no longer tested", (before, after, script) => {
  expect(changed(before, after, script)).toEqual({ entries: ["workspaces"], laid: before });
});

test.each<[unknown, unknown, string?]>([
  [MANY, [...MANY, "packages/c"]],
  [MANY, ["packages/b", "packages/a"]],
  [MANY, ["packages/*"]],
  [MANY, ["./packages/a/", "packages/b"]],
  [["packages/*", "!packages/b"], ["packages/*"]],
  [{ packages: MANY }, MANY],
  [undefined, ["packages/*"]],
  // Nobody goes through the packages.
  [MANY, ["packages/a"], "node --test"],
])("%j becomes %j: nothing to tell", (before, after, script) => {
  expect(changed(before, after, script)).toEqual({ entries: null, laid: after });
});

test.each<[string, string | null]>([
  ["packages/b", null],
  ["tools/b", "script"],
  ["checks", "script"],
  ["qa", "script"],
])("what lies beside a check at the root of the package %s is %s", (folder, kind) => {
  const files = {
    "package.json": { scripts: { test: "npm test -ws" }, workspaces: ["packages/*", folder] },
    [`${folder}/package.json`]: part("b"),
    [`${folder}/check.js`]: 'require("./add.js")',
    [`${folder}/add.js`]: "",
  };
  expect(oracleIn(files, ["npm test"]).kindOf(`${folder}/add.js`)).toBe(kind);
});
