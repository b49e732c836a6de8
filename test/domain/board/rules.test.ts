import { describe, expect, test } from "vitest";
import { readAnswer } from "../../../src/modes/orchestrate/rules/read-answer.ts";
import { BOARD_RULES, type BoardRule } from "../../../src/core/board/rule.ts";
import { ROWS } from "./rows.ts";
import { brokenBy, ruleTexts } from "./scene.ts";

const named = ROWS.map((row) => [`${BOARD_RULES[row.rule]} ${row.rule}: ${row.what}`, row] as const);

describe("MAIN's decisions", () => {
  test.each(named)("%s", (_name, { rule, at, broken, about, seen, kept, keptAt = at }) => {
    expect(brokenBy(at, broken, seen)).toEqual([`${rule} ${about}`.trim()]);
    expect(brokenBy(keptAt, kept)).toEqual([]);
  });
});

const FINISH = { next_agent: "FINISH", reason: "r", history_append: "h", task: null, dev_plan_next: null };
const TEST = { ...FINISH, next_agent: "TEST", task: "t" };
const ASKS = {
  ...FINISH,
  next_agent: "USER",
  decision_title: "t",
  question: "q",
  options: [{ option_id: "a", description: "d" }],
  recommended_option_id: "a",
};
const { reason: _, ...NO_REASON } = FINISH;

const ANSWERS: readonly [rule: BoardRule, broken: object | string, about: string, kept: object][] = [
  ["not_one_json_line", `Well:\n${JSON.stringify(FINISH)}`, "prose", FINISH],
  ["not_one_json_line", `\`\`\`json\n${JSON.stringify(FINISH)}\n\`\`\``, "fence", FINISH],
  ["not_one_json_line", `${JSON.stringify(FINISH)}\n${JSON.stringify(FINISH)}`, "several_objects", FINISH],
  ["unknown_field", { ...FINISH, mood: "good" }, "mood", FINISH],
  ["field_missing", NO_REASON, "reason", FINISH],
  ["field_wrong_type", { ...FINISH, history_append: ["h"] }, "history_append", FINISH],
  [
    "field_too_long",
    { ...FINISH, reason: "r".repeat(2001) },
    "reason 2001 > 2000",
    { ...FINISH, reason: "r".repeat(2000) },
  ],
  ["unknown_next_agent", { ...FINISH, next_agent: "PM" }, "PM", FINISH],
  ["task_missing", { ...TEST, task: null }, "TEST", TEST],
  ["task_not_null", { ...FINISH, task: "t" }, "FINISH", FINISH],
  ["question_incomplete", { ...ASKS, question: " " }, "question", ASKS],
  ["recommended_unknown", { ...ASKS, recommended_option_id: "b" }, "b", ASKS],
  [
    "option_invalid",
    { ...ASKS, options: [{ option_id: "a b", description: "d" }] },
    "options[0].option_id",
    ASKS,
  ],
];

describe("MAIN's words", () => {
  test.each(ANSWERS.map(([rule, ...rest]) => [`${BOARD_RULES[rule]} ${rule}`, rule, ...rest] as const))(
    "%s",
    (_name, rule, broken, about, kept) => {
      const read = (said: object | string): readonly string[] => {
        const answer = readAnswer(typeof said === "string" ? said : JSON.stringify(said));
        return "broken" in answer ? ruleTexts(answer.broken) : [];
      };
      expect(read(broken)).toEqual([`${rule} ${about}`]);
      expect(read(kept)).toEqual([]);
    },
  );
});

test("every rule of the board has its row, but for one that no answer can break", () => {
  const shown = new Set([...ROWS.map(({ rule }) => rule), ...ANSWERS.map(([rule]) => rule)]);
  const others = Object.keys(BOARD_RULES).filter((rule) => !shown.has(rule as BoardRule));
  expect(others).toEqual(["turn_failed"]);
});
