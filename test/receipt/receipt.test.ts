import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { RunState } from "../../src/core/state.ts";
import type { TestResult } from "../../src/core/evidence/result.ts";
import { receiptPathFor } from "../../src/evidence/receipt/receipt.ts";
import { receiptOf, receiptText, type Receipt } from "../../src/evidence/receipt/receipt.ts";
import { isOurs } from "../../src/platform/git/git.ts";
import { receiptSchema } from "../../src/evidence/receipt/schema-receipt.ts";
import {
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  checkInRoom,
  confirmed,
  findings,
  names,
  ORIGINALS_FAIL,
  ownRun,
  ROOM,
} from "../rig/room-story.ts";
import {
  after,
  answered,
  asked,
  AT,
  checkEnded,
  judged,
  NOTHING,
  RUN_ID,
  started,
  turnEnded,
  turnStarted,
} from "../rig/story.ts";

const HEAD = "d".repeat(64);
const TREE = "b".repeat(64);

const PASSED = {
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason: "accepted",
  messageId: null,
} as const;
const BASE = [baseChecked("fast", "fast"), baseChecked("full", "full")];
const WORK = [turnStarted(1), turnEnded(1)];
const CHECKS = [candidateTaken(1), checkInRoom(1, "fast", 0), checkInRoom(1, "full", 0)];
const ACCEPTED = [...WORK, ...CHECKS, confirmed(1), judged(1), PASSED];

const RESULTS: readonly TestResult[] = [
  { suite: "test/b.test.js", name: "second", status: "passed" },
  { suite: "test/a.test.js", name: "first", status: "passed" },
  { suite: "test/a.test.js", name: "left", status: "skipped" },
  { suite: "", name: "old", status: "passed" },
];

function receipt(state: RunState, results: readonly TestResult[] = RESULTS): Receipt | null {
  return receiptOf(state, { head: HEAD, records: state.events, resultsIn: () => results });
}

/** The receipt of an accepted run. */
function made(state: RunState, results?: readonly TestResult[]): Receipt {
  const found = receipt(state, results);
  if (!found) throw new Error("there is no receipt");
  return found;
}

const supervised = (...events: readonly RunEvent[]): RunState =>
  after(started({ room: ROOM }, { baseCommit: "c".repeat(40) }), baseTaken(), ...BASE, ...events);

const few = findings({ passed: 3, skipped: 1 });

describe("a receipt", () => {
  const state = supervised(...ACCEPTED);
  const { subject, predicate } = made(state);
  const details = predicate.agentForeman;

  test("is about the tree that was accepted, and says on which evidence", () => {
    expect(subject).toEqual([{ name: "work tree", digest: { sha256: TREE } }]);
    expect(predicate.result).toBe("PASSED");
    expect(details).toMatchObject({
      version: 2,
      run_id: RUN_ID,
      mode: "supervise",
      started_at: AT,
      finished_at: AT,
      base: { tree: "a".repeat(64), files: 120, commit_at_start: "c".repeat(40) },
      protected: { sha256: NOTHING.sha256, files: 31, changes: [] },
      environment: { policy: "allow_list", passed: [], set: [] },
      containment: { level: "pid_namespace", best_effort: false },
      attempts: 1,
      agents: [{ name: "command", adapter: "command", program: "agent" }],
      journal: { records: state.events, head: HEAD },
      not_covered: ["special_casing"],
    });
    expect(
      details.commands.map(({ phase, command, exit_code: code, tree }) => [phase, command, code, tree]),
    ).toEqual([
      ["fast", "fast", 0, TREE],
      ["full", "full", 0, TREE],
    ]);
    expect(details.commands[1]?.tests).toEqual({
      runners: ["vitest"],
      passed: 214,
      failed: 0,
      skipped: 0,
      added: 3,
      results_sha256: NOTHING.sha256,
    });
    expect(details.commands[1]?.output).toEqual({ bytes: 0, sha256: NOTHING.sha256 });
  });

  test("is the same for the same journal, and fits its schema, also the shipped one", () => {
    const text = receiptText(made(supervised(...ACCEPTED)));
    expect(text).toBe(receiptText(made(state)));
    const value: unknown = JSON.parse(text);
    expect(receiptSchema.safeParse(value).error).toBeUndefined();
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    const shipped = join(import.meta.dirname, "..", "..", "schemas", "receipt.schema.json");
    const validate = ajv.compile(JSON.parse(fs.readFileSync(shipped, "utf8")) as object);
    expect(validate(value) ? [] : validate.errors).toEqual([]);
    expect(validate({ ...(value as object), surprise: 1 })).toBe(false);
  });

  test("contains no path of the machine", () => {
    expect(receiptText(made(state))).not.toMatch(/\/(?:project|nowhere)/);
  });

  test("is next to the report", () => {
    expect(receiptPathFor("/p/goldagent-run-report-1.json")).toBe("/p/goldagent-run-report-1.receipt.json");
    expect(receiptPathFor("/p/report")).toBe("/p/report.receipt.json");
    const modes = ["supervise", "run", "orchestrate", "chat"];
    const ours = modes.map((mode) => isOurs(receiptPathFor(`sub/goldagent-${mode}-report-1115-k7m2.json`)));
    expect(ours, "and is no part of any tree").toEqual(modes.map(() => true));
  });
});

/** A state that no journal can produce. */
function unconfirmed(state: RunState): RunState {
  const attempts = state.attempts.map((attempt) => ({
    ...attempt,
    candidate: attempt.candidate && { ...attempt.candidate, confirmed: false },
  }));
  return { ...state, attempts };
}

describe("there is no receipt", () => {
  const failed = { ...PASSED, status: "failed", exitCode: 1, reason: "limit_reached" } as const;
  test.each<[string, RunState]>([
    ["of a run that goes on", supervised(...ACCEPTED.slice(0, -1))],
    [
      "of one whose checks ran in the work tree itself",
      after(started(), ...WORK, checkEnded(1, "fast", 1), checkEnded(1, "full", 1), judged(1), PASSED),
    ],
    [
      "of one that failed",
      after(
        ...([started({ room: ROOM, maxLoops: 1 }), baseTaken(), ...BASE, turnStarted(1)] as const),
        ...[turnEnded(1, { status: "NEEDS_WORK" }), candidateTaken(1), checkInRoom(1, "fast", 0)],
        ...[judged(1, "agent_needs_work"), failed],
      ),
    ],
    ["of a tree that was not confirmed", unconfirmed(supervised(...ACCEPTED))],
  ])("%s", (_, state) => {
    expect(receipt(state)).toBeNull();
  });
});

describe("uncertain facts are marked", () => {
  test("weaknesses make it a warning", () => {
    const state = after(
      started({ room: ROOM }),
      baseTaken({ weak: ["no_git"], commit: null }),
      ...BASE,
      ...ACCEPTED,
    );
    const { predicate } = made(state);
    expect([predicate.result, predicate.agentForeman.room.weak]).toEqual(["WARNED", ["no_git"]]);
    expect(predicate.agentForeman.not_covered).toEqual(["special_casing", "no_git"]);
  });

  test("so do flaky tests, which are named as that alone", () => {
    const flaky = names("test/a.test.js: first");
    const state = supervised(
      ...WORK,
      candidateTaken(1),
      checkInRoom(1, "fast", 0, { findings: few }),
      checkInRoom(1, "full", 0, { findings: few, flaky }),
      confirmed(1),
      judged(1),
      PASSED,
    );
    const { predicate } = made(state);
    expect(predicate).toMatchObject({
      result: "WARNED",
      passedTests: ["old", "test/b.test.js: second"],
      warnedTests: ["test/a.test.js: first"],
      failedTests: [],
    });
    expect(predicate.agentForeman.commands.map((command) => command.flaky)).toEqual([null, flaky]);
  });

  test("tests are named up to 200, and counted beyond", () => {
    const oneCheck = (count: number): Receipt =>
      made(
        supervised(
          ...WORK,
          candidateTaken(1),
          checkInRoom(1, "fast", 0, { findings: null }),
          checkInRoom(1, "full", 0, { findings: findings({ passed: count }) }),
          confirmed(1),
          judged(1),
          PASSED,
        ),
      );
    expect(oneCheck(200).predicate.passedTests).toEqual([
      "old",
      "test/a.test.js: first",
      "test/b.test.js: second",
    ]);
    const { predicate } = oneCheck(201);
    expect(Object.keys(predicate)).toEqual(["result", "configuration", "agentForeman"]);
    expect(predicate.agentForeman.commands[1]?.tests?.passed).toBe(201);
  });
});

describe("changes of protected files", () => {
  const without = { ...ownRun(1, { findings: null }), revived: names(), unproven: names() };
  const grownCheck = (phase: "fast" | "full"): RunEvent =>
    checkInRoom(1, phase, 0, { candidateTests: ownRun(0), baseProduct: without });

  test("how edited tests were judged is in the receipt", () => {
    const room = { ...ROOM, testChanges: "hold", allowNoChange: true, acceptTree: true } as const;
    const state = after(
      started({ room }),
      baseTaken(),
      ...BASE,
      ...WORK,
      candidateTaken(1),
      checkInRoom(1, "fast", 0),
      checkInRoom(1, "full", 0),
      confirmed(1),
      judged(1),
      PASSED,
    );
    expect(made(state).predicate.agentForeman.room).toMatchObject({
      test_changes: "hold",
      allow_no_change: true,
      accept_tree: true,
    });
  });

  test("are listed with the person who allowed them", () => {
    const change = changed("test/api.test.ts");
    const flagged = changed("package.json", { kind: "config", entries: ["scripts.test"] });
    const taken = candidateTaken(1, { protected: [change, flagged], allowed: ["package.json"] });
    const state = after(
      started({ room: { ...ROOM, allow: ["package.json"] } }, { interactive: true }),
      baseTaken(),
      ...BASE,
      ...WORK,
      taken,
      checkInRoom(1, "fast", 0),
      checkInRoom(1, "full", 0, ORIGINALS_FAIL),
      asked(),
      answered({ kind: "option", option: "allow" }),
      confirmed(1),
      judged(1),
      PASSED,
    );
    const { protected: found, decisions } = made(state).predicate.agentForeman;
    expect(found.changes).toEqual([
      { step: null, attempt: 1, ...change, allowed_by: "person" },
      { step: null, attempt: 1, ...flagged, allowed_by: "flag" },
    ]);
    expect(decisions).toEqual([
      { about: "protected", attempt: 1, decision: "allow", note: null, via: "terminal", at: AT },
    ]);
  });

  test("lists edits that no check contradicts", () => {
    const grown = changed("test/api.test.ts", { how: "extended" });
    const edited = changed("test/tidied.test.ts");
    const state = supervised(
      ...WORK,
      candidateTaken(1, { protected: [grown, edited], newTests: names("test/new.test.ts") }),
      grownCheck("fast"),
      grownCheck("full"),
      confirmed(1),
      judged(1),
      PASSED,
    );
    const { protected: found, commands } = made(state).predicate.agentForeman;
    expect(found.changes.map(({ path, allowed_by: by }) => [path, by])).toEqual([
      ["test/api.test.ts", "tests"],
      ["test/tidied.test.ts", "tests"],
    ]);
    expect(found.new_tests).toEqual(names("test/new.test.ts"));
    expect(commands.map(({ own, without: bare }) => [own?.tests?.passed, bare?.exit_code])).toEqual([
      [214, 1],
      [214, 1],
    ]);
  });
});
