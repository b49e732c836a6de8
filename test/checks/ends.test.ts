import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { languageOf, markEnds, mayEndOthers, namesRead } from "../../src/evidence/ends/mark-ends.ts";
import { markCommand } from "../../src/evidence/ends/mark-make.ts";
import { isEndedByProduct, readEnds, type Ended } from "../../src/evidence/ends/read-ends.ts";

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
const MAKE = 'test:\n\t@set -e; . ./lib.sh; \\\n\t  [ "$$(add 2 3)" = 5 ];\n';
const C = `#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#endif
#include "add.h"

struct named { int main; int exit; };
static int tests(void) { struct named it = { 0, 0 }; return it.main == it.exit && strcasestr("}", "}") && add(2, 3) == 5 ? 0 : 1; }
int main(void) {
  /* } */
  assert(tests() == 0);
}
`;
const STRICT = "cc -Wall -Wextra -Werror -Wshadow -pedantic -o t t.c add.c && ./t";

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

type Files = Readonly<Record<string, string>>;

function mark(path: string, text: string, id: string): string | null {
  const language = languageOf(path, text, false);
  return language === null ? null : markEnds(path, language, text, { file: "@FILE@", id });
}

function run(files: Files, command: string): Tried {
  const root = fs.mkdtempSync(join(tmpdir(), "foreman-marks-"));
  made.push(root);
  const file = join(root, "told");
  for (const [name, body] of Object.entries(files))
    fs.writeFileSync(join(root, name), body.replaceAll("@FILE@", file));
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command.replaceAll("@FILE@", file)], {
    cwd: root,
    encoding: "utf8",
  });
  const told = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  return { code: status, output: stdout + stderr, ended: readEnds(told)("7") };
}

/** The test with and without markers, with its files. */
function tried(
  [path, text]: readonly [string, string],
  command: string,
  files: Files,
): Record<"bare" | "marked", Tried> {
  const marked = mark(path, text, "7");
  if (marked === null) throw new Error("not marked");
  return {
    bare: run({ ...files, [path]: text }, command),
    marked: run({ ...files, [path]: marked }, command),
  };
}

const LIB = "add() { echo $(($1 + $2)); }\n";
const WRONG = "add() { echo 0; }\n";

describe("a test that reaches its own end", () => {
  const helper = mark("helper.sh", "finish() { exit $fails; }\nleave() { return 3; }\n", "8") ?? "";

  test.each([
    ["by its last line", ""],
    ["by an exit", "exit $fails\n"],
    ["by an exit without a code", "[ $fails = 0 ]\nexit\n"],
    ["by an exit whose code is nothing", "none=\nexit $none\n"],
    ["by the code of what was before", "true\nexit $?\n"],
    ["in a case", 'case "$fails" in 0) exit 0;; *) exit 1;; esac\n'],
    ["by one of two ways", "[ $fails = 0 ] && exit 0 || exit 1\n"],
    ["in a function of its own", "finish() { exit $fails; }\nfinish\n"],
    ["in a function of another file's", ". ./helper.sh\nfinish\n"],
    ["as another program", "exec true\n"],
    ["as another program that is told more", "LC_ALL=C exec true 2>&1\n"],
    ["by a signal that it waits for", "trap 'exit 0' USR1\nkill -USR1 $$\nsleep 5\n"],
    ["with something to do", "trap 'rm -f none' EXIT\n"],
    ["with something that the library does then", ". ./cleans.sh\n[ $fails = 0 ] || exit 1\n"],
    ["in a shell of its own", '( . ./lib.sh; [ "$(add 1 1)" = 2 ] )\n( . ./lib.sh; exit 0 )\n'],
    ["with a function of its own for tests", 'test() { [ "$@" ]; }\ntest $fails = 0\n'],
    [
      "with texts about itself",
      "# set +e\ncat >/dev/null <<X\nset -o errexit\nX\n( set +e; false ) || true\n",
    ],
  ])("is whole: %s", (_what, last) => {
    for (const shell of ["sh", "bash"]) {
      const files = { "lib.sh": LIB, "helper.sh": helper, "cleans.sh": "trap 'rm -f none' EXIT\n" };
      const { bare, marked } = tried(["t.sh", SHELL + last], `${shell} t.sh`, files);
      expect(marked).toEqual({ ...bare, ended: "whole" });
      expect(marked.code).toBe(0);
    }
  });

  test.each([
    ["by what it asks for", "exit 3\n", 3],
    ["by a failure", "false\n", 1],
    ["by a failure, with something to do", "trap 'echo over' EXIT\nfalse\n", 1],
    ["by what it does at its end", "trap 'exit 4' EXIT\n[ $fails = 1 ]\n", 4],
    ["and is left out", "exit 77\n", 77],
  ])("fails for all to see: %s", (_what, last, code) => {
    for (const shell of ["sh", "bash"]) {
      const { bare, marked } = tried(["t.sh", SHELL + last], `${shell} t.sh`, { "lib.sh": LIB });
      expect(marked).toEqual({ ...bare, ended: "failing" });
      expect(marked.code).toBe(code);
    }
  });

  test("adds no record in a file that another one reads, whatever its extension", () => {
    const files = { "lib.sh": LIB, "test-t.sh": "trap 'echo over' EXIT\n. ./t.sh\necho on\n" };
    for (const text of ["x=1\n[ $x = 2 ]\n", "x=1\n[ $x = 1 ] && return 3\n"]) {
      const { bare, marked } = tried(["t.sh", text], "sh test-t.sh", files);
      expect(marked).toEqual({ ...bare, ended: "absent" });
    }
  });

  test.skipIf(without("make"))("is whole in a makefile", () => {
    const { bare, marked } = tried(["Makefile", MAKE], "make -s", { "lib.sh": LIB });
    expect(marked).toEqual({ ...bare, ended: "whole" });
    expect(marked.code).toBe(0);
  });

  test("is whole as a command", () => {
    const command = markCommand('. ./lib.sh && [ "$(add 2 3)" = 5 ]', { file: "@FILE@", id: "7" });
    expect(run({ "lib.sh": LIB }, command ?? "")).toMatchObject({ code: 0, ended: "whole" });
    expect(run({ "lib.sh": WRONG }, command ?? "")).toMatchObject({ code: 1, ended: "failing" });
    expect(run({ "lib.sh": "exit 0\n" }, command ?? "")).toMatchObject({ code: 0, ended: "cut" });
  });

  const ADD = { "add.h": "int add(int, int);\n", "add.c": "int add(int a, int b) { return a + b; }\n" };
  test.skipIf(without("cc")).each([
    ["whole", "falls off its end", C],
    [
      "whole",
      "has words",
      C.replace("main(void) {", "main(int count, const char *words[]) { if (count > 9) return words[1][0];"),
    ],
    [
      "whole",
      "exits",
      C.replace("assert(tests() == 0);", "if (tests() == 0) exit(0); else _exit(1);").replace(
        "<string.h>",
        "<string.h>\n#include <stdlib.h>\n#include <unistd.h>",
      ),
    ],
    [
      "failing",
      "is to fail",
      C.replace("assert(tests() == 0);", "return 3;").replace(
        "static int",
        "__attribute__((unused)) static int",
      ),
    ],
    ["failing", "is to abort", C.replace("tests() == 0", "tests() == 1")],
  ])("is %s in C: it %s", (ended, _what, text) => {
    const { bare, marked } = tried(["t.c", text], STRICT, ADD);
    expect({ ...marked, output: "" }).toEqual({ ...bare, output: "", ended });
  });
});

describe("a test that is ended by the product", () => {
  const FAILS = "[ $fails = 0 ] || exit 1\n";

  test.each<[Ended, string, string, string]>([
    ["cut", "when it is read", "exit 0\n", FAILS],
    ["cut", "when it is read, and it has something to do", "exit 0\n", `trap 'rm -f none' EXIT\n${FAILS}`],
    ["gone", "by another program", "exec true\n", FAILS],
    ["gone", "at its own end", `trap 'exit 0' EXIT\n${WRONG}`, FAILS],
    ["cut", "in a text", 'eval "ex""it 0"\n', FAILS],
    ["bent", "by going on after failures", `set +e\n${WRONG}`, "[ $fails = 0 ]\necho fine\n"],
    ["bent", "by other tests than the shell's", `${WRONG}test() { :; }\n`, "test $fails = 0\n"],
  ])("is %s: %s", (ended, _what, lib, last) => {
    // The trap must be set before the library is loaded.
    const [first, ...rest] = last.startsWith("trap") ? last.split("\n") : [":", last];
    const script = SHELL.replace(". ./lib.sh", `${first}\n. ./lib.sh`) + rest.join("\n");
    for (const shell of ["sh", "bash"]) {
      const { bare, marked } = tried(["t.sh", script], `${shell} t.sh`, { "lib.sh": lib });
      expect(marked).toEqual({ ...bare, ended });
      expect(marked.code).toBe(0);
    }
  });

  test("is cut in its own shell", () => {
    const script = 'fails=0\n( . ./lib.sh; [ "$(add 2 3)" = 5 ] ) || fails=1\nexit $fails\n';
    const { bare, marked } = tried(["t.sh", script], "sh t.sh", { "lib.sh": "exit 0\n" });
    expect(marked).toEqual({ ...bare, ended: "cut" });
    expect(marked.code).toBe(0);
    expect(tried(["t.sh", script], "sh t.sh", { "lib.sh": WRONG }).marked).toMatchObject({
      code: 1,
      ended: "failing",
    });
  });

  test.skipIf(without("make")).each([MAKE, MAKE.replace("set -e; ", "")])("is cut in a makefile", (text) => {
    const { bare, marked } = tried(["Makefile", text], "make -s", { "lib.sh": "exit 0\n" });
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
      "bent",
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
    ["a line that goes on in nothing", "t.sh", "echo a \\\n"],
    ["an end that is put together", "t.sh", 'eval "exit $1"\n'],
    ["another language", "t.py", "print(1)\n"],
    ["no main", "t.c", "int add(int a, int b);\n"],
    [
      "two mains",
      "t.c",
      "#if A\nint main(void) { return 0; }\n#else\nint main(void) { return 1; }\n#endif\n",
    ],
    ["a main under a condition", "t.c", "#ifdef TESTED\nint main(void) { return 0; }\n#endif\n"],
    ["no end of main", "t.c", "int main(void) { return 0;\n"],
    ["another program in its place", "t.c", 'int main(void) { return execv("t", 0); }\n'],
    ["rules that read nothing", "Makefile", "test:\n\tsh t.sh\n"],
    ["a rule that ends itself", "Makefile", "test:\n\t. ./lib.sh; exit 0\n"],
    ["a rule that may fail", "Makefile", "test:\n\t-@. ./local.env\n"],
    ["one shell for all", "Makefile", ".ONESHELL:\ntest:\n\t. ./lib.sh\n"],
  ])("%s", (_what, path, text) => {
    expect(mark(path, text, "1")).toBeNull();
  });
});

test("the inputs of a text, and possible ends of its callers, are known", () => {
  expect(namesRead('. ./lib.sh\n[ -f x ] && . "$HERE/defs"; source a/b.subr || exit\n. "$ANY"\n')).toEqual([
    "lib.sh",
    "defs",
    "b.subr",
    "$ANY",
  ]);
  expect(mayEndOthers("c", "void done(void) { exit(failed); }")).toBe(true);
  expect(mayEndOthers("c", "void fail(void) { exit(1); } /* exit(0) */")).toBe(false);
});

test("any program that starts a test may end it, except a shell", () => {
  expect(readEnds("begin 1 10 sh\nbegin 2 11 node\n")("1")).toBe("gone");
  expect(readEnds("begin 1 10 sh\nbegin 2 11 node\n")("2")).toBe("whole");
});

test("the behaviour on the base is normal for these tests", () => {
  const is = (now: Ended, base: Ended, isBuilt = false, basePassed = false): boolean =>
    isEndedByProduct(now, base, { isBuilt, basePassed });
  expect(is("cut", "failing")).toBe(true);
  expect(is("cut", "absent")).toBe(true);
  expect(is("cut", "cut")).toBe(false);
  expect(is("gone", "failing")).toBe(true);
  expect(is("gone", "absent")).toBe(false);
  expect(is("absent", "failing", true)).toBe(true);
  expect(is("absent", "failing")).toBe(false);
  expect(is("absent", "whole", true)).toBe(false);
  expect(is("absent", "whole", true, true)).toBe(true);
  expect(is("failing", "whole")).toBe(false);
});
