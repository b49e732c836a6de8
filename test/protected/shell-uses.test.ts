import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

describe("scripts that write a program that is run as a test", () => {
  const tree = { "tools/gen.py": "", "tools/gen.sh": "", "gen.py": "" };

  test.each<[string, string, string | null]>([
    ["python3 tools/gen.py > test_gen.py && python3 -m unittest test_gen", "tools/gen.py", "script"],
    ["sh tools/gen.sh >t.sh && sh t.sh", "tools/gen.sh", "script"],
    ["./tools/gen.sh >./t.sh; chmod +x t.sh; ./t.sh", "tools/gen.sh", "script"],
    ["python3 tools/gen.py > build/test_gen.py", "tools/gen.py", "script"],
    // Its output is under test.
    ["sh tools/gen.sh >t.sh && [ $(sh t.sh) = 5 ]", "tools/gen.sh", null],
    ["python3 tools/gen.py >tests/out.py && diff tests/out.py tests/want.py", "tools/gen.py", null],
    ["python3 tools/gen.py >out.txt && grep -q x out.txt", "tools/gen.py", null],
    ["python3 gen.py >prog.py && python3 prog.py", "gen.py", null],
  ])("%s: %s is %s", (command, path, kind) => {
    expect(protectedFilesIn(tree, [command]).kindOf(path)).toBe(kind);
  });

  test("in a rule of make's", () => {
    const Makefile =
      "test: build/test_gen.py\n\tpython3 build/test_gen.py\nbuild/test_gen.py: tools/gen.py\n\tpython3 tools/gen.py > $@\n";
    expect(protectedFilesIn({ ...tree, Makefile }, ["make test"]).kindOf("tools/gen.py")).toBe("script");
  });
});

describe("a file that a script reads if it is there", () => {
  const newIn = (script: string, path: string) =>
    protectedFilesIn({ "tests/run.sh": script, "tests/a.sh": "" }, ["sh tests/run.sh"]).kindOfNew(path);

  test.each<[string, string]>([
    ["[ -f tests/omit.txt ] && skip=$(cat tests/omit.txt)\n", "tests/omit.txt"],
    ["if [ -e skipped.txt ]; then\n  skip=$(cat skipped.txt)\nfi\n", "skipped.txt"],
    ['if test -f "$here/skip.lst"; then skip="$(cat "$here/skip.lst")"; fi\n', "tests/skip.lst"],
    ["if [ -s known-failures ]; then while read t; do :; done <known-failures; fi\n", "known-failures"],
  ])("%j waits for %s", (script, path) => {
    expect(newIn(script, path)).toBe("shadow");
  });

  test.each<[string, string]>([
    ["[ -f LICENSE ] || exit 1\n", "LICENSE"],
    ["[ -f notes.txt ] && text=$(cat notes.txt)\n[ $text = a ]\n", "notes.txt"],
    ['[ -f tests/out.txt ] && [ "$(cat tests/out.txt)" = 3 ]\n', "tests/out.txt"],
    ["skip=$(cat tests/skip.txt)\n", "tests/skip.txt"],
  ])("%j does not wait for %s", (script, path) => {
    expect(newIn(script, path)).toBeNull();
  });
});

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
