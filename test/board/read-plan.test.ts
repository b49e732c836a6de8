import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DevPlan, PlanTask } from "../../src/core/board/plan.ts";
import { TASK_STATUSES, tasksOf } from "../../src/core/board/plan.ts";
import { MAX_PLAN_CHARS, MAX_TASKS, readPlan } from "../../src/modes/orchestrate/rules/read-plan.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

const GOOD = [
  "# Dev plan",
  "The status: M9-T9 may come later.",
  "",
  "## M1: upload API",
  "### M1-T1: store a file",
  "- status: VERIFIED",
  "- acceptance: `npm test` → exit 0",
  "- evidence: REVIEW, iteration 4",
  "  all green",
  "",
  "### M1-T2：refuse large files",
  "- status: TODO",
  "- acceptance:",
  "  1. `npm test` -> exit 0",
  "  2. `npm run lint` => 0 warnings",
  "- evidence: none",
  "- depends: M1-T1",
  "## M3 - download",
  "- **M3-T1**: read a file",
  "  - **Status:** `DOING`",
  "  - Acceptance：run ``echo `date` `` → prints `date`",
  "  - evidence:",
];

function planOf(text: string): DevPlan {
  const read = readPlan(text);
  if (!("plan" in read)) throw new Error(JSON.stringify(read.problems));
  return read.plan;
}

/** `kind@line about`, for readable tables. */
function problemsOf(text: string): string[] {
  const read = readPlan(text);
  if ("plan" in read) return [];
  return read.problems.map(({ kind, line, about }) => `${kind}@${line ?? "-"} ${about}`.trim());
}

function task(
  lines: Partial<Record<"head" | "status" | "acceptance" | "evidence" | "more", string>> = {},
): string {
  const { head = "### M1-T1: a", status = "- status: TODO", more = "" } = lines;
  const { acceptance = "- acceptance: `a` → exit 0", evidence = "- evidence: none" } = lines;
  return [head, status, acceptance, evidence, more].filter((line) => line !== "").join("\n");
}
const plan = (...tasks: string[]): string => ["## M1: a", ...tasks].join("\n");

describe("a plan", () => {
  test("B9, B10 is milestones with tasks that have status, acceptance and evidence", () => {
    const { milestones } = planOf(GOOD.join("\n"));
    expect(milestones.map(({ id, title, line }) => [id, title, line])).toEqual([
      ["M1", "upload API", 4],
      ["M3", "download", 18],
    ]);
    const [first, second, third] = milestones.flatMap(({ tasks }) => tasks);
    expect(first).toEqual<PlanTask>({
      id: "M1-T1",
      title: "store a file",
      status: "VERIFIED",
      acceptance: [{ command: "npm test", threshold: "exit 0" }],
      evidence: "REVIEW, iteration 4\n  all green",
      depends: [],
      line: 5,
    });
    expect(second).toMatchObject({
      title: "refuse large files",
      acceptance: [
        { command: "npm test", threshold: "exit 0" },
        { command: "npm run lint", threshold: "0 warnings" },
      ],
      evidence: "",
      depends: ["M1-T1"],
    });
    expect(third).toMatchObject({
      id: "M3-T1",
      title: "read a file",
      status: "DOING",
      acceptance: [{ command: "echo `date`", threshold: "prints `date`" }],
      evidence: "",
    });
  });

  test("says the same with other line ends and a byte order mark", () => {
    expect(planOf(`\ufeff${GOOD.join("\r\n")}`)).toEqual(planOf(GOOD.join("\n")));
  });

  test.each([
    [
      "a plain line as the contract has it",
      "M1-T1:\n- status: TODO\n- acceptance: `a` → b\n- evidence: x",
      "TODO",
    ],
    ["a bold line", task({ head: "**M1-T1: a**", status: "**status**: DONE" }), "DONE"],
    ["a numbered item", task({ head: "1. M1-T1: a", status: "status：BLOCKED" }), "BLOCKED"],
    ["a heading without a colon", task({ head: "#### M1-T1 a", status: "  * status: **DOING**" }), "DOING"],
  ])("B10 a task may be %s", (_, text, status) => {
    expect(tasksOf(planOf(plan(text)))).toMatchObject([{ id: "M1-T1", status }]);
  });

  test("text in code blocks is not read", () => {
    const example = [
      "```markdown",
      task({ head: "### M1-T9: example", status: "- status: NEW" }),
      "```",
    ].join("\n");
    expect(tasksOf(planOf(plan(task(), example))).map(({ id }) => id)).toEqual(["M1-T1"]);
  });

  test("fields behind a heading that ends the task are not its own", () => {
    expect(problemsOf(`${plan(task())}\n## Notes\n- status: whatever\n- depends: on nobody`)).toEqual([
      "field_outside_task@7 - status: whatever",
    ]);
    expect(problemsOf(`${plan(task())}\n#### Notes\n- status: whatever`)).toEqual([
      "field_repeated@7 M1-T1 status",
    ]);
  });

  test.each(["status: draft", "- **Acceptance**: `a` → exit 0", "evidence："])(
    "B60 reports %j outside of a task",
    (line) => {
      const about = `field_outside_task@2 ${line}`;
      expect(problemsOf(`# Plan\n${line}\n${plan(task())}`)).toEqual([about]);
      expect(problemsOf(plan(line, task()))).toEqual([about]);
    },
  );

  test.each([
    "### Task M1-T2: b",
    "## Notes on M1-T1",
    "### \u041c1-T2: b",
    "### M1-\u04222: b",
    "### M1-T\u200b2: b",
    "### \u200bM1-T2: b",
    "### M1-T2\u200b: b",
    "### M1_T2: b",
    "##### M1.T2 b",
    "### M1.T2: b",
    "### M1–T2: b",
    "### M1-T2b: c",
    "### **M1 - T2**: b",
    "### M1-T2/M1-T3: b",
    "### Ｍ1－T2: b",
    "- M1-T2 b",
    "- [ ] M1-T2: b",
    "**Task M1-T2: b**",
    "1. M1_T2: b",
    "| M1-T2 | b |",
    "    ### M1-T2: b",
    "M1-T2 b",
    "## Milestone 2: b",
    "## \u041c2: b",
    "## M2（b）",
  ])("B60 %j is not taken for prose", (line) => {
    const about = `line_unclear@6 ${line.trim()}`;
    expect(problemsOf(`${plan(task())}\n${line}`)).toEqual([about]);
    expect(problemsOf(`${plan(task())}\n\`\`\`\n${line}\n\`\`\``)).toEqual([]);
  });

  test.each([
    "- see M1-T1",
    "M1-T1 and M1-T2 are one",
    "it waits for M1-T2",
    "- `npm test -- M1-T2` is slow",
    "##### M2",
    "## Milestones",
    "## Notes on M2",
  ])("B60 %j is prose", (line) => {
    expect(problemsOf(`${plan(task())}\n${line}`)).toEqual([]);
  });

  test("B60 reports an unclosed code block, because it would hide the rest", () => {
    const more = task({ head: "### M1-T2: b" });
    expect(problemsOf(plan(task(), "```", more))).toEqual(["fence_open@6"]);
    expect(problemsOf(plan(task(), "```", more, "```"))).toEqual([]);
  });

  test("a task that is spoken of at the beginning of a line is not another one", () => {
    expect(problemsOf(plan(task({ evidence: "- evidence: see below\nM1-T1 is green" })))).toEqual([]);
  });

  test.each([
    ["command and threshold on lines of their own", "- acceptance:\n  - 命令: `a`\n  - 阈值: exit 0"],
    ["a threshold on the next line", "- acceptance:\n  1. `a`\n     → exit 0"],
    ["words before the list", "- acceptance: all of these\n  these two, in order:\n  1. `a` → exit 0"],
    ["a bullet that is a command", "- acceptance:\n  - `a` → exit 0\n  - slow on old machines"],
  ])("B13 acceptance may have %s", (_, acceptance) => {
    expect(tasksOf(planOf(plan(task({ acceptance }))))[0]?.acceptance).toEqual([
      { command: "a", threshold: "exit 0" },
    ]);
  });

  test.each([
    ["nothing", "", ["empty@-"]],
    ["no milestone", "# Plan\nwords", ["no_milestone@-"]],
    ["a milestone without tasks", "## M1: a", ["milestone_empty@1 M1"]],
    ["a task before any milestone", task(), ["no_milestone@-", "task_outside_milestone@1 M1-T1"]],
    [
      "a milestone twice",
      `${plan(task())}\n${plan(task({ head: "### M1-T2: b" }))}`,
      ["milestone_repeated@6 M1"],
    ],
    [
      "milestones out of order",
      `## M2: b\n${task({ head: "### M2-T1: a" })}\n${plan(task())}`,
      ["milestone_out_of_order@6 M1"],
    ],
    [
      "a task of another milestone",
      plan(task({ head: "### M2-T1: a" })),
      ["task_in_other_milestone@2 M2-T1"],
    ],
    ["a task twice", plan(task(), task()), ["task_repeated@6 M1-T1"]],
    ["tasks out of order", plan(task({ head: "### M1-T2: a" }), task()), ["task_out_of_order@6 M1-T1"]],
    ["a zero before a number", plan(task({ head: "### M1-T01: a" })), ["value_wrong@2 M1-T01: a"]],
    ["small letters", plan(task({ head: "### m1-t1: a" })), ["value_wrong@2 m1-t1: a"]],
  ])("B9 cannot have %s", (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test.each([
    ["status", task({ status: "" }), ["field_missing@2 M1-T1 status"]],
    ["acceptance", task({ acceptance: "" }), ["field_missing@2 M1-T1 acceptance"]],
    ["evidence", task({ evidence: "" }), ["field_missing@2 M1-T1 evidence"]],
    ["one of two", task({ more: "status: DONE" }), ["field_repeated@6 M1-T1 status"]],
  ])("B10 reports a task without its own %s", (_, text, problems) => {
    expect(problemsOf(plan(text))).toEqual(problems);
  });

  test.each(["WIP", "done", "TODO (soon)", "", "TODO DOING", "constructor"])(
    "B11 a status %j is invalid",
    (status) => {
      expect(problemsOf(plan(task({ status: `- status: ${status}` })))).toEqual([
        `status_unknown@3 ${status}`.trim(),
      ]);
    },
  );

  test.each(["TODO", "DOING", "BLOCKED", "DONE", "VERIFIED"])("B11 a status may be %s", (status) => {
    expect(tasksOf(planOf(plan(task({ status: `- status: ${status}` }))))).toMatchObject([{ status }]);
  });

  test.each([
    ["words alone", "- acceptance: all tests pass", "acceptance_without_command@4 all tests pass"],
    ["nothing", "- acceptance:", "acceptance_without_command@4 M1-T1"],
    ["an item of words", "- acceptance:\n 1. `a` → b\n 2. it works", "acceptance_without_command@6 it works"],
    ["an example's words", "- acceptance: `<command>` → 0", "acceptance_without_command@4 `<command>` → 0"],
    ["a command alone", "- acceptance: `npm test`", "acceptance_without_threshold@4 npm test"],
    ["no separator", "- acceptance: `npm test` exits 0", "acceptance_without_threshold@4 `npm test` exits 0"],
    ["nothing behind it", "- acceptance: `npm test` →", "acceptance_without_threshold@4 npm test"],
    ["two on a line", "- acceptance: `a` → 0; `b` → 0", "too_many_commands@4 `a` → 0; `b` → 0"],
    ["eleven", `- acceptance:\n${" 1. `a` → 0\n".repeat(11)}`, "too_many_commands@4 M1-T1 11 > 10"],
    ["a NUL", "- acceptance: `a\u0000b` → 0", "value_wrong@4 a\u0000b"],
  ])("B13 reports acceptance that is %s", (_, acceptance, problem) => {
    expect(problemsOf(plan(task({ acceptance })))).toEqual([problem]);
  });

  test.each([
    ["M1-T9", "depends_unknown@6 M1-T9"],
    ["M1-T1", "depends_on_itself@6 M1-T1"],
    ["the others", "depends_unknown@6 the"],
  ])("B32 reports a dependency on %s", (on, problem) => {
    expect(problemsOf(plan(task({ more: `- depends_on: ${on}` })))[0]).toBe(problem);
  });

  test("B9 a few dozen tasks are the maximum", () => {
    const tasks = Array.from({ length: MAX_TASKS + 1 }, (_, n) => task({ head: `### M1-T${n + 1}: a` }));
    expect(tasksOf(planOf(plan(...tasks.slice(0, MAX_TASKS))))).toHaveLength(MAX_TASKS);
    expect(problemsOf(plan(...tasks))).toEqual([`too_many_tasks@${2 + MAX_TASKS * 4} 61 > 60`]);
    expect(problemsOf("x".repeat(MAX_PLAN_CHARS + 1))).toEqual(["too_large@- 64001 > 64000"]);
  });

  test("reports all problems in the order of the lines, up to fifty", () => {
    const bad = task({ status: "- status: X", evidence: "" });
    expect(problemsOf(plan(bad))).toEqual(["field_missing@2 M1-T1 evidence", "status_unknown@3 X"]);
    expect(problemsOf(plan(...Array<string>(40).fill(bad)))).toHaveLength(50);
  });

  test("any text is a plan or has problems", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = readPlan(text);
        expect("plan" in read ? tasksOf(read.plan) : read.problems).not.toEqual([]);
      }),
    );
  });

  test("B60 accepts any layout", () => {
    const words = fc
      .stringMatching(/^[a-z]{1,9}(?: [a-z]{1,9}){0,3}$/)
      .filter((text) => !/^(?:n|nothing)/.test(text));
    const item = fc.record({ command: words, threshold: words });
    const one = fc.record({
      title: words,
      status: fc.constantFrom(...TASK_STATUSES),
      acceptance: fc.array(item, { minLength: 1, maxLength: 10 }),
      evidence: fc.oneof(words, fc.constant("")),
    });
    const layout = fc.record({
      head: fc.constantFrom("### ", "#### ", "", "- ", "**"),
      mark: fc.constantFrom("- ", "* ", "", "  - "),
      colon: fc.constantFrom(":", "：", ": "),
      arrow: fc.constantFrom(" → ", " -> ", "=>"),
      end: fc.constantFrom("\n", "\r\n", "\n\n"),
    });
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 12 }),
        layout,
        (list, { head, mark, colon, arrow, end }) => {
          const lines = list.flatMap(({ title, status, acceptance, evidence }, at) => [
            `${head}M2-T${at + 1}${colon}${title}${head === "**" ? "**" : ""}`,
            `${mark}status${colon}${status}`,
            `${mark}acceptance${colon}`,
            ...acceptance.map(
              ({ command, threshold }, n) => `   ${n + 1}. \`${command}\`${arrow}${threshold}`,
            ),
            `${mark}Evidence${colon}${evidence}`,
          ]);
          const { milestones } = planOf(["# Plan", "## M2: it", ...lines].join(end));
          expect(milestones[0]?.tasks).toMatchObject(
            list.map((written, at) => ({ ...written, id: `M2-T${at + 1}`, depends: [] })),
          );
        },
      ),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(problemsOf(text.slice(0, MAX_PLAN_CHARS))).not.toEqual([]);
  });
});
