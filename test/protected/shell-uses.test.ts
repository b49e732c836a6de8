import { expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

test.each<[string, string, string | null]>([
  ["node qa", "qa/index.js", "shadow"],
  ["node qa", "server/index.js", null],
  ["node server", "server/index.js", null],
])("%s: a new package.json beside %s is %s", (command, first, kind) => {
  const folder = first.replace(/\/.*/, "");
  expect(protectedFilesIn({ [first]: "", "add.js": "" }, [command]).kindOfNew(`${folder}/package.json`)).toBe(
    kind,
  );
});
