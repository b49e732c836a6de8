import { describe, expect, test } from "vitest";
import { showDifference, showDifferences } from "../../src/text/difference.ts";

const SAME = "x".repeat(300);

describe("two long values", () => {
  test("are shortened where they are alike", () => {
    expect(showDifference(`${SAME}5`, `${SAME}-1`, 200)).toEqual([
      `... ${"x".repeat(40)}5`,
      `... ${"x".repeat(40)}-1`,
    ]);
  });

  test("stay whole where they are short, or differ at the beginning", () => {
    expect(showDifference("5", "-1", 200)).toEqual(["5", "-1"]);
    expect(showDifference(`a${SAME}`, `b${SAME}`, 200)).toEqual([`a${SAME}`, `b${SAME}`]);
  });

  test("are not cut within a character", () => {
    const [one, other] = showDifference(`${"😀".repeat(100)}😀`, `${"😀".repeat(100)}😁`, 100);
    expect([one.slice(-2), other.slice(-2)]).toEqual(["😀", "😁"]);
    expect(one + other).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("lines of output", () => {
  test.each([
    [`Expected: "${SAME}5"`, `Received: "${SAME}6"`],
    [`- ${SAME}5`, `+ ${SAME}6`],
    [`E         - ${SAME}5`, `E         + ${SAME}6`],
    [`want = ${SAME}5`, `got = ${SAME}6`],
  ])("keep their labels: %.12s", (one, other) => {
    expect(showDifferences(["first", one, other, "last"], 160)).toEqual([
      "first",
      one.replace(/"?x{100,}/, `... ${"x".repeat(40)}`),
      other.replace(/"?x{100,}/, `... ${"x".repeat(40)}`),
      "last",
    ]);
  });

  test("are unchanged if they show something else", () => {
    const lines = [SAME, `y${SAME}`, "short", SAME];
    expect(showDifferences(lines, 160)).toEqual(lines);
  });
});
