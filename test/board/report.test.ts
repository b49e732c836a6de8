import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { OrchestrateSettings } from "../../src/core/settings.ts";
import { boardReport, type BoardReport } from "../../src/modes/orchestrate/board-report.ts";
import { snakeCased } from "../../src/text/snake-case.ts";
import { JOURNAL_VERSION } from "../../src/core/journal/record.ts";
import { journalRecordSchema } from "../../src/core/events/journal-schema.ts";
import { jsonLineSchema } from "../../src/cli/schemas/json-line-schema.ts";
import { publicSchemas } from "../../src/cli/schemas/schema.ts";
import { BoardRig, straight } from "../rig/board.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { AT, NOTHING, RUN_ID } from "../rig/story.ts";

function reportOf({ state }: BoardStory): BoardReport {
  return boardReport(state, state.settings as OrchestrateSettings, "/journal");
}

const tasksIn = ({ milestones }: BoardReport): BoardReport["milestones"][number]["tasks"] =>
  milestones.flatMap(({ tasks }) => tasks);

/** MAIN asks a person, who answers. Then MAIN breaks rules until a person is asked about that. */
function decided(): BoardStory {
  return new BoardStory({ iterationsBefore: 10 }, { interactive: true })
    .main({ nextAgent: "TEST" })
    .role({ claim: "BLOCKED", blockType: "permission" })
    .judge()
    .main({ nextAgent: "USER", history: ["blockers: S3"] })
    .ask()
    .chooses("b", "next week")
    .babbles()
    .babbles()
    .babbles([{ rule: "task_lost", about: "M1-T2" }])
    .ask()
    .chooses("stop")
    .ends("manually_failed", "marked_by_person");
}

describe("the report of orchestrate", () => {
  test("shows the evidence of each task", () => {
    const report = reportOf(new BoardStory().finishes());
    expect(report).toMatchObject({
      mode: "orchestrate",
      final_status: "passed",
      board_dir: "/project/blackboard",
      max_iterations: 60,
      iterations_before: 0,
      totals: { milestones: 2, tasks: 3, verified: 3, dropped: 0 },
      roles: { main: ["claude"], review: ["codex"] },
      manual_decision: null,
      board_edits: 0,
    });
    expect(
      tasksIn(report).map((task) => [task.id, task.status_before, task.status, task.verified_in]),
    ).toEqual([
      ["M1-T1", "TODO", "VERIFIED", 5],
      ["M1-T2", "TODO", "VERIFIED", 5],
      ["M2-T1", "TODO", "VERIFIED", 8],
    ]);
    expect(tasksIn(report).every((task) => !task.verified_before && !task.dropped)).toBe(true);
  });

  test("shows the events of each iteration", () => {
    const { iterations } = reportOf(new BoardStory().finishes());
    expect(
      iterations.map(({ iteration, next_agent, decision }) => [iteration, next_agent, decision]),
    ).toEqual([
      [1, "TEST", "accepted"],
      [2, "DEV", "accepted"],
      [3, "TEST", "accepted"],
      [4, "DEV", "accepted"],
      [5, "REVIEW", "accepted"],
      [6, "TEST", "accepted"],
      [7, "DEV", "accepted"],
      [8, "REVIEW", "accepted"],
      [9, "FINISH", null],
      [10, "FINISH", "accepted"],
    ]);
    expect(iterations[0]).toMatchObject({
      tasks: ["M1-T1"],
      said: { claim: "PASS", test_files: ["test/a.test.ts"], covered: [1] },
      checks: [{ phase: "acceptance", command: "check M1-T1", passed: false, exit_code: 1 }],
      work: { name: "codex" },
    });
    expect(iterations[1]?.order).toEqual({
      self_test: "enabled",
      review_mode: null,
      partial: null,
      red_waiver: null,
    });
    expect(iterations[8]).toMatchObject({
      finish_refused: true,
      verified: ["M2-T1"],
      main: [{ tools: "none", next_agent: "FINISH", broken: [{ rule: "finish_with_update", row: "B51" }] }],
      work: null,
      checks: [],
    });
    expect(iterations[9]?.checks).toHaveLength(3);
  });

  test("marks work that was verified before the run", () => {
    const plan = aPlan({ "M1-T1": ["VERIFIED", 3] });
    const story = new BoardStory({ plan, iterationsBefore: 5 }).test(plan.replace("TODO", "DOING"));
    const [task] = tasksIn(reportOf(story.dev().ends("failed", "limit_reached")));
    expect(task).toMatchObject({ status_before: "VERIFIED", verified_in: null, verified_before: true });
  });

  test("shows waivers, rejected work and its reasons", () => {
    const story = new BoardStory()
      .main({
        nextAgent: "TEST",
        header: ["red_waiver: the feature exists"],
        devPlanNext: aPlan({ "M1-T1": "DOING" }),
      })
      .role({}, { changed: ["src/a.ts"] })
      .judge()
      .ends("failed", "limit_reached");
    const report = reportOf(story);
    expect(tasksIn(report)[0]?.waivers).toEqual([{ iteration: 1, why: "the feature exists" }]);
    expect(report.iterations[0]).toMatchObject({
      decision: "rejected",
      reasons: ["forbidden_change"],
      changed_files: ["src/a.ts"],
      order: { red_waiver: "the feature exists" },
      checks: [],
    });
  });

  test("shows commands that did not run, and gaps of a report", () => {
    const story = new BoardStory({ maxLoops: 1 }).main({ nextAgent: "TEST" }).role({ covered: [] });
    story.checks(127).judge().ends("failed", "limit_reached");
    expect(reportOf(story).iterations[0]).toMatchObject({
      checks: [{ passed: false, seen: "not_run" }],
      lacks: [{ what: "coverage", about: ["1"] }],
    });
    const seen = reportOf(new BoardStory().finishes()).iterations.map(({ checks }) => checks[0]?.seen);
    expect(seen.slice(0, 2)).toEqual(["red", "green"]);
  });

  test("shows MAIN's reading of a person's acceptance, and no action of the person", () => {
    const question = { title: "M1-T1?", question: "less?", options: [], recommended: "" };
    const options = [{ id: "yes", description: "yes" }];
    const accepts = (command: string): string => aPlan().replace("check M1-T1", command);
    const story = new BoardStory({ iterationsBefore: 4 })
      .main({ nextAgent: "USER", question: { ...question, options, recommended: "yes" } })
      .ask()
      .add({ type: "board_edited", plan: accepts("mine"), context: null, projectEnv: null })
      .chooses("yes")
      .main({ nextAgent: "TEST", devPlanNext: accepts("true") })
      .ends("failed", "cancelled");
    expect(tasksIn(reportOf(story)).map(({ acceptance_changed }) => acceptance_changed)).toEqual([
      [
        {
          iteration: 6,
          from: [{ command: "mine", threshold: "exit 0" }],
          to: [{ command: "true", threshold: "exit 0" }],
        },
      ],
      [],
      [],
    ]);
  });

  test("shows people's decisions, and MAIN's broken rules", () => {
    const report = reportOf(decided());
    expect(report.decisions).toEqual([
      {
        iteration: 12,
        about: "user",
        title: expect.any(String) as string,
        question: expect.any(String) as string,
        option: "b",
        description: expect.any(String) as string,
        comment: "next week",
        via: "decide",
        at: AT,
      },
      expect.objectContaining({ iteration: 13, about: "main", title: null, option: "stop", comment: null }),
    ]);
    expect(report.manual_decision).toBeNull();
    expect(report.iterations[2]).toMatchObject({
      iteration: 13,
      next_agent: null,
      decision: null,
      order: null,
    });
    expect(
      report.iterations[2]?.main.map(({ broken }) => broken.map(({ rule, row }) => [rule, row])),
    ).toEqual([[["not_one_json_line", "B55"]], [["not_one_json_line", "B55"]], [["task_lost", "B60"]]]);
  });
});

/** Validates like a user's own validator with the shipped file. */
function validator(name: keyof typeof publicSchemas): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const file = join(import.meta.dirname, "..", "..", "schemas", name);
  return ajv.compile(JSON.parse(fs.readFileSync(file, "utf8")) as object);
}

describe("the schemas", () => {
  test.each([
    ["a run that ends well", () => new BoardStory().finishes()],
    ["a run with decisions", decided],
  ])("accept %s, and nothing else", (_, make) => {
    const report: unknown = JSON.parse(JSON.stringify(reportOf(make())));
    const name = "orchestrate-report.schema.json";
    const validate = validator(name);
    expect(validate(report) ? [] : validate.errors).toEqual([]);
    expect(publicSchemas[name].safeParse(report).error).toBeUndefined();
    expect(validate({ ...(report as object), surprise: 1 })).toBe(false);
    expect(validate({ ...(report as object), mode: "run" })).toBe(false);
  });

  const digests = Array.from({ length: 3 }, () => `${"0".repeat(16)}:${NOTHING.sha256}`).join(".");
  const edited: RunEvent = { type: "board_edited", plan: aPlan(), context: null, projectEnv: null };
  const refused: RunEvent = {
    type: "answer_refused",
    messageId: "m",
    why: "not_an_option",
    answer: { kind: "option", option: "c" },
    note: null,
  };
  const begun: RunEvent = {
    type: "turn_started",
    role: "main",
    attempt: 1,
    turn: 1,
    agent: "claude",
    resumes: null,
    tree: digests,
  };

  test("accept every event of such runs", () => {
    const validate = validator("journal-record.schema.json");
    const events = [...new BoardStory().finishes().events, ...decided().events, edited, refused, begun];
    for (const event of events) {
      const hash = "0".repeat(64);
      const record: unknown = JSON.parse(
        JSON.stringify({ v: JOURNAL_VERSION, seq: 1, at: AT, prev: hash, event, hash }),
      );
      expect(validate(record) ? [] : validate.errors).toEqual([]);
      expect(journalRecordSchema.safeParse(record).error).toBeUndefined();
      expect(validate({ ...(record as object), event: { ...event, surprise: 1 } })).toBe(false);
      const line = { type: "event", run_id: RUN_ID, seq: 1, at: AT, event: snakeCased(event) };
      expect(jsonLineSchema.safeParse(JSON.parse(JSON.stringify(line))).error).toBeUndefined();
    }
  });

  test("accept the output of a real run", async () => {
    const rig = new BoardRig();
    rig.script([{ next: "TEST", raw: "prose" }, ...straight("M1-T1")]);
    const { stdout, runId, report } = await rig.orchestrate(["--json", "--verbose"]);
    const lines = stdout.trimEnd().split("\n");
    const samples = [
      ["orchestrate-report.schema.json", [report]],
      ["journal-record.schema.json", rig.records(runId)],
      ["json-line.schema.json", lines.map((line) => JSON.parse(line) as unknown)],
    ] as const;
    for (const [name, values] of samples) {
      const validate = validator(name);
      for (const value of values) expect(validate(value) ? [] : validate.errors).toEqual([]);
    }
    expect(report.iterations[0]?.main.map(({ broken }) => broken.length)).toEqual([1, 0]);
  });

  test("contain the phases of such runs", () => {
    for (const phase of ["main", "acceptance"])
      expect(
        jsonLineSchema.safeParse({ type: "phase", run_id: RUN_ID, at: AT, attempt: 1, phase, command: "x" })
          .success,
      ).toBe(true);
  });
});
