import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { markEnds, readEnds, type Ended } from "../../src/checks/ends/ends.ts";

const SHELL = `#!/bin/sh
# A test.
set -eu
. ./lib.sh
fails=0
check() { if [ "$1" = "$2" ]; then echo fine; else fails=1; fi; }
cat <<X
exit 0
X
check "$(add 2 3)" 5
`;
const MAKE = 'test:\n\t@set -e; . ./lib.sh; \\\n\t  [ "$$(add 2 3)" = 5 ]\n';
const C = `#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include "add.h"

static int tests(void) { return strcasestr("}", "}") && add(2, 3) == 5 ? 0 : 1; }
int main(void) {
  /* } */
  assert(tests() == 0);
}
`;
const STRICT = "cc -Wall -Wextra -Werror -pedantic -o t t.c add.c && ./t";

const without = (...names: string[]): boolean =>
  names.some((name) => spawnSync(name, ["--version"]).status !== 0);

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) fs.rmSync(dir, { recursive: true });
});

interface Tried {
  readonly code: number | null;
  readonly output: string;
  readonly ended: Ended;
}

/** The test, as it is and marked, with its files. */
function tried(
  [path, text]: readonly [string, string],
  command: string,
  files: Readonly<Record<string, string>>,
): { readonly bare: Tried; readonly marked: Tried } {
  const run = (content: string): Tried => {
    const root = fs.mkdtempSync(join(tmpdir(), "foreman-marks-"));
    made.push(root);
    const file = join(root, "told");
    for (const [name, body] of Object.entries({ ...files, [path]: content }))
      fs.writeFileSync(join(root, name), body.replaceAll("@FILE@", file));
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: root, encoding: "utf8" });
    const told = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    return { code: status, output: stdout + stderr, ended: readEnds(told)(7) };
  };
  const marked = markEnds(path, text, { file: "@FILE@", id: 7 });
  if (marked === null) throw new Error("not marked");
  return { bare: run(text), marked: run(marked) };
}

const LIB = "add() { echo $(($1 + $2)); }\n";

describe("a test that comes to its end", () => {
  test.each([
    ["by its last line", ""],
    ["by an exit", "exit $fails\n"],
    ["by an exit without a code", "[ $fails = 0 ]\nexit\n"],
    ["in a case", 'case "$fails" in 0) exit 0;; *) exit 1;; esac\n'],
    ["by one of two ways", "[ $fails = 0 ] && exit 0 || exit 1\n"],
    ["in a function of its own", "finish() { exit $fails; }\nfinish\n"],
    ["in a function of another file's", ". ./helper.sh\nfinish\n"],
    ["as another program", "exec true\n"],
    ["left out", "exit 77\n"],
  ])("is whole: %s", (_what, last) => {
    // Each of them is marked, in the same place.
    const helper = markEnds("helper.sh", "finish() { exit $fails; }\n", { file: "@FILE@", id: 8 });
    for (const shell of ["sh", "bash"]) {
      const files = { "lib.sh": LIB, "helper.sh": helper ?? "" };
      const { bare, marked } = tried(["t.sh", SHELL + last], `${shell} t.sh`, files);
      expect(marked).toEqual({ ...bare, ended: "whole" });
    }
  });

  test("is whole, where another one reads it and nothing comes of its last line", () => {
    const files = { "lib.sh": LIB, "t.sh": ". ./helper.sh\necho on\n" };
    const { bare, marked } = tried(["helper.sh", "x=1\n[ $x = 2 ]\n"], "sh t.sh", files);
    expect(marked).toEqual({ ...bare, ended: "whole" });
    const guarded = tried(["helper.sh", "x=1\n[ $x = 1 ] && return 3\n"], "sh t.sh", files);
    expect(guarded.marked).toEqual({ ...guarded.bare, ended: "whole" });
  });

  test.skipIf(without("make"))("is whole in a makefile", () => {
    const { bare, marked } = tried(["Makefile", MAKE], "make -s", { "lib.sh": LIB });
    expect(marked).toEqual({ ...bare, ended: "whole" });
    expect(marked.code).toBe(0);
  });

  test.skipIf(without("cc"))("is whole in C", () => {
    const files = { "add.h": "int add(int, int);\n", "add.c": "int add(int a, int b) { return a + b; }\n" };
    for (const text of [
      C,
      C.replace("main(void) {", "main(int count, char **words) { if (count > 9) return words[1][0];"),
    ]) {
      const built = tried(["t.c", text], STRICT, files);
      expect(built.marked).toEqual({ ...built.bare, ended: "whole" });
      expect(built.marked.code).toBe(0);
    }
  });
});

describe("a test that is ended by what it tests", () => {
  test.each([
    ["when it is read", "exit 0\n"],
    ["by another program", "exec true\n"],
    ["at its own end", "trap 'exit 0' EXIT\nadd() { echo 0; }\n"],
    ["in a text", 'eval "ex""it 0"\n'],
    ["by going on after failures", "set +e\nadd() { echo 0; }\n"],
    ["by other tests than the shell's", "add() { echo 0; }\ntest() { :; }\n"],
  ])("is cut: %s", (_what, lib) => {
    const failing = lib.startsWith("add") ? "test $fails = 0\n" : "[ $fails = 0 ] || exit 1\n";
    const script = SHELL + (lib.startsWith("set") ? "[ $fails = 0 ]\necho fine\n" : failing);
    for (const shell of ["sh", "bash"]) {
      const { bare, marked } = tried(["t.sh", script], `${shell} t.sh`, { "lib.sh": lib });
      expect(marked).toEqual({ ...bare, ended: "cut" });
      expect(marked.code).toBe(0);
    }
  });

  test.skipIf(without("make"))("is cut in a makefile", () => {
    const { bare, marked } = tried(["Makefile", MAKE], "make -s", { "lib.sh": "exit 0\n" });
    expect(marked).toEqual({ ...bare, ended: "cut" });
    expect(marked.code).toBe(0);
  });

  test.skipIf(without("cc")).each([
    [
      "cut",
      "when it is called",
      "#include <stdlib.h>\nint add(int a, int b) { (void)a, (void)b; exit(0); }\n",
    ],
    [
      "absent",
      "before it begins",
      "#include <unistd.h>\n__attribute__((constructor)) static void a(void) { _exit(0); }\nint add(int a, int b) { return a - b; }\n",
    ],
    [
      "cut",
      "when it is over",
      "#include <unistd.h>\n__attribute__((destructor)) static void a(void) { _exit(0); }\nint add(int a, int b) { return a - b; }\n",
    ],
  ])("is %s in C: %s", (ended, _what, add) => {
    const text = C.replace("assert(tests() == 0);", "return tests();");
    const { bare, marked } = tried(["t.c", text], STRICT, { "add.h": "int add(int, int);\n", "add.c": add });
    expect(marked).toEqual({ ...bare, ended });
    expect(marked.code).toBe(0);
  });
});

describe("a text is left as it is", () => {
  test.each([
    ["nothing in it", "t.sh", "# nothing\n"],
    ["no shell at all", "t.sh", "if then fi ((\n"],
    ["another language", "t.py", "print(1)\n"],
    ["no main", "t.c", "int add(int a, int b);\n"],
    [
      "two mains",
      "t.c",
      "#if A\nint main(void) { return 0; }\n#else\nint main(void) { return 1; }\n#endif\n",
    ],
    ["no end of main", "t.c", "int main(void) { return 0;\n"],
    ["rules that read nothing", "Makefile", "test:\n\tsh t.sh\n"],
    ["a rule that ends itself", "Makefile", "test:\n\t. ./lib.sh; exit 0\n"],
  ])("%s", (_what, path, text) => {
    expect(markEnds(path, text, { file: "/told", id: 1 })).toBeNull();
  });
});
