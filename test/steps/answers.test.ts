import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReview } from "../../src/modes/steps/review.ts";
import { extractUnitTestFromOutput, readUnitTest } from "../../src/modes/steps/unit-test.ts";

describe("M4: the unit test in an agent's output", () => {
  const answer = (unitTest: unknown): string => `Done.\n${JSON.stringify({ unit_test: unitTest })}\n`;

  test.each([
    [
      "all of it",
      { command: "npm test", files: ["a"], notes: "n" },
      { command: "npm test", files: ["a"], notes: "n" },
    ],
    ["the command alone", { command: " npm test\n" }, { command: "npm test" }],
    ["unknown fields", { command: "c", shell: "x" }, { command: "c" }],
    ["files that are none", { command: "c", files: "a" }, { command: "c" }],
    ["files of which one is none", { command: "c", files: ["a", 1] }, { command: "c" }],
    ["far too many files", { command: "c", files: Array.from({ length: 201 }, () => "a") }, { command: "c" }],
    ["a file far too long", { command: "c", files: ["a".repeat(1001)] }, { command: "c" }],
    ["no files", { command: "c", files: [] }, { command: "c", files: [] }],
    ["notes that are none", { command: "c", notes: {} }, { command: "c" }],
    ["notes far too long", { command: "c", notes: "n".repeat(2001) }, { command: "c" }],
    ["the longest command", { command: "c".repeat(2000) }, { command: "c".repeat(2000) }],
  ])("%s", (_, unitTest, expected) => {
    expect(readUnitTest(answer(unitTest))).toEqual({ kind: "named", unitTest: expected });
    expect(extractUnitTestFromOutput(answer(unitTest))).toEqual(expected);
  });

  test.each([
    ["a command too long", answer({ command: "c".repeat(2001) }), "too_long"],
    ["two lines", answer({ command: "a\nb" }), "several_lines"],
    ["a carriage return", answer({ command: "a\rb" }), "several_lines"],
    ["NUL", answer({ command: "a\0b" }), "control_characters"],
    ["an escape", answer({ command: "a \u001b[2K b" }), "control_characters"],
    ["an empty command", answer({ command: "  " }), "no_command"],
    ["no command", answer({ files: ["a"] }), "no_command"],
    ["nothing in it", answer({}), "no_command"],
    ["a list as the command", answer({ command: ["npm", "test"] }), "no_command"],
    ["an inherited command", '{"unit_test": {"__proto__": {"command": "a"}}}', "no_command"],
    ["a text", answer("npm test"), "not_an_object"],
    ["a list", answer([{ command: "c" }]), "not_an_object"],
    ["two commands", '{"unit_test": {"command": "npm test", "command": "true"}}', "ambiguous"],
    ["two of them", '{"unit_test": {"command": "a"}, "unit_test": {"command": "b"}}', "ambiguous"],
    ["one that is cut off", '{"unit_test": {"command": "npm te', "broken"],
    ["one that is cut off early", 'Done. {"unit_test"', "broken"],
    ["one with a comma too many", '{"unit_test": {"command": "a",}}', "broken"],
    ["a line break in the command", '{"unit_test": {"command": "a\nb"}}', "broken"],
    ["no braces around it", '"unit_test": {"command": "a"}', "broken"],
    ["single quotes", "{'unit_test': {'command': 'npm test'}}", "broken"],
    ["no quotes", '{\n  unit_test: { command: "npm test" },\n}', "broken"],
    ["one that follows", '{"unit_test": {"command": "a"}}\n{"unit_test": {"command": "b"', "broken"],
  ])("that cannot be used: %s", (_, output, why) => {
    expect(readUnitTest(output)).toEqual({ kind: "unusable", why });
    expect(extractUnitTestFromOutput(output)).toBeUndefined();
  });

  test.each([
    ["nothing said", ""],
    ["words", "No unit test is needed."],
    ["words about it", 'There is no "unit_test": the step is about words. I left `unit_test` out.'],
    ["null", answer(null)],
    ["the prompt's own example", answer({ command: "<command>", files: ["<path of a test file>"] })],
    ["one within something else", '{"scripts": {"unit_test": {"command": "a"}}}'],
  ])("none: %s", (_, output) => {
    expect(readUnitTest(output)).toEqual({ kind: "none" });
  });
});

describe("a reviewer's verdict", () => {
  const pass = (item: unknown, more: object = {}): object => ({
    item,
    result: "pass",
    evidence: "seen",
    ...more,
  });
  const GOOD = JSON.stringify({ verification: [pass(1), pass(2)] });
  const read = (verification: unknown, count = 2): unknown =>
    readReview(`I looked.\n${JSON.stringify({ verification })}`, count);

  test("is read item by item, in the order of the list", () => {
    expect(read([pass(2, { result: "fail", extra: 1 }), pass(1, { evidence: " it\n\truns " })])).toEqual({
      items: [
        { item: 1, passed: true, evidence: "it runs" },
        { item: 2, passed: false, evidence: "seen" },
      ],
    });
    expect(read([], 0)).toEqual({ items: [] });
  });

  test("keeps 500 characters of evidence, and no half of one", () => {
    for (const evidence of ["x".repeat(501), "🔴".repeat(400), `x${"🔴".repeat(400)}`]) {
      const result = read([pass(1, { evidence })], 1) as { items: { evidence: string }[] };
      const kept = result.items[0]?.evidence ?? "";
      expect(kept.length).toBeLessThanOrEqual(500);
      expect(kept).toMatch(/^x?(?:x+|🔴+) \.\.\.$/u);
    }
    expect(read([pass(1, { evidence: "x".repeat(500) })], 1)).toMatchObject({
      items: [{ evidence: "x".repeat(500) }],
    });
  });

  test.each([
    ["all passed, in words", "All items pass."],
    ["another object", '{"result": "pass"}'],
    ["cut off", '{"verification": [{"item": 1, "result": "pass", "evidence": "x"}'],
    ["within another object", `{"outer": ${GOOD}}`],
    ["in a text", JSON.stringify({ result: GOOD })],
  ])("is missing: %s", (_, output) => {
    expect(readReview(output, 2)).toEqual({ problem: { kind: "missing" } });
  });

  test.each([
    ["bare", GOOD],
    ["with a line end", `${GOOD}\n`],
    ["with space around it", `\r\n\t ${GOOD} \n\n`],
    ["after words", `Item 1 {seems} fine.\n${GOOD}`],
    ["after carriage returns", `looking...\r${GOOD}`],
    ["after another", `${GOOD.replace("pass", "fail")}\nOn second thoughts:\n${GOOD}`],
    ["in a fence", `So:\n\`\`\`json\n${GOOD}\n\`\`\`\n`],
    ["in a fence on one line", `\`\`\`json ${GOOD}\`\`\``],
    ["in another fence", `~~~\n${GOOD}\n~~~~`],
    ["over lines", JSON.stringify(JSON.parse(GOOD), null, 2)],
  ])("accepted: %s", (_, output) => {
    expect(readReview(output, 2)).toMatchObject({ items: [{ passed: true }, { passed: true }] });
  });

  test.each([
    ["words after it", `${GOOD}\nbut actually item 1 fails, sorry`],
    ["words after it on its line", `${GOOD} or not`],
    ["words after its fence", `\`\`\`\n${GOOD}\n\`\`\`\nItem 2 fails.`],
    ["a full stop", `${GOOD}.`],
    ["words before it on its line", `I would not say ${GOOD}`],
    ["a quote", `> ${GOOD}`],
    ["a list around it", `[${GOOD}]`],
    ["another object after it", `${GOOD}\n{"note": 1}`],
    ["a verdict in an object after it", `${GOOD}\n{"final": ${GOOD.replace("pass", "fail")}}`],
    ["one that is cut off after it", `${GOOD}\n{"verification": [`],
    ["two on a line", `${GOOD}${GOOD}`],
    ["far from the end", `${GOOD}${" ".repeat(1_000_000)}x`],
  ])("rejected: %s", (_, output) => {
    expect(readReview(output, 2)).toEqual({ problem: { kind: "amid_text" } });
  });

  test.each([
    ["result", GOOD.replace('"result"', '"result":"fail","result"')],
    ["item", GOOD.replace('"item":2', '"item":2,"item":2')],
    ["verification", GOOD.replace("{", '{"verification":[],')],
    ["verification", GOOD.replace("{", '{"\\u0076erification":[],')],
    ["deep", GOOD.replace("{", '{"by":[{"deep":1,"deep":2}],')],
  ])("is ambiguous: %s twice", (key, output) => {
    expect(readReview(output, 2)).toEqual({ problem: { kind: "ambiguous", key } });
  });

  test.each([
    ["no list", "pass", "verification", "list", '"pass"'],
    ["an object", { 1: "pass" }, "verification", "list", '{"1":"pass"}'],
    ["a bare word", [pass(1), "pass"], "verification[1]", "object", '"pass"'],
    ["a number in quotes", [pass("1")], "verification[0].item", "item_number", '"1"'],
    ["no number", [{ result: "pass", evidence: "x" }], "verification[0].item", "item_number", null],
    ["an item from 0", [pass(0)], "verification[0].item", "item_number", "0"],
    ["an item beyond the list", [pass(1), pass(2), pass(3)], "verification[2].item", "item_number", "3"],
    ["a part of an item", [pass(1.5)], "verification[0].item", "item_number", "1.5"],
    ["an item twice", [pass(1), pass(1, { result: "fail" })], "verification[1].item", "item_once", "1"],
    ["another word", [pass(1, { result: "PASS" })], "verification[0].result", "pass_or_fail", '"PASS"'],
    ["a yes", [pass(1, { result: true })], "verification[0].result", "pass_or_fail", "true"],
    [
      "an inherited result",
      [{ item: 1, evidence: "x", __proto__: null }],
      "verification[0].result",
      "pass_or_fail",
      null,
    ],
    ["no evidence", [pass(1, { evidence: " " })], "verification[0].evidence", "filled_text", '" "'],
    [
      "a list as evidence",
      [pass(1, { evidence: ["x"] })],
      "verification[0].evidence",
      "filled_text",
      '["x"]',
    ],
  ])("is malformed: %s", (_, verification, field, expected, found) => {
    expect(read(verification)).toEqual({ problem: { kind: "malformed", fault: { field, expected, found } } });
  });

  test("is incomplete, and says where", () => {
    expect(read([pass(2)], 4)).toEqual({ problem: { kind: "incomplete", items: [1, 3, 4] } });
    expect(read([])).toEqual({ problem: { kind: "incomplete", items: [1, 2] } });
  });

  test("never passes an item that no answer passed", () => {
    const item = fc.record(
      {
        item: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.jsonValue()),
        result: fc.oneof(fc.constantFrom("pass", "fail"), fc.jsonValue()),
        evidence: fc.oneof(fc.constant("seen"), fc.jsonValue()),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(item, item, item, fc.jsonValue()), { maxLength: 4 }),
        fc.nat(3),
        (list, count) => {
          const result = readReview(JSON.stringify({ verification: list }), count);
          if ("problem" in result) return;
          expect(result.items.map((one) => one.item)).toEqual(
            Array.from({ length: count }, (_, index) => index + 1),
          );
          for (const { item: number, passed } of result.items) {
            expect(list).toContainEqual(
              expect.objectContaining({ item: number, result: passed ? "pass" : "fail" }),
            );
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
