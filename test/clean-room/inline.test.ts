import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, reasonsOf, RoomRig, type Files } from "./project.ts";

const product = (body: string): string => `pub fn add(a: i32, b: i32) -> i32 {\n    ${body}\n}\n`;
const tests = (sum: string, rest = ""): string => `
#[cfg(test)]
mod tests {
    use super::*;

    // A brace in a comment is no end: }
    #[test]
    fn adds() {
        assert_eq!(add(2, 3), ${sum}, "a brace: }}");
    }
${rest}
    #[test]
    fn adds_nothing() {
        assert_eq!(add(7, 0), 7);
    }
}
`;
const cargo = (body: string): Files => ({
  "Cargo.toml": '[package]\nname = "adds"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs": product(body) + tests("5"),
  ".gitignore": "target/\n",
});
const MORE = "\n    #[test]\n    fn adds_ones() {\n        assert_eq!(add(1, 1), 2);\n    }\n";
const rust = (body: string, sum: string, rest?: string): string =>
  put("src/lib.rs", product(body) + tests(sum, rest));

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;

class RustRig extends RoomRig {
  constructor(body: string) {
    super(cargo(body));
    // Rustup installs into the user's home.
    const PATH = `${this.env()["PATH"]}:${join(homedir(), ".cargo/bin")}`;
    const RUSTUP_HOME = process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup");
    this.alwaysWith({ env: { PATH, RUSTUP_HOME } });
  }
}

describe.skipIf(!hasCargo)("tests in a Rust file of the product", () => {
  const options = { full: ["cargo test --offline --lib"] };

  test.each([
    ["only the product changes", rust("a + b", "5"), null],
    ["a test is added", rust("a + b", "5", MORE), "src/lib.rs: adds_ones (added to)"],
    ["a test is tidied", rust("a + b", "2 + 3"), "src/lib.rs: adds (changed)"],
  ])("%s: accepted, and named", async (_, round, named) => {
    const { code, report, stdout } = await new RustRig("a - b").rounds([round], options);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(stdout.match(/edited +.*: (src.*)/)?.[1] ?? null).toBe(named);
  });

  test.each([
    ["an expectation follows the product", "a + b", rust("a - b", "-1")],
    ["an expectation is made to fit the old product", "a - b", rust("a + b + 0", "add(2, 3)")],
    [
      "a test is removed",
      "a + b",
      put("src/lib.rs", product("b + a") + tests("5").replace(/#\[test\]\s+fn adds_nothing[^}]*}/, "")),
    ],
  ])("%s: held", async (_, body, round) => {
    const { code, reasons, stdout } = await new RustRig(body).untilAsked([round], options);
    expect([code, reasons]).toEqual([3, [["oracle_changed"]]]);
    expect(stdout).toMatch(/src\/lib\.rs: adds\w* \(changed\)/);
  });
});

describe("a test program in a C file of the product", () => {
  const c = (body: string, sum: string): string => `int add(int a, int b) { return ${body}; }

#ifdef UNIT_TEST
#include <stdio.h>
int main(void) {
#if 1
  if (add(2, 3) != ${sum}) { puts("adds: wrong"); return 1; }
#endif
  return 0;
}
#endif
`;
  const files = (body: string): Files => ({
    "add.c": c(body, "5"),
    Makefile: ".PHONY: test\ntest:\n\tcc -DUNIT_TEST -o adds add.c && ./adds\n",
    ".gitignore": "adds\n",
  });
  const options = { full: ["make test"] };

  test("the product changes, and the test is tidied: accepted, and named", async () => {
    const rig = new RoomRig(files("a - b"));
    const { code, report, stdout } = await rig.rounds([put("add.c", c("a + b", "2 + 3"))], options);
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
    expect(stdout).toContain("add.c: main (changed)");
  });

  test("an expectation adapted to the product: held", async () => {
    const rig = new RoomRig(files("a + b"));
    const { code, reasons } = await rig.untilAsked([put("add.c", c("a - b", "-1"))], options);
    expect([code, reasons]).toEqual([3, [["oracle_changed"]]]);
  });
});
