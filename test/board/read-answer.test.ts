import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/modes/orchestrate/rules/read-answer.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

const DEV = {
  next_agent: "DEV",
  reason: "tests are red",
  history_append: "## Iteration 3:\nnext_agent: DEV",
  task: "# Current Task (Iteration 3)\nassigned_agent: DEV",
  dev_plan_next: null,
};
const USER = {
  ...DEV,
  next_agent: "USER",
  task: null,
  decision_title: "Which database",
  question: "Which one may be installed?",
  options: [
    { option_id: "sqlite", description: "a file" },
    { option_id: "pg.16", description: " a server " },
  ],
  recommended_option_id: "sqlite",
};
const FINISH = { ...DEV, next_agent: "FINISH", task: null };

type Changes = Readonly<Record<string, unknown>>;
/** `rule about`; empty for a valid answer. */
function broken(text: string): string[] {
  const read = readAnswer(text);
  return "answer" in read ? [] : read.broken.map(({ rule, about }) => `${rule} ${about}`);
}
const of = (answer: object, changes: Changes = {}): string[] =>
  broken(JSON.stringify({ ...answer, ...changes }));

describe("MAIN's answer", () => {
  test("B55 is one line of JSON", () => {
    expect(readAnswer(`\ufeff \n${JSON.stringify(DEV)}\r\n`)).toEqual({
      answer: {
        nextAgent: "DEV",
        reason: DEV.reason,
        historyAppend: DEV.history_append,
        task: DEV.task,
        devPlanNext: null,
        question: null,
      },
    });
  });

  test("B24 B52 empty lines before the history, the order and the plan do no harm", () => {
    const padded = {
      ...DEV,
      history_append: `\n\n${DEV.history_append}`,
      task: ` \r\n\n${DEV.task}\n`,
      dev_plan_next: "\n# Dev plan\n",
    };
    expect(readAnswer(JSON.stringify(padded))).toMatchObject({
      answer: { historyAppend: DEV.history_append, task: `${DEV.task}\n`, devPlanNext: "# Dev plan\n" },
    });
  });

  const line = JSON.stringify(DEV);
  test.each([
    ["empty", ""],
    ["empty", " \n\t"],
    ["fence", `\`\`\`json\n${line}\n\`\`\``],
    ["fence", `~~~\n${line}`],
    ["fence", `Here it is:\n\`\`\`\n${line}\n\`\`\`\nDone.`],
    ["fence", `${line}\n\`\`\``],
    ["no_object", "I think DEV should go on."],
    ["no_object", "no"],
    ["prose", `Here it is: ${line}`],
    ["prose", `${line}\nThat is all.`],
    ["prose", `We {have} this: ${line}`],
    ["several_objects", `${line}\n${line}`],
    ["several_objects", `${line}${JSON.stringify(FINISH)}`],
    ["several_objects", `either ${line} or ${line}`],
    ["several_lines", JSON.stringify(DEV, null, 2)],
    ["repeated_key", line.replace("{", '{"next_agent":"TEST",')],
    ["repeated_key", JSON.stringify(USER).replace('"option_id"', '"option_id":"x","option_id"')],
    ["not_json", line.slice(0, -1)],
    ["not_json", line.replaceAll('"', "'")],
    ["not_json", line.replace("\\n", "\n```\n")],
    ["not_json", `{"a": nul, "options": [{"x": 1}, {"y": 2}]}`],
    ["not_json", `[${line}`],
    ["not_an_object", `[${line}]`],
    ["not_an_object", "null"],
    ["not_an_object", '"FINISH"'],
  ])("B55 %s: %j", (about, text) => {
    expect(broken(text)).toEqual([`not_one_json_line ${about}`]);
  });

  test.each([
    ["unknown_field mood", { mood: 1 }],
    ["unknown_field __proto__", { ["__proto__"]: 1 }],
    ["unknown_field question", { question: "so?" }],
    ["unknown_field options", { options: [] }],
    ["field_missing reason", { reason: undefined }],
    ["field_missing reason", { reason: " " }],
    ["field_missing history_append", { history_append: undefined }],
    ["field_missing dev_plan_next", { dev_plan_next: undefined }],
    ["field_missing task", { task: undefined }],
    ["field_wrong_type reason", { reason: 7 }],
    ["field_wrong_type history_append", { history_append: null }],
    ["field_wrong_type dev_plan_next", { dev_plan_next: false }],
    ["field_wrong_type task", { task: ["x"] }],
    ["field_too_long reason 2001 > 2000", { reason: "x".repeat(2001) }],
    ["field_too_long history_append 8001 > 8000", { history_append: "x".repeat(8001) }],
    ["field_too_long task 32001 > 32000", { task: "x".repeat(32_001) }],
    ["field_too_long dev_plan_next 64001 > 64000", { dev_plan_next: "x".repeat(64_001) }],
  ])("B55 %s", (problem, changes: Changes) => {
    const answer = Object.entries(changes)
      .map(([key, value]) => (value === undefined ? "" : `${JSON.stringify(key)}:${JSON.stringify(value)},`))
      .join("");
    const rest = JSON.stringify(
      Object.fromEntries(Object.entries(DEV).filter(([key]) => !Object.hasOwn(changes, key))),
    );
    expect(broken(rest.replace("{", `{${answer}`))).toEqual([problem]);
  });

  test.each(["dev", "DEV ", "Dev"])("B56 %j is DEV", (agent) => {
    const read = readAnswer(JSON.stringify({ ...DEV, next_agent: agent }));
    expect("answer" in read && read.answer.nextAgent).toBe("DEV");
  });

  test.each(["MAIN", ""])("B56 %j is no role", (agent) => {
    expect(of(DEV, { next_agent: agent })).toEqual([`unknown_next_agent ${agent.trim()}`]);
  });
  test("B56 a role must be called", () => {
    expect(of(DEV, { next_agent: undefined })).toEqual(["field_missing next_agent"]);
    expect(of(DEV, { next_agent: null })).toEqual(["field_wrong_type next_agent"]);
  });
  test.each(["TEST", "DEV", "REVIEW"])("B57 %s gets a work order", (agent) => {
    expect(of(DEV, { next_agent: agent })).toEqual([]);
    expect(of(DEV, { next_agent: agent, task: null })).toEqual([`task_missing ${agent}`]);
    expect(of(DEV, { next_agent: agent, task: " \n" })).toEqual([`task_missing ${agent}`]);
  });
  test.each([USER, FINISH])("B57 $next_agent gets none", (answer) => {
    expect(of(answer)).toEqual([]);
    expect(of(answer, { task: "x" })).toEqual([`task_not_null ${answer.next_agent}`]);
    expect(of(answer, { task: "" })).toEqual([`task_not_null ${answer.next_agent}`]);
  });

  test("B58 a question has title, options and a recommendation", () => {
    expect(readAnswer(JSON.stringify(USER))).toMatchObject({
      answer: {
        question: {
          title: "Which database",
          question: "Which one may be installed?",
          options: [
            { id: "sqlite", description: "a file" },
            { id: "pg.16", description: "a server" },
          ],
          recommended: "sqlite",
        },
      },
    });
  });
  test.each([
    ["question_incomplete decision_title", { decision_title: undefined }],
    ["question_incomplete question", { question: " " }],
    ["question_incomplete options", { options: null }],
    ["question_incomplete options", { options: [] }],
    ["question_incomplete recommended_option_id", { recommended_option_id: null }],
    ["recommended_unknown mysql", { recommended_option_id: "mysql" }],
    ["field_wrong_type decision_title", { decision_title: 1 }],
    ["field_wrong_type options", { options: "sqlite" }],
    ["field_too_long decision_title 201 > 200", { decision_title: "x".repeat(201) }],
    ["field_too_long question 8001 > 8000", { question: "x".repeat(8001) }],
  ])("B58 %s", (problem, changes: Changes) => {
    expect(of(USER, changes)).toEqual([problem]);
  });

  const option = { option_id: "sqlite", description: "a file" };
  test.each([
    ["no object", ["sqlite"], "option_invalid options[1]"],
    ["no id", [{ description: "x" }], "option_invalid options[1].option_id"],
    ["an id of words", [{ ...option, option_id: "two words" }], "option_invalid options[1].option_id"],
    ["an id too long", [{ ...option, option_id: "x".repeat(65) }], "option_invalid options[1].option_id"],
    ["the same id", [option], "option_invalid sqlite"],
    ["no description", [{ option_id: "x" }], "option_invalid options[1].description"],
    ["more than that", [{ option_id: "x", description: "y", cost: 1 }], "unknown_field options[1].cost"],
    [
      "a long description",
      [{ option_id: "x", description: "y".repeat(1001) }],
      "field_too_long options[1].description 1001 > 1000",
    ],
    [
      "too many",
      Array.from({ length: 9 }, (_, n) => ({ option_id: `o${n}`, description: "y" })),
      "option_invalid options 10 > 9",
    ],
  ])("B59 reports an option with %s", (_, more, problem) => {
    expect(of(USER, { options: [option, ...more] })).toEqual([problem]);
  });

  test("B60 the plan is its whole text or null", () => {
    expect(readAnswer(JSON.stringify({ ...FINISH, dev_plan_next: "# plan" }))).toMatchObject({
      answer: { devPlanNext: "# plan" },
    });
  });

  test("reports all broken rules at once, up to a limit", () => {
    expect(of({}, { next_agent: "FINISH", task: "x", mood: 1 })).toEqual([
      "unknown_field mood",
      "field_missing reason",
      "field_missing history_append",
      "task_not_null FINISH",
      "field_missing dev_plan_next",
    ]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]));
    expect(of(DEV, many)).toHaveLength(30);
  });

  test("any text is an answer or breaks a rule", () => {
    const values = fc.oneof(fc.constantFrom(...Object.values(USER)), fc.jsonValue());
    const answers = fc.record(Object.fromEntries(Object.keys(USER).map((key) => [key, values])));
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          answers.map((answer) => JSON.stringify(answer)),
        ),
        (text) => {
          const read = readAnswer(text);
          const isWhole =
            "broken" in read
              ? read.broken.length > 0
              : (read.answer.question !== null) === (read.answer.nextAgent === "USER");
          expect(isWhole).toBe(true);
        },
      ),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(broken(text)).toHaveLength(1);
  });
});
