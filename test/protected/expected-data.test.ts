import { describe, expect, test } from "vitest";
import { protectedFilesIn } from "./base.ts";

type Tree = Readonly<Record<string, string>>;

const PAIRS = "for f in golden/*.in; do ./add.sh <$f | diff - ${f%.in}.out || exit 1; done";
const GOLDEN = { "golden/a.in": "1 2\n", "golden/a.out": "3\n" };
const inMake = (line: string): Tree => ({ Makefile: `test:\n\t@${line.replaceAll("$", "$$$$")}\n` });

function testsIn(files: Tree, command: string): string[] {
  const { kindOf } = protectedFilesIn({ "add.sh": "", ...files }, [command]);
  return Object.keys(files).filter((path) => kindOf(path) === "test" && !path.startsWith("tests/"));
}

describe("files that a loop of the tests reads are protected", () => {
  test.each<[string, Tree]>([
    [PAIRS, GOLDEN],
    ["make test", { ...GOLDEN, ...inMake(PAIRS) }],
    [
      "make test",
      {
        ...GOLDEN,
        Makefile: inMake(PAIRS)["Makefile"]?.replace("golden/*.in", "$(wildcard golden/*.in)") ?? "",
      },
    ],
    ["sh tests/run.sh", { ...GOLDEN, "tests/run.sh": `${PAIRS}\n` }],
    ["sh tests/run.sh golden", { ...GOLDEN, "tests/run.sh": `${PAIRS.replace("golden", "$1")}\n` }],
    [
      "sh tests/run.sh",
      {
        ...GOLDEN,
        "tests/run.sh":
          'for f in golden/*.in\ndo\n  [ "$(./add.sh $(cat $f))" = "$(cat ${f%.in}.out)" ]\ndone\n',
      },
    ],
  ])("inputs and outputs: %s", (command, files) => {
    expect(testsIn(files, command)).toEqual(["golden/a.in", "golden/a.out"]);
    expect(protectedFilesIn({ "add.sh": "", ...files }, [command]).kindOfNew("golden/b.out")).toBeNull();
  });

  test("outputs that are named after the whole input", () => {
    const files = { "golden/a.in": "", "golden/a.in.out": "" };
    expect(testsIn(files, "for f in golden/*.in; do ./add.sh $f | cmp - $f.out; done")).toEqual(
      Object.keys(files),
    );
  });

  test.each<[string, Tree]>([
    ["for f in docs/*.txt; do grep -q '^# ' $f || exit 1; done", { "docs/a.txt": "" }],
    ["for f in docs/*.json; do ./add.sh $f | diff - $f; done", { "docs/a.json": "" }],
    ["for f in docs/*.txt; do ./add.sh $f >${f%.txt}.html; done", { "docs/a.txt": "", "docs/a.html": "" }],
    ["for f in src/*.c; do ./add.sh $f | diff - ${f%.c}.h; done", { "src/a.c": "", "src/a.h": "" }],
    ["while read a; do [ -f $a ] || exit 1; done <files.txt", { "files.txt": "" }],
    ["sh tests/run.sh data.csv", { "data.csv": "", "tests/run.sh": '[ "$(wc -l <"$1")" = 3 ]\n' }],
    [
      "sh tests/run.sh data.csv",
      { "data.csv": "", "tests/run.sh": 'while read a b; do [ -n "$b" ] || exit 1; done <"$1"\n' },
    ],
  ])("files under inspection are the product: %s", (command, files) => {
    expect(testsIn(files, command)).toEqual([]);
  });
});
