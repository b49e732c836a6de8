import { describe, expect, test } from "vitest";
import { inlineTests } from "../../src/evidence/protected/inline-tests.ts";

const RUST = `#[cfg(test)]
use std::fs;

pub fn add(a: i32, b: [i32; 1]) -> i32 {
    a + b[0]
}

#[cfg(test)]
#[allow(dead_code)]
mod tests {
    const BRACES: &str = r#"}"}"#; // }
    const SIGN: char = '}';

    #[test]
    #[ignore]
    fn adds<'a>() {
        /* } */
        assert_eq!(super::add(1, [1]), 2, "\\"}");
    }
}

pub fn more() {}

#[cfg(all(test, unix))]
mod unix_tests;
`;

const C = `#ifndef ADD_H
int add(int a, int b) { return a + b; }
#ifdef _WIN32
int main(void) { return 1; }
#endif
#if defined(SELF_TEST)
static int checks(void) {
  return add(1, 1) == 2;
}
#if 0
#endif
int main(void) {
  return !checks();
}
#endif /* SELF_TEST */
#endif
`;

function namesIn(path: string, text: string): readonly string[] | null {
  const entries = inlineTests(path, text)?.entriesIn(text);
  return entries ? [...entries.keys()] : null;
}

describe("tests in files of the product", () => {
  test("Rust: everything that is compiled for tests only, by function", () => {
    expect(namesIn("src/lib.rs", RUST)).toEqual(["#[cfg(test)]", "adds", "#[cfg(all(test, unix))]"]);
  });

  test("C: blocks for tests that have a program in them", () => {
    expect(namesIn("add.c", C)).toEqual(["#if defined(SELF_TEST)", "checks", "main"]);
  });

  test.each([
    ["a file of tests", "tests/add.rs", RUST],
    ["a file without tests", "src/lib.rs", "pub fn add() {}\n"],
    ["another language", "src/add.js", RUST],
    ["a program that is not for tests", "main.c", "#ifdef __linux__\nint main(void) { return 0; }\n#endif\n"],
    [
      "a program that is one or the other",
      "main.c",
      "#ifdef TEST\nint main(void) {}\n#else\nint main(void) {}\n#endif\n",
    ],
    ["a header for tests", "add.h", "#ifdef TESTING\nint add(void);\n#endif\n"],
  ])("none: %s", (_, path, text) => {
    expect(namesIn(path, text)).toBeNull();
  });

  test("the original tests replace those of the new file, and its product stays", () => {
    const changed = RUST.replace("a + b[0]", "b[0] + a")
      .replace("[1]), 2", "[1]), 3")
      .replace("use std::fs", "use std::io");
    const laid = inlineTests("src/lib.rs", RUST)?.laidOver(changed, RUST) ?? "";
    expect(laid).toContain("b[0] + a");
    expect(laid).not.toContain("std::io");
    expect(laid.match(/cfg\(/g)).toHaveLength(3);
    expect(inlineTests("src/lib.rs", laid)?.entriesIn(laid)).toEqual(
      inlineTests("src/lib.rs", RUST)?.entriesIn(RUST),
    );
  });

  test("a block that is never closed is read to the end", () => {
    expect(namesIn("src/lib.rs", "#[cfg(test)]\nmod tests {\n    fn adds() {\n")).toEqual([
      "#[cfg(test)]",
      "adds",
    ]);
    expect(namesIn("add.c", "#ifdef TEST\nint main(void) {\n")).toBeNull();
  });
});
