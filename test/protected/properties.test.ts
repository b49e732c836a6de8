import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ProtectedKind } from "../../src/core/evidence/change.ts";
import { compareFile } from "../../src/evidence/protected/compare.ts";
import { protectedFilesOf } from "../../src/evidence/protected/protected-files.ts";
import { NO_USES, type CommandUses } from "../../src/evidence/protected/uses.ts";
import { compared } from "./base.ts";

const USES: CommandUses = {
  ...NO_USES,
  scripts: new Map([["package.json", new Set(["test", "unit"])]]),
  tools: new Set(["ruff", "eslint"]),
};
const PATHS = [
  "package.json",
  "pyproject.toml",
  "setup.cfg",
  "Cargo.toml",
  "Makefile",
  "pom.xml",
  "deno.json",
  "a.js",
];
const path = fc.constantFrom(...PATHS);
const kind = fc.constantFrom<ProtectedKind[]>("test", "config", "script", "shadow");

/** Fragments that matter to the parsers, so that they meet in random texts. */
const PARTS = [
  "[tool.pytest]\n",
  "[tool.ruff]\n",
  "[tool]\n",
  "[lib]\n",
  "[[test]]\n",
  "[testenv]\n",
  "[metadata]\n",
  "pytest.a = 1\n",
  "test = true\n",
  "x = [1,\n 2]\n",
  'y = """\n',
  "z = {a = 1}\n",
  '{"scripts": {',
  '"test": "a"',
  "}, ",
  "}",
  "all: a.c\n",
  "\tcc a.c b.c\n",
  "# c\n",
  "\\\n",
  "\r\n",
  "'",
  '"',
  " ",
  "=",
  "<dependency>",
];
const text = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(""));
const maybe = fc.option(text);

const script = fc.constantFrom("jest", "exit 0", "node --test");
const scripts = fc.dictionary(fc.constantFrom("test", "unit", "pretest", "posttest", "build", "x"), script);
const manifest = fc.record(
  {
    scripts,
    jest: fc.constantFrom({}, { bail: 1 }),
    name: fc.string(),
    dependencies: fc.dictionary(fc.string(), script),
  },
  { requiredKeys: [] },
);
type Manifest = { readonly scripts?: Record<string, string>; readonly jest?: unknown };

/** The relevant parts of package.json, read independently of the program. */
function decisive(base: Manifest, value: Manifest): unknown {
  const used = ["test", "unit"].filter((name) => base.scripts?.[name] !== undefined);
  const names = used.flatMap((name) => [`pre${name}`, name, `post${name}`]);
  return { scripts: names.map((name) => value.scripts?.[name] ?? null), jest: value.jest ?? null };
}

describe("comparing files", () => {
  test("equal files have not changed", () => {
    fc.assert(
      fc.property(path, kind, maybe, (name, of, same) => {
        expect(compareFile(name, of, same, same, USES)).toEqual({ change: null, laid: same });
      }),
    );
  });

  test("whatever the texts: what is laid is as good as the base's, and nothing is thrown", () => {
    fc.assert(
      fc.property(path, kind, maybe, maybe, (name, of, before, after) => {
        const { change, laid } = compareFile(name, of, before, after, USES);
        expect(compareFile(name, of, before, laid, USES).change).toBeNull();
        expect(change !== null || laid === before || laid === after).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("package.json: laid agrees with the base in what counts, and with the candidate in the rest", () => {
    fc.assert(
      fc.property(manifest, manifest, (before, after) => {
        const { change, laid } = compared(
          "package.json",
          JSON.stringify(before),
          JSON.stringify(after),
          USES,
        );
        const result = JSON.parse(laid ?? "") as typeof after;
        expect(decisive(before, result)).toEqual(decisive(before, before));
        expect([result.name, result.dependencies]).toEqual([after.name, after.dependencies]);
        expect(result.scripts?.["x"]).toEqual(after.scripts?.["x"]);
        const isSame = JSON.stringify(decisive(before, before)) === JSON.stringify(decisive(before, after));
        expect(change === null).toBe(isSame);
        expect(laid === JSON.stringify(after) || !isSame).toBe(true);
      }),
    );
  });

  test("added lines are an extension, wherever they are", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1 });
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom("d", "a")), { minLength: 1 }),
        (base, more) => {
          const grown: string[] = [...base];
          for (const [at, line] of more) grown.splice(at % (grown.length + 1), 0, line);
          const { change } = compared(
            "t.js",
            `${base.join("\n")}\nend\n`,
            `${grown.join("\n")}\nend\n`,
            NO_USES,
            "test",
          );
          expect(change?.how).toBe("extended");
        },
      ),
    );
  });

  test("is not broken by long and deep texts", () => {
    const long = 20_000;
    for (const name of PATHS)
      for (const part of [
        "[",
        "{",
        '"',
        "a.c ",
        "x=1\n",
        "[a]\n",
        "<dependency>",
        "'''",
        "\\\n",
        "a\n",
        "\t",
        ",",
      ])
        compared(name, `${part.repeat(long)}x`, part.repeat(long), USES);
    expect(compared("t.js", "a\n".repeat(long), "a\nb\n".repeat(long), NO_USES, "test").change?.how).toBe(
      "extended",
    );
  });
});

describe("the protected files of any tree", () => {
  const name = fc.constantFrom(
    ...[
      "a",
      "test",
      "src",
      "..",
      "node_modules",
      "package.json",
      "Makefile",
      "x.sh",
      "json.py",
      "é\u2028",
      "__proto__",
    ],
    ...["vendor", "*", "{a,b}", "tests", "a.test.js", ".npmrc", "\ud800"],
  );
  const place = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const command = fc
    .array(
      fc.constantFrom(
        "npm",
        "test",
        "run",
        "make",
        "-C",
        "-f",
        "cd",
        "&&",
        "sh",
        "python",
        "-m",
        "a",
        "x.sh",
        "{",
        "'",
      ),
    )
    .map((words) => words.join(" "));

  test("is made whatever its files, texts and commands are", () => {
    fc.assert(
      fc.property(fc.uniqueArray(place), text, fc.array(command), place, (files, content, commands, cwd) => {
        const protectedFiles = protectedFilesOf({ files, read: () => content, commands, cwd });
        for (const file of files) expect(protectedFiles.kindOfNew(file)).toBeNull();
        const others = ["a", "test/x", cwd].filter((file) => !files.includes(file));
        expect(others.map((file) => protectedFiles.kindOf(file))).toEqual(others.map(() => null));
      }),
    );
  });

  test("new tests and new files of the product are welcome", () => {
    const files = ["package.json", "src/a.js", "test/a.test.js", "app/b.py", "tests/test_b.py", "Makefile"];
    const { kindOfNew } = protectedFilesOf({
      files,
      read: () => "",
      commands: ["npm test", "pytest", "make"],
      cwd: "",
    });
    const fresh = fc.stringMatching(/^[a-z]{3,8}[0-9]$/);
    fc.assert(
      fc.property(fresh, (one) => {
        for (const welcome of [
          `src/${one}.js`,
          `app/${one}.py`,
          `test/${one}.test.js`,
          `tests/test_${one}.py`,
          `${one}/x.c`,
        ])
          expect(kindOfNew(welcome)).toBeNull();
      }),
    );
  });
});
