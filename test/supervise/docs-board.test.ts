import { describe, expect, test } from "vitest";
import { isBoardRole, NEXT_AGENTS, ORDER_SECTIONS } from "../../src/core/board/answer.ts";
import { globMatcher } from "../../src/text/globs.ts";
import { MAIN_OPTIONS } from "../../src/core/question-options.ts";
import { TASK_STATUSES, tasksOf } from "../../src/core/board/plan.ts";
import { BOARD_PROBLEMS } from "../../src/core/board/problem.ts";
import { readAnswer } from "../../src/modes/orchestrate/rules/read-answer.ts";
import { readDecisions } from "../../src/core/board/decisions.ts";
import { historyFields } from "../../src/modes/orchestrate/history.ts";
import { readOrder } from "../../src/modes/orchestrate/rules/read-order.ts";
import { readPlan } from "../../src/modes/orchestrate/rules/read-plan.ts";
import { DEFAULT_SHARED_PATHS, readProjectEnv } from "../../src/modes/orchestrate/rules/read-project-env.ts";
import { DEFAULT_TEST_PATHS } from "../../src/evidence/protected/test-paths.ts";
import { readRole } from "../../src/modes/orchestrate/rules/read-role.ts";
import { BOARD_RULES } from "../../src/core/board/rule.ts";
import { exitCodeOfEnd, outcomeOf } from "../../src/core/end.ts";
import type { EndReason, Impasse } from "../../src/core/event.ts";
import { ExitCode } from "../../src/platform/outcome.ts";
import type { RunState } from "../../src/core/state.ts";
import { boardTexts } from "../../src/modes/orchestrate/words/board.ts";
import { BoardRig, straight } from "../rig/board.ts";
import { codes, enumOf, expectNamed, flagsIn, flagsOf, read, rows, section } from "../rig/docs.ts";
import { Rig } from "../rig/rig.ts";
import { untimed } from "../rig/steps.ts";

const BOARD = "docs/board.md";
const ORCHESTRATE = "docs/orchestrate.md";
const cells = (table: readonly (readonly string[])[], column: number): string[] =>
  table.flatMap((row) => codes(row[column] ?? ""));
const block = (text: string, kind: string): string =>
  new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? "";
/** The table of a text that begins with this head. */
const tableAfter = (text: string, head: string): string[][] => rows(text.slice(text.indexOf(`\n| ${head}`)));

describe("docs of orchestrate and board", () => {
  test.each([
    ["orchestrate", ORCHESTRATE],
    ["board", BOARD],
  ])("flags of %s", async (command, file) => {
    const documented = cells(rows(section(file, "## Flags")), 0).flatMap((flag) => flagsIn(flag));
    expect(documented.toSorted()).toEqual((await flagsOf(command)).toSorted());
  });

  test("the README leads to them", () => {
    expectNamed("README.md", [ORCHESTRATE, BOARD, "demo orchestrate", "board init", "dev_plan.md"]);
  });

  test("the README's example of `demo orchestrate` matches its output", async () => {
    const { stdout } = await new Rig().run(["demo", "orchestrate", "--lang", "en"]);
    const same = (line: string): string =>
      line
        .replaceAll(/\S*\bnode --test/g, "node --test")
        .replaceAll(/\d{4}-[a-z0-9]{4}|\d+(?:\.\d)?s$|contained: .*/g, "");
    const printed = new Set(untimed(stdout).split("\n").map(same));
    const [, shown = ""] =
      /demo orchestrate` prints, shortened:\n\n```\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
    // Indented lines hold paths, times and commits.
    const lines = shown.split("\n").filter((line) => /^[^ .]/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => !printed.has(same(line)))).toEqual([]);
  });

  test("every rule, with its row", () => {
    const documented = rows(section(ORCHESTRATE, "## The rules")).map(([rule = "", row]) => [
      codes(rule)[0],
      row,
    ]);
    expect(documented).toEqual(Object.entries(BOARD_RULES));
  });

  test("every problem of a file", () => {
    const text = section(BOARD, "## `board check`");
    expect(cells(tableAfter(text, "code |"), 0)).toEqual(BOARD_PROBLEMS);
  });

  test("statuses, and where they go", () => {
    const moves = rows(section(ORCHESTRATE, "### Statuses"));
    expect(cells(moves, 0)).toEqual(TASK_STATUSES);
    expect(cells(rows(section(BOARD, "## `dev_plan.md`")), 1).slice(0, TASK_STATUSES.length)).toEqual(
      TASK_STATUSES,
    );
  });

  test("the plan that is shown can be read", () => {
    const plan = readPlan(block(section(BOARD, "## `dev_plan.md`"), "markdown"));
    if ("problems" in plan) throw new Error(JSON.stringify(plan.problems));
    expect(plan.plan.milestones.map(({ id, tasks }) => [id, tasks.length])).toEqual([
      ["M1", 2],
      ["M2", 1],
    ]);
    expect(tasksOf(plan.plan).map(({ acceptance }) => acceptance.length)).toEqual([2, 1, 1]);
    expect(tasksOf(plan.plan)[1]?.depends).toEqual(["M1-T1"]);
  });

  test("the environment that is shown can be read, and its patterns match", () => {
    const text = section(BOARD, "## `project_env.json`");
    const given = readProjectEnv(block(text, "json"));
    if ("problems" in given) throw new Error(JSON.stringify(given.problems));
    const isTest = globMatcher(given.env.testPaths);
    expect(["src/a.test.ts", "test/deep/b.ts", "scripts/ci/run.sh"].filter((path) => !isTest(path))).toEqual(
      [],
    );
    expect(["src/a.ts", "lib/test/b.ts", "scripts/ci"].filter(isTest)).toEqual([]);
    expect(cells(tableAfter(text, "key |"), 0)).toEqual(["test_paths", "shared_paths", "env"]);
  });

  test("the defaults of its patterns", () => {
    const lists = [...read(BOARD).matchAll(/of `(?:test|shared)_paths`:\n\n```\n([\s\S]*?)\n```/g)];
    expect(lists.map(([, list = ""]) => list.split("\n"))).toEqual([
      DEFAULT_TEST_PATHS,
      DEFAULT_SHARED_PATHS,
    ]);
  });

  test("history and decisions that are shown can be read", () => {
    const [history = "", decisions = ""] = [
      ...section(BOARD, "## `project_history.md` and `user_decisions.md`").matchAll(
        /```markdown\n([\s\S]*?)```/g,
      ),
    ].map(([, text]) => text);
    expect([...historyFields(history).fields.keys()]).toEqual([
      "next_agent",
      "reason",
      "dev_plan",
      "user_cause",
    ]);
    expect(readDecisions(decisions)).toMatchObject([
      { iteration: 11, option: "short", comment: "as in the handbook" },
    ]);
  });

  test("MAIN's answer: the example, and all keys", () => {
    const text = section(ORCHESTRATE, "## MAIN's answer");
    expect(readAnswer(block(text, "json"))).toMatchObject({ answer: { nextAgent: "TEST" } });
    const table = rows(text);
    expect(codes(table[0]?.[1] ?? "")).toEqual(NEXT_AGENTS);
    const keys = cells(table, 0);
    const known = (key: string): boolean =>
      !JSON.stringify(readAnswer(JSON.stringify({ next_agent: "USER", [key]: "" }))).includes(
        "unknown_field",
      );
    expect(keys.filter((key) => !known(key))).toEqual([]);
    const without = Object.fromEntries(keys.map((key) => [key, null]));
    const broken = JSON.stringify(readAnswer(JSON.stringify({ ...without, next_agent: "USER" })));
    expect(["field_missing", "unknown_field"].filter((rule) => broken.includes(`"${rule}"`))).toEqual([]);
  });

  test("an order: the example, its header and its sections", () => {
    const text = section(ORCHESTRATE, "## Work orders");
    const example = readOrder(block(text, "markdown"));
    expect(example).toMatchObject({ iteration: 5, assignedAgent: "TEST", task: "M1-T2", requirements: 2 });
    expect(example.commands).toHaveLength(1);
    const header = cells(tableAfter(text, "line of the header |"), 0).map((line) => line.slice(0, -1));
    const values = {
      assigned_agent: "DEV",
      self_test: "enabled",
      review_mode: "single",
      task: "M1-T1",
      red_waiver: "it is there",
    };
    expect(header).toEqual(Object.keys(values));
    const sections = tableAfter(text, "section |");
    for (const column of [0, 1]) {
      const order = cells(sections, column).map((title) => `## ${title}\nwords`);
      expect(readOrder(order.join("\n")).sections.map(({ name }) => name)).toEqual(ORDER_SECTIONS);
    }
  });

  test("reports: keys in both languages mean the same", () => {
    const text = section(ORCHESTRATE, "## Reports of roles");
    const table = rows(text);
    const values = ["PASS", "FAIL", "a.test.ts", "`npm test`", "1-3", "permission", "test", "requirements"];
    expect(table).toHaveLength(values.length);
    const saying = (column: number) =>
      table.map((row, index) =>
        readRole(
          `${(codes(row[column] ?? "")[0] ?? "").replace(/:$/, "")}: ${values[index]}`,
          row[2] === "DEV" ? "DEV" : "TEST",
        ),
      );
    expect(saying(1)).toEqual(saying(0));
    const nothing = readRole("", "TEST");
    expect(saying(0).filter((said) => JSON.stringify(said) === JSON.stringify(nothing))).toEqual([]);
    for (const title of ["Test feedback", "测试问题反馈"]) {
      expect(text).toContain(`\`${title}\``);
      expect(readRole(`## ${title}\nwords`, "DEV").testFeedback).toBe("words");
    }
    for (const title of ["Clarification request", "澄清请求"]) {
      expect(text).toContain(`\`${title}\``);
      expect(readRole(`## ${title}\nwords`, "DEV").clarification).toBe("words");
    }
  });

  test("variables of an agent", async () => {
    const rig = new BoardRig();
    rig.script(straight("M1-T1"), { DEV: { run: "env >env.txt" } });
    await rig.orchestrate();
    const given = rig
      .read("env.txt")
      .split("\n")
      .map((line) => line.split("=", 1)[0] ?? "")
      .filter((name) => name.startsWith("GA_") || name === "AGENT_FOREMAN_RUN");
    const documented = cells(tableAfter(section(ORCHESTRATE, "## Roles, agents, tools"), "variable |"), 0);
    expect(given.toSorted()).toEqual(documented.toSorted());
  });

  test("calls of roles, and their causes", () => {
    const roles = rows(section(ORCHESTRATE, "## Whose files are whose")).flatMap(([cell = ""]) =>
      cell.split(", "),
    );
    expect(roles.toSorted()).toEqual(["MAIN", ...NEXT_AGENTS.filter(isBoardRole)].toSorted());
    const asked = section(ORCHESTRATE, "## Questions to you");
    expect(MAIN_OPTIONS.filter((option) => !asked.includes(`\`${option}\``))).toEqual([]);
  });

  test("`board show` on a task", () => {
    const documented = cells(tableAfter(section(BOARD, "## `board show`"), "wording |"), 0).map((words) =>
      words.replace(/ \[\d+\].*/, ""),
    );
    const { found, rejected, asksYou, dropped, skipped } = boardTexts.en.show;
    const said = [...Object.values(found), rejected("DEV"), asksYou, dropped, skipped];
    expect(documented.filter((words) => words !== "evidence" && words !== "drop_tasks").toSorted()).toEqual(
      said.toSorted(),
    );
  });

  test("exit codes", () => {
    const table = rows(section(ORCHESTRATE, "## Exit codes"));
    const known = Object.values(ExitCode).filter((code) => code !== ExitCode.bug);
    expect(table.flatMap(([code = ""]) => code.split(", ").map(Number))).toEqual(known);
    const reasons = table.flatMap(([code = "", , cell = ""]) =>
      codes(cell).map((reason) => ({ code: Number(code), reason })),
    );
    expect(reasons.filter(({ code, reason }) => !exitCodesOf(reason).includes(code))).toEqual([]);
    expect(new Set(reasons.map(({ reason }) => reason))).toEqual(
      new Set([
        "accepted",
        "limit_reached",
        "marked_by_person",
        "cancelled",
        "budget_reached",
        "wait_limit_reached",
        "no_agent_available",
        "dependencies_missing",
      ]),
    );
    expect(enumOf("orchestrate-report", "final_status")).toContain("manually_failed");
  });
});

/** The possible exit codes of a run that ended or stopped for this reason. */
function exitCodesOf(reason: string): number[] {
  const stopped = { ended: null, stopped: reason as Impasse, updatedAt: "" } as unknown as RunState;
  const impasse = outcomeOf(stopped);
  if (impasse) return [impasse.exitCode];
  const accepted = reason === "accepted" || reason === "marked_by_person";
  const rejected = reason === "accepted" ? [] : [exitCodeOfEnd("failed", reason as EndReason)];
  return [...(accepted ? [exitCodeOfEnd("passed", reason)] : []), ...rejected];
}
