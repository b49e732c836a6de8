import { describe, expect, test } from "vitest";
import { codeSpans, fieldOf, linesOf, saysNothing } from "../../src/text/lines.ts";

describe("lines of a board's file", () => {
  test.each([
    ["```\na\n```\nb", "a"],
    ["````\n```\na\n````\nb", "a"],
    ["```\n~~~\na\n```\nb", "a"],
    ["```\n```js\na\n```\nb", "```js,a"],
    ["  - x\n    ~~~\n    a\n    ~~~~\nb", "a"],
    ["```a``` is code\nb", ""],
    ["a\n```\nb", "b"],
  ])("of %j these are in a code block: %j", (text, within) => {
    const inside = linesOf(text).filter((line) => line.fenced && !/^\s*(?:```|~~~~?|````)$/.test(line.text));
    expect(inside.map((line) => line.text.trim()).join(",")).toBe(within);
  });

  test.each([
    ["key: value", "key", "value"],
    ["- **Key:** value", "key", "value"],
    ["* **Key: value**", "key", "value"],
    ["**Key**: **value**", "key", "**value**"],
    ["Files: test/**", "files", "test/**"],
    ["## 2. `key`：a: b", "key", "a: b"],
    ["key:", "key", ""],
  ])("%j has a key", (line, key, value) => {
    expect(fieldOf(line)).toEqual({ key, value });
  });

  test.each(["", "words", ": x", "**: x", `${"x".repeat(80)}: y`])(
    "%j is not a pattern with a key",
    (line) => {
      expect(fieldOf(line)).toBeNull();
    },
  );

  test.each([
    ["a `b` c `d`", ["b", "d"]],
    ["``a `b` c`` d", ["a `b` c"]],
    ["`a ``b`` c", ["b"]],
    ["`` ` ``", ["`"]],
    ["no `code", []],
  ])("code in %j", (text, codes) => {
    expect(codeSpans(text).map(({ code }) => code)).toEqual(codes);
  });

  test.each(["", " \n", "none", "None.", "- 无。", "（无）", "N/A", "**没有**", "---"])(
    "%j is empty",
    (text) => {
      expect(saysNothing(text)).toBe(true);
    },
  );
  test.each(["none of them", "无法运行", "0"])("%j has content", (text) => {
    expect(saysNothing(text)).toBe(false);
  });
  test("takes no time for a long rule", () => {
    expect(saysNothing(`x${"-".repeat(500_000)}x`)).toBe(false);
  });
});
