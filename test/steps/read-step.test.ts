import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type Step } from "../../src/core/step.ts";
import { duplicates, mismatches, mixedLengths } from "../../src/modes/steps/across-steps.ts";
import { looksLikeStep, numberOf, readStep } from "../../src/modes/steps/read-step.ts";

const FILE = "002-service.json";
const GOOD = {
  id: "step-002",
  description: "a service",
  status: TODO,
  verification: [{ type: "unit", description: "it serves" }],
} as const;

function read(content: unknown): ReturnType<typeof readStep> {
  return readStep(FILE, typeof content === "string" ? content : JSON.stringify(content), "abc");
}

function problems(content: unknown): unknown[] {
  const result = read(content);
  return "problems" in result ? [...result.problems] : [];
}

describe("a usable step (R6-R10)", () => {
  test("is read unchanged", () => {
    expect(read(GOOD)).toEqual({
      step: { file: FILE, number: "002", ...GOOD, unitTest: null, sha256: "abc" },
    });
  });

  test.each([
    ["each status", { ...GOOD, status: DOING }, { status: DOING }],
    ["no verification items", { ...GOOD, verification: [] }, { verification: [] }],
    [
      "an empty type",
      { ...GOOD, verification: [{ type: "", description: "d" }] },
      { verification: [{ type: "", description: "d" }] },
    ],
    [
      "unknown fields",
      { ...GOOD, owner: 1, verification: [{ type: "t", description: "d", x: 1 }] },
      { verification: [{ type: "t", description: "d" }] },
    ],
    [
      "a unit test",
      { ...GOOD, unit_test: { command: "npm test", x: 1 } },
      { unitTest: { command: "npm test" } },
    ],
    [
      "files and notes",
      { ...GOOD, unit_test: { command: "c", files: ["f"], notes: "" } },
      { unitTest: { command: "c", files: ["f"], notes: "" } },
    ],
    ["a byte order mark", `\ufeff${JSON.stringify(GOOD)}`, { id: "step-002" }],
    [
      "a key twice in an unknown field",
      JSON.stringify(GOOD).replace("{", '{"mine": {"a": 1, "a": 2},'),
      { id: "step-002" },
    ],
    ["half a character, escaped", { ...GOOD, description: "\ud800" }, { description: "\ud800" }],
  ])("%s", (_, content, expected) => {
    const result = read(content);
    expect(result).toEqual({ step: { ...("step" in result && result.step), ...expected } });
  });
});

describe("an unusable step", () => {
  const without = (key: string): object =>
    Object.fromEntries(Object.entries(GOOD).filter(([name]) => name !== key));

  test.each([
    [{ ...GOOD, id: 2 }, "id", "filled_text", "2"],
    [{ ...GOOD, id: "" }, "id", "filled_text", '""'],
    [{ ...GOOD, description: " \n" }, "description", "filled_text", '" \\n"'],
    [{ ...GOOD, description: null }, "description", "filled_text", "null"],
    [{ ...GOOD, status: "done" }, "status", "status", '"done"'],
    [{ ...GOOD, status: [DONE] }, "status", "status", `["${DONE}"]`],
    [{ ...GOOD, verification: {} }, "verification", "list", "{}"],
    [{ ...GOOD, verification: "all" }, "verification", "list", '"all"'],
    [{ ...GOOD, verification: [...GOOD.verification, 3] }, "verification[1]", "object", "3"],
    [{ ...GOOD, verification: [[]] }, "verification[0]", "object", "[]"],
    [
      { ...GOOD, verification: [...GOOD.verification, { description: "d" }] },
      "verification[1].type",
      "text",
      null,
    ],
    [
      { ...GOOD, verification: [{ type: "t", description: " " }] },
      "verification[0].description",
      "filled_text",
      '" "',
    ],
    [{ ...GOOD, unit_test: null }, "unit_test", "object", "null"],
    [{ ...GOOD, unit_test: "npm test" }, "unit_test", "object", '"npm test"'],
    [{ ...GOOD, unit_test: {} }, "unit_test.command", "command", null],
    [{ ...GOOD, unit_test: { command: " " } }, "unit_test.command", "command", '" "'],
    [{ ...GOOD, unit_test: { command: "a\0b" } }, "unit_test.command", "command", '"a\\u0000b"'],
    [{ ...GOOD, unit_test: { command: "c", files: "f" } }, "unit_test.files", "texts", '"f"'],
    [{ ...GOOD, unit_test: { command: "c", files: ["f", 1] } }, "unit_test.files", "texts", '["f",1]'],
    [{ ...GOOD, unit_test: { command: "c", notes: null } }, "unit_test.notes", "text", "null"],
    [without("id"), "id", "filled_text", null],
    [without("verification"), "verification", "list", null],
  ])("%j", (content, field, expected, found) => {
    expect(problems(content)).toEqual([
      { kind: "field", file: FILE, field, expected, found, line: 1, column: expect.any(Number) as number },
    ]);
  });

  test("inherited names are no fields", () => {
    expect(problems('{"__proto__": {"id": "x", "description": "d"}}')).toHaveLength(4);
  });

  test("is reported with all its problems and their places", () => {
    const text = `\ufeff{\r\n  "id": 7,\r\n  "status": "x",\r\n  "verification": [\r\n    {"type": "t"}\r\n  ]\r\n}`;
    expect(problems(text)).toMatchObject([
      { field: "id", line: 2, column: 9 },
      { field: "description", found: null, line: 1, column: 1 },
      { field: "status", line: 3, column: 13 },
      { field: "verification[0].description", found: null, line: 5, column: 5 },
    ]);
  });

  test("has a repeated field: each is reported with the place of the second", () => {
    const text = `{
  "id": "step-002", "\\u0069d": "step-002",
  "description": "d",
  "mine": 1, "mine": 1, "mine": 1,
  "status": "${DONE}",
  "status": "${TODO}",
  "verification": [],
  "verification": [{ "type": "t", "description": "d", "description": "e" }],
  "unit_test": { "command": "true", "command": "npm test" }
}`;
    expect(problems(text)).toEqual(
      [
        { field: "id", line: 2, column: 21 },
        { field: "mine", line: 4, column: 14 },
        { field: "mine", line: 4, column: 25 },
        { field: "status", line: 6, column: 3 },
        { field: "verification", line: 8, column: 3 },
        { field: "verification[0].description", line: 8, column: 55 },
        { field: "unit_test.command", line: 9, column: 37 },
      ].map((place) => ({ kind: "duplicate_field", file: FILE, ...place })),
    );
    expect(problems(JSON.stringify(GOOD).replace("{", `{${'"x":1,'.repeat(100_000)}`))).toHaveLength(50);
  });

  test("is quoted in part, on one line", () => {
    const [problem] = problems({ ...GOOD, id: ["long\nand ".repeat(1000)] }) as { found: string }[];
    expect(problem?.found).toMatch(/^\["long\\nand .* \.\.\.$/);
    expect(problem?.found.length).toBeLessThanOrEqual(60);
  });

  test("has at most 50 reported problems", () => {
    expect(problems({ ...GOOD, verification: Array.from({ length: 100_000 }, () => 1) })).toHaveLength(50);
  });

  test.each([
    ["", "empty"],
    [" \r\n\t", "empty"],
    ["\ufeff", "empty"],
  ])("empty: %j", (text, kind) => {
    expect(problems(text)).toEqual([{ kind, file: FILE }]);
  });

  test.each([
    ['{\n  "id": "a",\n}', "key_expected", 3, 1],
    ['{\n  "id": "a"\n  "x": 1}', "comma_expected", 3, 3],
    ["\ufeff{", "unfinished", 1, 2],
    ["not json", "value_expected", 1, 1],
    ['{"id": "a\0b"}', "bad_string", 1, 10],
    ["\0", "value_expected", 1, 1],
    ["[".repeat(100_000), "too_deep", 1, 1001],
    ["\ufeff\ufeff{}", "value_expected", 1, 1],
  ])("not JSON: %j", (text, fault, line, column) => {
    expect(problems(text)).toEqual([{ kind: "not_json", file: FILE, fault, line, column }]);
  });

  test.each(["[]", "null", '"x"', "1"])("not an object: %s", (found) => {
    expect(problems(`\n ${found}`)).toEqual([
      { kind: "not_an_object", file: FILE, found, line: 2, column: 2 },
    ]);
  });
});

test.each([
  ["001-a.json", "001"],
  ["1000-a.json", "1000"],
  ["002-设置.json", "002"],
  ["003-a.b.json", "003"],
  ["003--.json", "003"],
  ["01-a.json", ""],
  ["001-.json", ""],
  ["001.json", ""],
  ["x001-a.json", ""],
  ["001-a.json.tmp", ""],
  ["001-a.JSON", ""],
  ["٠٠١-a.json", ""],
])("the number of %s", (name, number) => {
  expect(numberOf(name)).toBe(number);
  expect(looksLikeStep(name)).toBe(number !== "");
});

describe("across files", () => {
  const step = (file: string, id: string): Step => ({
    file,
    number: numberOf(file),
    ...GOOD,
    id,
    unitTest: null,
    sha256: "",
  });

  test("the same number or id twice is a problem that names both files", () => {
    const files = ["001-a.json", "0001-b.json", "002-c.json", "003-d.json", "003-e.json"];
    const steps = [
      step("001-a.json", "constructor"),
      step("002-c.json", "x"),
      step("003-d.json", "x"),
      step("003-e.json", "x"),
    ];
    expect(duplicates(files, steps)).toEqual([
      { kind: "duplicate_number", file: "0001-b.json", number: "0001", other: "001-a.json" },
      { kind: "duplicate_number", file: "003-e.json", number: "003", other: "003-d.json" },
      { kind: "duplicate_id", file: "003-d.json", id: "x", other: "002-c.json" },
      { kind: "duplicate_id", file: "003-e.json", id: "x", other: "002-c.json" },
    ]);
  });

  test("numbers of different lengths are a warning that names two files", () => {
    expect(mixedLengths([])).toEqual([]);
    expect(mixedLengths(["001-a.json", "999-b.json"])).toEqual([]);
    expect(mixedLengths(["0100-a.json", "1000-b.json"])).toEqual([]);
    expect(mixedLengths(["00001-x.json", "0001-y.json", "1000-b.json", "998-a.json", "999-a.json"])).toEqual([
      { kind: "number_lengths", file: "00001-x.json", other: "998-a.json" },
    ]);
  });

  test.each([
    ["step-002", true],
    ["002", true],
    ["step-2", true],
    ["step-003", false],
    ["step-1002", false],
    ["step-002b", false],
    ["service", false],
    ["step-20", false],
  ])("R12: the id %s fits 002: %s", (id, fits) => {
    const warning = { kind: "id_mismatch", file: FILE, id, number: "002" };
    expect(mismatches([step(FILE, id)])).toEqual(fits ? [] : [warning]);
  });
});
