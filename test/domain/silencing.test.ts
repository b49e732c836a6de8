import { expect, test } from "vitest";
import { addedComments } from "../../src/evidence/checks/silencing.ts";
import { protectedFilesIn } from "../protected/base.ts";

const added = (command: string, after: string, before: string | null = null): string[] =>
  addedComments(
    protectedFilesIn({ "package.json": { scripts: { check: command } } }, ["npm run check"]).uses.tools,
    () => [{ path: "src/a.ts", before, after }],
  ).map(({ comment, count }) => `${count} ${comment}`);

test.each([
  ["tsc --noEmit", "// @ts-ignore\nx\n/* @ts-expect-error why */\n", ["1 @ts-ignore", "1 @ts-expect-error"]],
  ["npx vue-tsc", "// @ts-nocheck\n", ["1 @ts-nocheck"]],
  ["eslint .", "/* eslint-disable */\n// eslint-disable-next-line no-x\n", ["2 eslint-disable"]],
  ["oxlint", "// oxlint-disable-line\n", ["1 eslint-disable"]],
  [
    "c8 node --test",
    "/* c8 ignore next */\n/* istanbul ignore if */\n",
    ["1 istanbul ignore", "1 c8 ignore"],
  ],
  ["vitest run --coverage", "/* v8 ignore start */\n", ["1 v8 ignore"]],
  ["pytest --cov=adder", "x()  # pragma: no cover\n", ["1 # pragma: no cover"]],
  ["mypy adder", "x = 1  # type: ignore[assignment]\n", ["1 # type: ignore"]],
  ["ruff check", "import x  # noqa: F401\n# ruff: noqa\n", ["2 # noqa"]],
])("%s minds %j", (command, text, comments) => {
  expect(added(command, text)).toEqual(comments);
});

test("counts only new comments, and only if a test command is that checker", () => {
  const one = "// @ts-ignore\n";
  expect(added("tsc", one, one)).toEqual([]);
  expect(added("tsc", "", one)).toEqual([]);
  expect(added("tsc", `${one}${one}${one}`, one)).toEqual(["2 @ts-ignore"]);
  expect(added("vitest run", one)).toEqual([]);
  expect(added("tsc", 'const text = "@ts-ignore";\n')).toEqual([]);
});

test("files are named, and of many the first", () => {
  const changes = Array.from({ length: 30 }, (_, at) => ({
    path: `${at}.ts`,
    before: null,
    after: "// @ts-ignore\n",
  }));
  const [silenced] = addedComments(new Set(["tsc"]), () => changes);
  expect(silenced).toMatchObject({ count: 30, files: { count: 30 } });
  expect(silenced?.files.some).toHaveLength(20);
});
