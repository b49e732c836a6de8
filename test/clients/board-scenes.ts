import type { PlanTask } from "../../src/core/board/plan.ts";
import { task } from "../rig/board-answers.ts";
import type { BoardScene } from "./board-rig.ts";
import type { Step } from "./model/script.ts";

export const QUESTION = "How is a whole hour written, 1h or 1h0m?";
export const FEEDBACK = "It expects parse('90') to be 90, but a number without a unit has to be refused.";
export const CONTEXT =
  "# Context\n\nduration.mjs turns 1h30m into minutes and back. A number without a unit is refused.\n";

const SUM = `export function parse(text) {
  let minutes = 0;
  for (const [, n, unit] of text.matchAll(/(\\d+)([hm])/g)) minutes += Number(n) * (unit === "h" ? 60 : 1);
  return minutes;
}
`;
const REFUSE = SUM.replace("{\n", "{\n  if (!/^(\\d+[hm])+$/.test(text)) throw new RangeError(text);\n");
const NO_FORMAT = 'export const format = () => "";\n';
const FORMAT = `export function format(minutes) {
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  return (h > 0 ? h + "h" : "") + (m > 0 || h === 0 ? m + "m" : "");
}
`;

const testFile = (name: string): string => `test/${name}.test.mjs`;
export const commandFor = (name: string): string => `node --test ${testFile(name)}`;

function planned(id: string, title: string, test: string): PlanTask {
  return task(id, { title, acceptance: [{ command: commandFor(test), threshold: "exit 0" }] });
}

/**
 * The story of `demo orchestrate`: false claims of success, a wrong test, a question for a person, and a MAIN that finishes too early. `at`: the
 * path of a project file.
 */
export function durations(at: (name: string) => string): BoardScene {
  const tests = (name: string, ...cases: readonly string[]): Step => {
    const head = [
      "assert from 'node:assert/strict'",
      "{ test } from 'node:test'",
      "{ format, parse } from '../duration.mjs'",
    ];
    const lines = [
      ...head.map((what) => `import ${what};`),
      ...cases.map((each) => `test("it", () => assert.${each});`),
    ];
    return { write: { path: at(testFile(name)), text: `${lines.join("\n")}\n` } };
  };
  const develops = (...parts: readonly string[]): readonly Step[] => [
    { read: at("duration.mjs") },
    { write: { path: at("duration.mjs"), text: parts.join("") } },
  ];
  const wrote = (name: string, more = ""): Step => ({
    text: `Conclusion: PASS\nTest files: ${testFile(name)}\nTest commands: \`${commandFor(name)}\`\nCoverage: 1, 2\n${more}`,
  });
  const developed = (claim: string, more = ""): Step => ({ text: `Self-test: ${claim}\n${more}` });
  const forTest = {
    "Test requirements": "1. what is right\n2. what is wrong",
    "Code under test": "- duration.mjs",
  };
  const forDev = { header: ["self_test: enabled"] };
  const forReview = { header: ["review_mode: milestone"] };

  return {
    files: { "duration.mjs": `export const parse = () => 0;\n${NO_FORMAT}`, "test/README.md": "Tests.\n" },
    context: CONTEXT,
    tasks: [
      planned("M1-T1", "parse(text) gives minutes", "parse"),
      planned("M1-T2", "parse(text) refuses nonsense", "refuse"),
      planned("M2-T1", "format(minutes) gives a text", "format"),
    ],
    moves: [
      {
        next: "TEST",
        to: { "M1-T1": "DOING" },
        sections: forTest,
        work: [tests("parse", 'equal(parse("1h30m"), 90)', 'equal(parse("45m"), 45)'), wrote("parse")],
      },
      {
        next: "DEV",
        ...forDev,
        work: [
          ...develops("export const parse = (text) => Number.parseInt(text, 10);\n", NO_FORMAT),
          developed("PASS"),
        ],
      },
      { next: "DEV", ...forDev, work: [...develops(SUM, NO_FORMAT), developed("PASS")] },
      {
        next: "TEST",
        to: { "M1-T1": "DONE", "M1-T2": "DOING" },
        sections: forTest,
        work: [tests("refuse", 'throws(() => parse("soon"))', 'equal(parse("90"), 90)'), wrote("refuse")],
      },
      {
        next: "DEV",
        ...forDev,
        work: [...develops(REFUSE, NO_FORMAT), developed("FAIL", `\n## Test feedback\n${FEEDBACK}`)],
      },
      {
        next: "REVIEW",
        header: ["review_mode: investigate"],
        sections: {
          Investigation: "Whose fault is it?",
          "DEV feedback": FEEDBACK,
          Files: "- test/refuse.test.mjs\n- duration.mjs",
          Requirements: "1. compare\n2. weigh\n3. say what to do",
        },
        work: [
          { read: at(testFile("refuse")) },
          { text: "Conclusion: PASS\nFault: test\n\nThe test is wrong." },
        ],
      },
      {
        next: "TEST",
        header: ["red_waiver: only the test was wrong"],
        sections: forTest,
        work: [tests("refuse", 'throws(() => parse("soon"))', 'throws(() => parse("90"))'), wrote("refuse")],
      },
      { next: "DEV", ...forDev, work: [developed("PASS")] },
      {
        next: "REVIEW",
        to: { "M1-T2": "DONE" },
        ...forReview,
        work: [{ read: at("duration.mjs") }, { text: "Conclusion: PASS\n- M1-T1: fine\n- M1-T2: fine" }],
      },
      {
        next: "TEST",
        to: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED", "M2-T1": "DOING" },
        sections: forTest,
        work: [
          tests("format", 'equal(format(90), "1h30m")', 'equal(format(45), "45m")'),
          wrote("format", `\n## Clarification request\n${QUESTION}`),
        ],
      },
      { next: "USER", question: QUESTION },
      {
        next: "DEV",
        ...forDev,
        sections: { "Clarification reply": `${QUESTION} 1h` },
        work: [...develops(REFUSE, FORMAT), developed("PASS")],
      },
      { next: "FINISH", to: { "M2-T1": "DONE" }, refused: true },
      {
        next: "REVIEW",
        to: { "M2-T1": "DONE" },
        ...forReview,
        work: [{ read: at("duration.mjs") }, { text: "Conclusion: PASS\n- M2-T1: fine" }],
      },
      { next: "FINISH", to: { "M2-T1": "VERIFIED" } },
      { next: "FINISH" },
    ],
  };
}

/** Reviews the work of an earlier run after a question, then MAIN finishes. */
export function reviewOnly(at: (name: string) => string): BoardScene {
  return {
    files: { "duration.mjs": SUM },
    context: CONTEXT,
    tasks: [
      task("M1-T1", {
        title: "there is a file",
        status: "DONE",
        acceptance: [{ command: "test -f duration.mjs", threshold: "exit 0" }],
      }),
    ],
    moves: [
      { next: "USER", question: QUESTION },
      {
        next: "REVIEW",
        header: ["review_mode: milestone"],
        work: [{ read: at("duration.mjs") }, { text: "Conclusion: PASS\n- M1-T1: I saw it" }],
      },
      { next: "FINISH", to: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ],
  };
}
