import { describe, expect, test } from "vitest";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { ChatStory } from "../rig/chat-story.ts";
import {
  BAD,
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  checkInRoom,
  confirmed,
  findings,
  inRoom,
  names,
  ownRun,
  ROOM,
} from "../rig/room-story.ts";
import { aStep, marked, stepsStarted, stepStarted, worked } from "../rig/steps-story.ts";
import { exited, judged, started, turnStarted } from "../rig/story.ts";
import { DOING } from "../../src/core/step.ts";
import { open, pipe, tty } from "./rig.ts";
import { added, CHANGES, CHECKED, HEAD, live, TURN } from "./room-rig.ts";
import { piped, play } from "./steps-rig.ts";

describe("the base", () => {
  test("which tests fail already, a line a command", () => {
    expect(added(HEAD, CHECKED)).toEqual([
      "base    fast: 214 tests, 2 fail already (3.1s)",
      "base    full: exit 1 (3.1s)",
    ]);
    expect(live(HEAD, CHECKED)).toEqual([
      "base a1b2c3d  fast: 214 tests, 2 fail already",
      "base a1b2c3d  full: exit 1",
    ]);
    expect(added(HEAD, CHECKED.slice(0, 1), "zh")).toEqual([
      "基线    fast：214 个测试，2 个原本就失败 (3.1s)",
    ]);
  });

  test("of a single command the name goes without saying", () => {
    const story = new ChatStory({ room: ROOM }).add(baseTaken({ commit: null }));
    const head = story.events;
    story.add(
      baseChecked("check", "npm test", {
        tests: { runners: ["go"], passed: 1, failed: 0, skipped: 1, kept: baseTaken().pack },
      }),
    );
    expect(added(head.slice(0, 2), story.events.slice(2))).toEqual([
      "base    npm test: 2 tests, 1 skipped (3.1s)",
    ]);
    const one = started({ room: ROOM, testFast: ["t"], testFull: ["t"] });
    expect(live([one, baseTaken()], [baseChecked("fast", "t")])).toEqual([
      "base a1b2c3d  214 tests, 2 fail already",
    ]);
  });

  test("shows weaknesses of this machine once, even if the base moves on", () => {
    const weak = baseTaken({ weak: ["no_git", "no_overlay"], commit: null });
    expect(added(HEAD.slice(0, 1), [weak])).toEqual([
      "base    not a git repository, or another user's that git refuses (git config --global --add safe.directory <path>): ignored files and files that git would restore are unknown",
      "base    no overlay here: checks run in a copy of the files, at another path",
    ]);
    expect(live(HEAD.slice(0, 1), [weak])[1]).toBe(
      "! no overlay here: checks run in a copy of the files, at another path",
    );
    const story = new BoardStory({ room: ROOM }).add(weak);
    const before = story.events.length;
    expect(piped("en", story.events.slice(0, before)).filter((line) => line.startsWith("! "))).toHaveLength(
      2,
    );
    story
      .main({ nextAgent: "TEST" })
      .role()
      .add(candidateTaken(1))
      .check(1, { room: inRoom() })
      .add(confirmed(1))
      .judge();
    const shownBefore = piped("en", story.events).length;
    expect(piped("en", story.add(weak).events)).toHaveLength(shownBefore);
  });

  test("current activity has no attempt yet", () => {
    const phase = {
      type: "phase_started",
      attempt: 0,
      phase: "base",
      command: "npm test",
      encoded: false,
    } as const;
    const terminal = { stdout: tty(100), stderr: tty(100) };
    const to = open(terminal);
    play(to, [...HEAD, phase, 200]);
    expect(terminal.stderr.text).toContain("tests of the base  00:00");
    expect(terminal.stderr.text).not.toMatch(/0\/3 tests/);
    expect(added(HEAD, [phase, 5 * 60_000])).toEqual(["base    tests of the base running 5m"]);
  });
});

describe("leftovers of a turn", () => {
  const head = [...HEAD, ...CHECKED, ...TURN];

  test("prints nothing without news", () => {
    const taken = candidateTaken(1, { hidden: names("dist/a.js"), newTests: names("test/new.test.ts") });
    expect(added(head, [taken])).toEqual([]);
    expect(live(head, [taken])).toEqual([]);
  });

  test("shows changed tests and configuration, programs, and allowed changes", () => {
    const taken = candidateTaken(1, {
      protected: [...CHANGES, changed("Makefile", { kind: "config" })],
      allowed: ["Makefile"],
      programs: ["/usr/bin/node"],
    });
    const files = "test/api.test.ts (changed), package.json: scripts.test (changed), .npmrc (new)";
    expect(added(head, [taken])).toEqual([
      `agent   1/3 the agent modified protected files: ${files}`,
      "agent   1/3 changed as allowed: Makefile",
      "agent   1/3 programs or settings outside the work tree were changed: /usr/bin/node",
    ]);
    expect(live(head, [taken])).toEqual([
      `! 1  the agent modified protected files: ${files}`,
      "- 1  changed as allowed: Makefile",
      "! 1  programs or settings outside the work tree were changed: /usr/bin/node",
    ]);
  });

  test("five files, and how many more; more tests are no warning; names cannot steer a terminal", () => {
    const many = Array.from({ length: 8 }, (_, at) =>
      changed(`test/${at}\u001b[2J.test.ts`, { how: "extended" }),
    );
    expect(added(head, [candidateTaken(1, { protected: many })])).toEqual([
      `agent   1/3 lines were added to test files: ${[0, 1, 2, 3, 4].map((at) => `test/${at}\\x1b[2J.test.ts (added to)`).join(", ")} and 3 more`,
    ]);
  });

  test("gaps of the checks appear only in verbose output", () => {
    const streams = { stdout: pipe(), stderr: pipe() };
    play(open(streams, { verbose: true }), [...head, candidateTaken(1, { hidden: names("dist/") })]);
    expect(streams.stdout.text).toMatch(
      /agent {3}1\/3 changed ignored files, which checks do not see: dist\/\n$/,
    );
  });

  test("a writer of tests on a board gets no message about it", () => {
    const story = new BoardStory({ room: ROOM }).add(baseTaken()).main({ nextAgent: "TEST" }).role();
    const before = piped("en", story.events);
    expect(piped("en", story.add(candidateTaken(1, { protected: CHANGES })).events)).toEqual(before);
  });
});

describe("checks, test by test", () => {
  const head = [...HEAD, ...CHECKED, ...TURN, candidateTaken(1)];

  test("how many passed, and how many of these are new", () => {
    expect(added(head, [checkInRoom(1, "fast", 0)])).toEqual([
      "check   1/3 fast passed: fast, 214 passed (3 new), 0 skipped (0.0s)",
    ]);
    const story = [checkInRoom(1, "fast", 0), checkInRoom(1, "full", 0), confirmed(1), judged(1)];
    expect(live(head, story)).toEqual([
      "✓ 1 accepted  0.0s  said DONE; fast and full tests passed: 214 passed (3 new), 0 skipped",
    ]);
  });

  const RED = [
    checkInRoom(1, "fast", 1, { findings: BAD }),
    judged(1, "fast_test_failed", "tests_vanished", "tests_skipped"),
  ];
  const NAMED = [
    "now failing (passed before)    a > one",
    "now failing (passed before)    a > two",
    "now failing (passed before)    a > three",
    "now failing (passed before)    a > four",
    "now failing (passed before)    a > five",
    "now failing (passed before)    and 2 more",
    "new test, failing              new > fails",
    "no longer runs                 gone > away",
    "now skipped                    left > out",
    "still failing (failed before)  old > broken",
  ];

  test("which failed, did not run or were left out, by name", () => {
    expect(added(head, RED.slice(0, 1))).toEqual([
      "check   1/3 fast failed: fast, exit 1, 209 passed (3 new), 4 failed, 1 skipped, tests that ran before did not run, tests that ran before are skipped now (0.0s)",
      ...NAMED.map((line) => `  | ${line}`),
    ]);
    expect(live(head, RED)).toEqual([
      "✗ 1 rejected  0.0s  said DONE; fast tests failed: fast (4 of 214 failed)",
      ...NAMED.map((line) => `    ${line}`),
    ]);
  });

  test("an exit code of 0 is not enough, and it is said why", () => {
    const exit = findings({ passed: 1, added: 0, complete: false, exitedBy: ["src/x.js"] });
    expect(added(head, [checkInRoom(1, "fast", 0, { findings: exit })])).toEqual([
      "check   1/3 fast failed: fast, exit 0, 1 passed, 0 skipped, product code made failing tests look successful: src/x.js, a test runner did not finish (0.0s)",
    ]);
    const none = { findings: null, problem: "mount: permission denied" };
    expect(added(head, [checkInRoom(1, "fast", 0, none)])).toEqual([
      "check   1/3 fast failed: fast, exit 0, the clean room could not be made: mount: permission denied (0.0s)",
    ]);
  });

  test("names a flaky test, which costs nothing; without reported tests, the command", () => {
    expect(added(head, [checkInRoom(1, "fast", 0, { flaky: names("api > sometimes") })]).slice(1)).toEqual([
      "  | flaky  api > sometimes",
    ]);
    expect(added(head, [checkInRoom(1, "fast", 0, { findings: null, flaky: names() })]).slice(1)).toEqual([
      "  | flaky  fast: failed, then passed on the same files",
    ]);
  });

  test("the tests as the agent left them", () => {
    const own = ownRun(1, {
      findings: findings({ passed: 213, failed: 1, newFailing: names("mine > fails") }),
    });
    expect(added(head, [checkInRoom(1, "fast", 0, { candidateTests: own })])).toEqual([
      "check   1/3 fast failed: fast, with the agent's tests: exit 1, 213 passed (3 new), 1 failed, 0 skipped (0.0s)",
      "  | new test, failing  mine > fails",
    ]);
  });

  test("tests without meaning: new ones that pass without the work, and ones that were made to pass", () => {
    const without = { ...ownRun(0), unproven: names("mine > is easy"), revived: names("old > broken") };
    expect(
      added(head, [checkInRoom(1, "fast", 0, { candidateTests: ownRun(0), baseProduct: without })]),
    ).toEqual([
      "check   1/3 fast failed: fast, exit 0, 214 passed (3 new), 0 skipped, the new tests also pass without the work (0.0s)",
      "  | proves nothing           mine > is easy",
      "  | passes without the work  old > broken",
    ]);
  });

  test("new tests are counted, without which the base's are seen to pass first", () => {
    const room = { findings: findings({ passed: 211, added: 0 }), candidateTests: ownRun(0) };
    expect(added(head, [checkInRoom(1, "fast", 0, room)])).toEqual([
      "check   1/3 fast passed: fast, 214 passed (3 new), 0 skipped (0.0s)",
    ]);
  });

  test("of a step: below the words that are known to the letter", () => {
    const unit = { command: "npm test" };
    const steps = [
      stepsStarted({ room: ROOM, steps: [aStep("001", { unitTest: unit })] }),
      baseTaken(),
      stepStarted(1),
      marked(1, DOING, unit),
      turnStarted(1, 1, "claude"),
      worked(1, 1),
      candidateTaken(1),
    ];
    const check = {
      ...checkInRoom(1, "unit", 0),
      process: { command: "npm test", end: exited(0), durationMs: 1, leaked: [] },
    };
    expect(piped("en", [...steps, check]).slice(-2)).toEqual([
      "✓ unit test passed",
      "  214 passed (3 new), 0 skipped",
    ]);
    const red = { ...check, room: inRoom({ findings: findings({ passed: 0, added: 0 }) }) };
    expect(piped("en", [...steps, red]).slice(-3)).toEqual([
      "✗ unit test failed",
      "  exit 0, 0 passed, 0 skipped, no test passed",
      "  all output: /nowhere",
    ]);
  });

  test("of a board: a command that ends well while tests are missing is red", () => {
    const story = new BoardStory({ room: ROOM, plan: aPlan({ "M1-T1": "DOING" }) })
      .add(baseTaken())
      .main({ nextAgent: "DEV", header: ["red_waiver: it exists"] })
      .role()
      .add(candidateTaken(1));
    const before = piped("en", story.events).length;
    story.check(0, { room: inRoom({ findings: findings({ vanished: names("gone > away") }) }) }).judge();
    expect(piped("en", story.events).slice(before)).toEqual([
      "✗ [1] check M1-T1  exit 0, 214 passed (3 new), 0 skipped, tests that ran before did not run",
      "  | no longer runs  gone > away",
      "  all output: /nowhere",
      "[1] DEV rejected: an acceptance command failed (acceptance_failed), tests that ran before did not run (tests_vanished); said PASS; 1 of 1 red",
    ]);
  });
});
