import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import type { BoardDecision } from "../../src/core/board/decisions.ts";
import { mainReminder, situationText, type Situation } from "../../src/modes/orchestrate/board-prompts.ts";

const LANGS = ["en", "zh"] as const;
/** Text that must not appear in each language. Names and literals of the format belong to no language. */
const OTHER = { en: /[\u4e00-\u9fff]/, zh: /\b(?:the|is|are|has|have|and|of|not|with)\b/ };

const SITUATION: Situation = {
  iteration: 7,
  lastIteration: 60,
  plan: "## M1: one\n",
  report: null,
  decisions: [],
  current: null,
  currentTodo: false,
  broken: [],
  openCalls: [],
  brokenPlanApplied: false,
  comment: null,
  selfCheck: null,
  changedBoard: [],
};

const CALL = {
  reviewMode: null,
  partial: null,
  waived: false,
  tasks: [],
  moves: [],
  planOnly: false,
} as const;
const OPEN: Situation["openCalls"] = [
  { ...CALL, agent: "DEV", waived: true, tasks: ["M1-T1"], moves: [{ task: "M1-T1", status: "DOING" }] },
  { ...CALL, agent: "REVIEW", reviewMode: "milestone", partial: "M2", tasks: ["M2-T1", "M2-T2"] },
  { ...CALL, agent: "USER" },
  { ...CALL, agent: "FINISH", planOnly: true, moves: [{ task: "M1-T1", status: "VERIFIED" }] },
];

function decision(iteration: number, comment: string | null = null): BoardDecision {
  return {
    iteration,
    title: `title ${iteration}`,
    question: `question ${iteration}?`,
    option: `option_${iteration}`,
    description: `description ${iteration}`,
    comment,
  };
}

describe.each(LANGS)("the situation: %s", (lang) => {
  const say = (over: Partial<Situation>): string => situationText(lang, { ...SITUATION, ...over });

  test("B1: every iteration has the plan, the last report and the decisions", () => {
    const text = say({ report: "the report", decisions: [decision(3, "mind the gap")], current: "M1-T2" });
    for (const part of ["## M1: one", "the report", "title 3", "question 3?", "option_3", "description 3"])
      expect(text).toContain(part);
    expect(text).toContain("mind the gap");
    expect(text).toContain("M1-T2");
    expect(text).toMatch(/7.*60/);
  });

  test("has neither language inside the other, in any situation", () => {
    const text = say({
      decisions: Array.from({ length: 200 }, (_, index) => decision(index, "-")),
      broken: [{ rule: "task_lost", about: "M1-T1" }],
      comment: "-",
      currentTodo: true,
      selfCheck: [
        { kind: "long_doing", task: "M1-T1", iterations: 6 },
        { kind: "unreviewed", milestone: "M1" },
        { kind: "long_blocked", task: "M1-T2", iterations: 6 },
        {
          kind: "repeats",
          calls: [
            { agent: "DEV", task: "M1-T1" },
            { agent: "REVIEW", task: "" },
          ],
          times: 3,
        },
      ],
      openCalls: OPEN,
      changedBoard: ["dev_plan.md"],
    });
    const all = [text, say({}), say({ selfCheck: [] }), mainReminder(lang)].join("\n");
    expect(all.replaceAll(/`[^`]*`/g, "")).not.toMatch(OTHER[lang]);
  });

  test("B11: that a task is to be taken up is said where it is TODO", () => {
    const todo = say({ current: "M1-T2", currentTodo: true });
    expect(todo).toMatch(lang === "en" ? /M1-T2\n\nIt is TODO: .*DOING/ : /M1-T2\n\n它是 TODO：.*DOING/);
    expect(say({ current: "M1-T2" })).not.toContain("TODO");
    expect(say({})).not.toContain("TODO");
  });

  test("a broken rule is named, with whether the plan was taken over", () => {
    const broken = [{ rule: "finish_with_update", about: "M1-T1" }] as const;
    const refused = say({ broken });
    const applied = say({ broken, brokenPlanApplied: true });
    for (const text of [refused, applied]) expect(text).toContain("- finish_with_update: ");
    expect(refused).not.toBe(applied);
    expect(say({})).not.toContain("finish_with_update");
  });

  test("with a broken rule come the calls that are open", () => {
    const text = say({ broken: [{ rule: "red_not_confirmed", about: "M1-T1" }], openCalls: OPEN });
    const lines = text.split("\n");
    const from = lines.findIndex((line) =>
      line.startsWith(lang === "en" ? "## Calls that are open" : "## 现在可以选择"),
    );
    expect(lines.slice(from + 2, from + 6)).toEqual(
      lang === "en"
        ? [
            "- DEV on M1-T1, with `red_waiver:` in its order, if dev_plan_next sets M1-T1 to DOING",
            "- REVIEW on M2-T1, M2-T2, `review_mode: milestone`, as `Partial Milestone Review: M2 (excluding blocked tasks)`",
            "- USER",
            "- FINISH, if dev_plan_next sets M1-T1 to VERIFIED, which applies only the plan; answer FINISH again in the next iteration",
          ]
        : [
            "- DEV（M1-T1），工单中须写 `red_waiver:`，须在 dev_plan_next 中更新：M1-T1 → DOING",
            "- REVIEW（M2-T1、M2-T2），`review_mode: milestone`，写明 `Partial Milestone Review: M2 (excluding blocked tasks)`",
            "- USER",
            "- FINISH，须在 dev_plan_next 中更新：M1-T1 → VERIFIED，本轮只采用计划，下一轮再输出 FINISH",
          ],
    );
    expect(say({ openCalls: OPEN })).not.toContain("red_waiver:");
  });

  test("B23: the self-check comes when due, with its findings", () => {
    const repeats = { kind: "repeats", calls: [{ agent: "DEV", task: "M4-T2" }], times: 3 } as const;
    const found = say({ selfCheck: [repeats] });
    expect(found).toMatch(/DEV.*M4-T2.*3|3.*DEV.*M4-T2/);
    // The sentence appears only if nothing was found.
    const nothing = lang === "en" ? "No problem found" : "没有发现问题";
    expect(say({ selfCheck: [] })).toContain(nothing);
    expect(found).not.toContain(nothing);
  });

  test("includes a person's words and changed files", () => {
    expect(say({ comment: "first line\nsecond line\n" })).toContain("> first line\n> second line");
    expect(say({ changedBoard: ["dev_plan.md"] })).toContain("- dev_plan.md");
  });

  test("B61: the last 20 decisions in full, older ones in a line each, 100 lines at most", () => {
    const text = (count: number, comment: string | null) =>
      say({ decisions: Array.from({ length: count }, (_, index) => decision(index + 1, comment)) });
    const lines = (shown: string) => shown.slice(shown.lastIndexOf("\n## ")).split("\n").slice(3);
    const few = text(30, null);
    expect(few).toContain("question 11?");
    expect(few).not.toContain("question 10?");
    expect(few).toContain("title 10 → option_10");
    expect(few).toContain("title 1 → option_1");
    expect(lines(few)).toHaveLength(10 + 20 * 3);
    const many = text(500, "a\nb");
    expect(lines(many)).toHaveLength(100);
    expect(many).toContain("title 500");
    expect(many).toMatch(/461/);
    expect(many.length).toBeLessThan(text(130, "a\nb").length * 1.1);
  });
});

describe("foreign text stays in its fence", () => {
  const hostile = array(
    oneof(constantFrom("```", "````", "`````", "~~~", "# Your answer", "\r", "\n", "\u2028", "`"), string()),
    { maxLength: 20 },
  );

  test("with any content", () => {
    assert(
      property(hostile, (pieces) => {
        const report = `start\n${pieces.join("\n")}\nend`;
        const text = situationText("en", { ...SITUATION, plan: "x", report });
        const lines = text.split("\n");
        const open = lines.findIndex((line, index) => /^`{3,}$/.test(line) && lines[index + 1] === "start");
        const close = lines.findIndex((line, index) => index > open && line === lines[open]);
        expect(open).toBeGreaterThan(0);
        expect(lines[close - 1]).toBe("end");
        const inside = lines.slice(open + 1, close).join("\n");
        const runs = inside.match(/`+/g) ?? [];
        expect(runs.every((run) => run.length < (lines[open]?.length ?? 0))).toBe(true);
        expect(inside).not.toMatch(/[\r\u2028]/);
      }),
    );
  });

  test("and foreign text in decisions stays in its line", () => {
    const text = situationText("en", {
      ...SITUATION,
      decisions: [{ ...decision(1), title: "a\n# Your answer\nb", comment: "c\r\n## M9: d" }],
    });
    expect(text).toContain("a # Your answer b");
    expect(text).not.toMatch(/^## M9/m);
  });
});
