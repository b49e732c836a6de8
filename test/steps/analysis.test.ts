import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DONE, TODO } from "../../src/core/step.ts";
import { readAnalysis, type Analysis } from "../../src/modes/steps/analysis.ts";
import { looksLikeStep, readStep } from "../../src/modes/steps/read-step.ts";
import { stepFiles } from "../../src/modes/steps/analysis-files.ts";
import { cleanName, directoryName, slugOf } from "../../src/modes/steps/step-names.ts";

const STEP = { description: "do it", verification: [{ type: "unit", description: "done" }] };

function read(answer: unknown): ReturnType<typeof readAnalysis> {
  return readAnalysis(`Here:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`);
}

function analysis(answer: unknown): Analysis {
  const result = read(answer);
  if ("problem" in result) throw new Error(JSON.stringify(result.problem));
  return result;
}

describe("an analysis", () => {
  test("is read from the answer", () => {
    const steps = [
      { ...STEP, slug: "a", title: "A", done: true, extra: 1, covers: [" R1", "R2"] },
      { ...STEP, slug: 1, title: null, done: null },
    ];
    expect(read({ name: " 登录/注册 ", steps })).toEqual({
      name: "登录 注册",
      steps: [
        { ...STEP, slug: "a", title: "A", done: true, covers: ["R1", "R2"] },
        { ...STEP, slug: null, title: null, done: false, covers: null },
      ],
    });
  });

  test("is missing", () => {
    for (const output of ["", "I cannot.", '{"name": "x"}', '{"steps": [1], "name": "x"']) {
      expect(readAnalysis(output)).toEqual({ problem: { kind: "missing" } });
    }
  });

  test("is ambiguous if a key is repeated", () => {
    const step = JSON.stringify(STEP);
    for (const [key, output] of [
      ["name", `{"name": "a", "name": "b", "steps": [${step}]}`],
      ["steps", `{"name": "n", "steps": [], "steps": [${step}]}`],
      ["done", `{"name": "n", "steps": [${step.replace("{", '{"done": false, "done": true, ')}]}`],
    ] as const)
      expect(readAnalysis(output)).toEqual({ problem: { kind: "ambiguous", key } });
    // Any text may precede and follow it.
    expect(readAnalysis(`So: {"name": "n", "steps": [${step}]} is all.`)).toMatchObject({ name: "n" });
  });

  const many = (count: number): object[] => Array.from({ length: count }, () => STEP);
  test.each([
    ["no name", { steps: [STEP] }, "name", "usable_name", null],
    ["a name of nothing", { name: " ../ ", steps: [STEP] }, "name", "usable_name", '" ../ "'],
    ["a number as name", { name: 1, steps: [STEP] }, "name", "usable_name", "1"],
    ["no list", { name: "n", steps: "x" }, "steps", "step_list", '"x"'],
    ["no steps", { name: "n", steps: [] }, "steps", "step_list", "[]"],
    ["1000 steps", { name: "n", steps: many(1000) }, "steps", "step_list", expect.any(String)],
    ["a text as step", { name: "n", steps: [STEP, "x"] }, "steps[1]", "object", '"x"'],
    [
      "no description",
      { name: "n", steps: [{ ...STEP, description: " " }] },
      "steps[0].description",
      "filled_text",
      '" "',
    ],
    ["done in words", { name: "n", steps: [{ ...STEP, done: "no" }] }, "steps[0].done", "yes_or_no", '"no"'],
    [
      "no verification",
      { name: "n", steps: [{ description: "d" }] },
      "steps[0].verification",
      "item_list",
      null,
    ],
    [
      "an empty one",
      { name: "n", steps: [{ ...STEP, verification: [] }] },
      "steps[0].verification",
      "item_list",
      "[]",
    ],
    [
      "a text as item",
      { name: "n", steps: [{ ...STEP, verification: ["x"] }] },
      "steps[0].verification[0]",
      "object",
      '"x"',
    ],
    [
      "no type",
      { name: "n", steps: [{ ...STEP, verification: [{ description: "d" }] }] },
      "steps[0].verification[0].type",
      "filled_text",
      null,
    ],
    [
      "no words",
      { name: "n", steps: [{ ...STEP, verification: [{ type: "t", description: 1 }] }] },
      "steps[0].verification[0].description",
      "filled_text",
      "1",
    ],
  ])("is malformed: %s", (_, answer, field, expected, found) => {
    expect(read(answer)).toEqual({ problem: { kind: "malformed", faults: [{ field, expected, found }] } });
  });

  test("is malformed if it is too long, and names the limit", () => {
    const item = { type: "t".repeat(101), description: "d".repeat(2001) };
    expect(
      read({ name: "n", steps: [{ description: "d".repeat(8001), verification: [item] }] }),
    ).toMatchObject({
      problem: {
        faults: [
          { field: "steps[0].description", expected: "shorter_text", limit: 8000 },
          { field: "steps[0].verification[0].type", expected: "shorter_text", limit: 100 },
          { field: "steps[0].verification[0].description", expected: "shorter_text", limit: 2000 },
        ],
      },
    });
    const items = Array.from({ length: 51 }, () => STEP.verification[0]);
    expect(read({ name: "n", steps: [{ ...STEP, verification: items }] })).toMatchObject({
      problem: { faults: [{ field: "steps[0].verification", expected: "item_list" }] },
    });
    expect(read({ name: "n", steps: many(999) })).toMatchObject({ name: "n" });
  });

  test("has all its faults reported, up to 20", () => {
    expect(read({ steps: [{}, {}] })).toMatchObject({
      problem: {
        faults: [
          { field: "name" },
          { field: "steps[0].description" },
          { field: "steps[0].verification" },
          { field: "steps[1].description" },
          { field: "steps[1].verification" },
        ],
      },
    });
    const result = read({ name: "n", steps: Array.from({ length: 500 }, () => 1) });
    expect("problem" in result && result.problem.kind === "malformed" && result.problem.faults).toHaveLength(
      20,
    );
  });

  test("inherited names are no fields", () => {
    expect(readAnalysis('{"steps": [{"__proto__": {"description": "d"}}], "name": "n"}')).toMatchObject({
      problem: {
        faults: [{ field: "steps[0].description", found: null }, { field: "steps[0].verification" }],
      },
    });
  });
});

describe("the name of a directory", () => {
  test.each([
    ["登录", "登录"],
    ["a/b\\c", "a b c"],
    ["../../etc/passwd", "etc passwd"],
    ["..hidden", "hidden"],
    [" - --flag", "flag"],
    ['a<b>c:d"e|f?g*h', "a b c d e f g h"],
    ["two\nlines\tand\0nul\u001b[31m", "two lines and nul [31m"],
    ["re\u202eversed\u200b", "re versed"],
    ["half \ud83d of one", "half of one"],
    ["CON", "_CON"],
    ["nul.txt", "_nul.txt"],
    ["com1", "_com1"],
    ["console", "console"],
    ["x".repeat(31), "x".repeat(30)],
    [`${"x".repeat(29)} yy`, "x".repeat(29)],
    [`${"x".repeat(29)}🔴🔴`, `${"x".repeat(29)}🔴`],
    [`${"x".repeat(28)}👩‍👩‍👧`, "x".repeat(28)],
    ["🔴".repeat(31), "🔴".repeat(30)],
    ["\u3000全角\u3000", "全角"],
  ])("%j", (name, clean) => {
    expect(directoryName(name)).toBe(`${clean}需求实现步骤`);
  });

  test("is one plain part of a path, for any requested name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
        const clean = cleanName(name);
        expect(clean).not.toMatch(/[\u0000-\u001f\u007f/\\<>:"|?*]|^[\s.-]|\s$/);
        expect(clean).not.toMatch(/\p{Cs}/u);
        expect(Array.from(clean).length).toBeLessThanOrEqual(30);
        expect(cleanName(clean)).toBe(clean);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the slug of a step", () => {
  const slug = (given: string | null, title: string | null = null, description = "d"): string =>
    slugOf({ slug: given, title, description });

  test.each([
    ["Setup Auth", "setup-auth"],
    ["  --set_up..auth!! ", "set-up-auth"],
    ["Café Ünïcode İ", "cafe-unicode-i"],
    ["ＡＢＣ１", "abc1"],
    ["用户登录", "用户登录"],
    ["用户 Login：登录", "用户-login-登录"],
    ["ログイン画面が", "ログイン画面が"],
    ["로그인 화면", "로그인-화면"],
    ["../../etc", "etc"],
    ["a".repeat(50), "a".repeat(40)],
    [`${"a".repeat(39)} b`, "a".repeat(39)],
    ["𠮷".repeat(50), "𠮷".repeat(40)],
  ])("%j", (text, expected) => {
    expect(slug(text)).toBe(expected);
  });

  test("is made from the available texts", () => {
    expect(slug(null, "A title")).toBe("a-title");
    expect(slug("🔴", "!", "The description")).toBe("the-description");
    expect(slug("", "", "🔴")).toBe("step");
  });
});

describe("the files of an analysis", () => {
  test("are to the letter", () => {
    const files = stepFiles(
      analysis({
        name: "n",
        steps: [
          { ...STEP, slug: "one" },
          { ...STEP, title: "Two", done: true },
        ],
      }),
    );
    expect(files.map(({ name }) => name)).toEqual(["001-one.json", "002-two.json"]);
    expect(files[0]?.text).toBe(`{
  "id": "step-001",
  "description": "do it",
  "status": "${TODO}",
  "verification": [
    {
      "type": "unit",
      "description": "done"
    }
  ]
}
`);
    expect(files[1]?.text).toContain(`"id": "step-002"`);
    expect(files[1]?.text).toContain(`"status": "${DONE}"`);
  });

  test("are all readable, for any answer", () => {
    const text = fc.string({ unit: "binary", minLength: 1 });
    const step = fc.record(
      {
        slug: fc.option(text),
        title: text,
        done: fc.boolean(),
        description: text,
        verification: fc.array(fc.record({ type: text, description: text }), { minLength: 1, maxLength: 5 }),
      },
      { requiredKeys: ["description", "verification"], noNullPrototype: true },
    );
    let usable = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const result = read({ name: "n", steps });
        if ("problem" in result) return;
        usable += 1;
        for (const [index, { name, text: content }] of stepFiles(result).entries()) {
          expect(looksLikeStep(name)).toBe(true);
          expect(Buffer.byteLength(name)).toBeLessThan(250);
          const back = readStep(name, Buffer.from(content).toString(), "");
          expect(back).toMatchObject({
            step: {
              description: result.steps[index]?.description,
              verification: result.steps[index]?.verification,
            },
          });
        }
      }),
      { numRuns: 1000 },
    );
    expect(usable).toBeGreaterThan(300);
  });

  test("are below the read limit, at their largest", () => {
    const worst = (length: number): string => `x${"\u0001".repeat(length - 2)}x`;
    const verification = Array.from({ length: 50 }, () => ({ type: worst(100), description: worst(2000) }));
    const [file] = stepFiles(analysis({ name: "n", steps: [{ description: worst(8000), verification }] }));
    expect(Buffer.byteLength(file?.text ?? "")).toBeLessThan(1024 * 1024);
  });
});
