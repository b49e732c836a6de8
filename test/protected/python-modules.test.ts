import { describe, expect, test } from "vitest";
import { comparedIn, protectedFilesIn } from "./base.ts";

type Tree = Readonly<Record<string, string>>;

const ASSERTS = "from calc import add\nassert add(1, 2) == 3\n";
const CASES =
  "import unittest\nfrom calc import add\nclass T(unittest.TestCase):\n    def test_a(self): ...\n";
const CALC = { "calc.py": "def add(a, b): ...\n" };

function kindIn(files: Tree, command: string, path: string) {
  return protectedFilesIn(files, [command]).kindOf(path);
}

describe("a package that tests another one", () => {
  test.each<[string, string, string, Tree]>([
    ["python3 -m qa.sums", "qa/sums.py", "script", { "qa/sums.py": ASSERTS }],
    ["python3 qa/sums.py", "qa/sums.py", "script", { "qa/sums.py": ASSERTS }],
    [
      "python3 -m qa.sums",
      "qa/more.py",
      "script",
      { "qa/sums.py": `from qa import more\n${ASSERTS}`, "qa/more.py": "" },
    ],
    ["python3 -m unittest qa.sums", "qa/sums.py", "test", { "qa/sums.py": CASES }],
    ["python3 -m unittest qa.sums.T", "qa/sums.py", "test", { "qa/sums.py": CASES }],
    [
      "pytest qa/sums.py",
      "qa/sums.py",
      "test",
      { "qa/sums.py": "from calc import add\ndef test_a(): ...\n" },
    ],
  ])("%s: %s is %s", (command, path, kind, files) => {
    expect(kindIn({ ...CALC, "qa/__init__.py": "", ...files }, command, path)).toBe(kind);
  });

  test.each<[string, string, string, Tree]>([
    [
      "asserts nothing",
      "python3 -m cli.convert",
      "cli/convert.py",
      { "cli/convert.py": "from calc import add\n" },
    ],
    [
      "loads only its own",
      "python3 -m cli.convert",
      "cli/convert.py",
      { "cli/convert.py": "from cli.sums import x\nassert x\n", "cli/sums.py": "" },
    ],
    [
      "is loaded",
      "python3 -m cli.convert",
      "cli/convert.py",
      { "cli/convert.py": ASSERTS, "main.py": "import cli.convert\n" },
    ],
    ["is read", 'test "$(python3 -m cli.convert)" = 3', "cli/convert.py", { "cli/convert.py": ASSERTS }],
    [
      "is loaded though it holds tests",
      "python3 -m unittest cli.sums",
      "cli/sums.py",
      { "cli/sums.py": CASES, "main.py": "from cli.sums import x\n" },
    ],
    [
      "is tested by itself",
      "python3 -m unittest cli.sums",
      "cli/sums.py",
      { "cli/sums.py": CASES.replace("from calc import add\n", "") },
    ],
    [
      "begins a product",
      "python3 -m cli.verify",
      "cli/__init__.py",
      { "cli/verify.py": "", "cli/add.py": "" },
    ],
    [
      "begins what is the product",
      "python3 -m cli.verify",
      "cli/__init__.py",
      { "cli/__init__.py": "def add(): ...\n", "cli/verify.py": "from cli import add\n" },
    ],
    [
      "begins what tests load",
      "python3 -m verify.sums",
      "verify/__init__.py",
      {
        "verify/__init__.py": "x = 1\n",
        "verify/sums.py": "",
        "tests/test_verify.py": "from verify import x\n",
      },
    ],
  ])("is none if it %s", (_, command, path, files) => {
    expect(kindIn({ ...CALC, "cli/__init__.py": "", ...files }, command, path)).toBeNull();
  });
});

describe("a new package that shadows a module", () => {
  const files = {
    ...CALC,
    "README.md": "    >>> 1\n    1\n",
    "qa/verify.py": ASSERTS,
    "tests/__init__.py": "",
    "tests/test_calc.py": CASES,
  };
  const commands = [
    "python3 -m qa.verify",
    "python3 -m doctest README.md",
    "python3 -m unittest tests.test_calc",
  ];
  const change = (path: string, text: string) => comparedIn(files, commands)(path, text).change;

  test.each([
    "qa/verify/__init__.py",
    "doctest/__init__.py",
    "unittest/__init__.py",
    "tests/test_calc/__init__.py",
  ])("%s is held though it is empty", (path) => {
    expect(change(path, "")?.how).toBe("added");
    expect(change(path, "# nothing\n")?.how).toBe("added");
  });

  test.each(["qa/__init__.py", "json/__init__.py"])("%s is not while it is empty", (path) => {
    expect(change(path, "")).toBeNull();
    expect(change(path, '__path__ = ["util"]\n')?.how).toBe("added");
  });

  test("modules before a folder of modules", () => {
    const { kindOfNew } = protectedFilesIn(files, commands);
    expect(["qa.py", "qa.abi3.so", "other.py", "qa/more.py"].map(kindOfNew)).toEqual([
      "shadow",
      "shadow",
      null,
      null,
    ]);
    expect(protectedFilesIn({ ...files, "qa/__init__.py": "" }, commands).kindOfNew("qa.py")).toBeNull();
  });
});
