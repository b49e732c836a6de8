import * as fc from "fast-check";
import type { Decision } from "../../src/domain/decision.ts";
import type { Answer, RunEvent } from "../../src/domain/event.ts";
import { verdictOn } from "../../src/domain/evidence.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import type { OracleChange } from "../../src/domain/oracle/change.ts";
import type { CandidateTaken, CheckInRoom, OwnRun } from "../../src/domain/room/event.ts";
import type { RoomSettings } from "../../src/domain/room/settings.ts";
import { lastAttempt, type RunState } from "../../src/domain/state.ts";
import type { TestFindings } from "../../src/domain/tests/findings.ts";
import { next } from "../../src/policies/next.ts";
import * as room from "../rig/room-story.ts";
import * as story from "../rig/story.ts";

/** A world of luck around a run whose checks are kept apart. */

/** How the world answers one effect. Where the list of them ends, it answers in a way that brings the run to its end. */
interface Luck {
  readonly crash: boolean;
  readonly interactive: boolean;
  readonly interrupted: boolean;
  readonly code: number;
  readonly status: "DONE" | "NEEDS_WORK";
  /** On the base: a command that is green there already, and tells of no tests. */
  readonly green: boolean;
  /** Whether a turn of the agent changes the tree. */
  readonly works: boolean;
  /** Whether somebody changed the tree since it was last looked at. */
  readonly moves: boolean;
  readonly oracle: readonly OracleChange[];
  readonly allowed: readonly string[];
  readonly programs: readonly string[];
  readonly check: CheckInRoom;
  readonly allows: boolean;
  readonly answer: Answer;
}

const CHANGED: OracleChange[] = [
  room.changed("test/a.test.ts"),
  room.changed("test/b.test.ts", { how: "extended" }),
  room.changed("conftest.py", { how: "added" }),
  room.changed("package.json", { kind: "config", entries: ["scripts.test"] }),
  room.changed("data/wanted.local", { kind: "shadow" }),
];

/** Mostly this, now and then one of the others. */
function mostly<T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );
}

const anyFindings: fc.Arbitrary<TestFindings | null> = mostly<TestFindings | null>(
  room.findings(),
  null,
  room.BAD,
  room.findings({ passed: 0 }),
  room.findings({ runners: [], passed: 0 }),
  room.findings({ vanished: room.names("gone") }),
  room.findings({ skippedNow: room.names("left out") }),
  room.findings({ complete: false }),
  room.findings({ exitedBy: ["src/a.js"] }),
);

const anyOwn: fc.Arbitrary<OwnRun> = fc
  .record({ code: mostly(0, 1), findings: anyFindings })
  .map(({ code, findings }) => room.ownRun(code, { findings }));

/** With the original tests the command failed: by a test, by something else that it asks for, or without a report of its tests. */
const anyFrozen: fc.Arbitrary<OwnRun> = fc
  .constantFrom(
    room.findings({ failed: 1, regressed: room.names("was fine") }),
    room.findings(),
    room.findings({ vanished: room.names("gone") }),
    null,
  )
  .map((findings) => room.ownRun(1, { findings }));

const anyCheck: fc.Arbitrary<CheckInRoom> = fc
  .record({
    findings: anyFindings,
    flaky: mostly(null, room.names("now and then")),
    frozen: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyFrozen }),
    own: fc.option(anyOwn),
    lost: mostly(room.names(), room.names("lost")),
    without: fc.option(
      fc
        .record({
          run: anyOwn,
          revived: mostly(0, 1),
          unproven: mostly(0, 1),
        })
        .map(({ run, revived, unproven }) => ({
          ...run,
          revived: room.names(...Array.from({ length: revived }, () => "revived")),
          unproven: room.names(...Array.from({ length: unproven }, () => "unproven")),
        })),
    ),
    problem: mostly(null, "no room"),
  })
  .map((check) => room.inRoom(check));

const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: mostly(false, false, true),
  interactive: fc.boolean(),
  interrupted: mostly(false, false, true),
  code: mostly(0, 1),
  status: mostly<Luck["status"]>("DONE", "NEEDS_WORK"),
  green: fc.boolean(),
  works: fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  moves: mostly(false, true),
  oracle: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(CHANGED, { maxLength: 2 }) },
  ),
  allowed: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(CHANGED.map(({ path }) => path)) },
  ),
  programs: mostly<readonly string[]>([], ["/usr/bin/node"]),
  check: anyCheck,
  allows: fc.boolean(),
  answer: fc.constantFrom<Answer>({ kind: "mark_pass" }, { kind: "mark_fail" }, { kind: "continue_n", n: 2 }),
});

const PLAIN: Luck = {
  crash: false,
  interactive: false,
  interrupted: false,
  code: 1,
  status: "NEEDS_WORK",
  green: false,
  works: true,
  moves: false,
  oracle: [],
  allowed: [],
  programs: [],
  check: room.inRoom(),
  allows: false,
  answer: { kind: "mark_fail" },
};

export interface Step {
  readonly before: RunState;
  readonly decision: Decision;
  readonly event: RunEvent;
  readonly after: RunState;
}

export interface Course {
  readonly steps: readonly Step[];
  readonly last: RunState;
}

/** More decisions than any of these runs can need. */
const FOREVER = 3000;

type Setting = Pick<RoomSettings, "testChanges" | "allowNoChange"> & {
  readonly maxLoops: number;
  readonly interactive: boolean;
  readonly habit: keyof typeof HABITS;
};

/** An agent is like itself: by luck alone hardly one would do nothing twice in a row, or insist on its change of a test. */
const HABITS = {
  none: {},
  lazy: { works: false },
  stubborn: { works: true, oracle: CHANGED.slice(0, 1), allowed: [] },
} satisfies Record<string, Partial<Luck>>;

function live({ maxLoops, interactive, habit, ...how }: Setting, lucks: readonly Luck[]): Course {
  const settings = {
    maxLoops,
    testFast: story.testsNamed("fast", 1),
    testFull: story.testsNamed("full", 2),
    room: { ...room.ROOM, ...how },
  };
  let state = begin(story.started(settings, { interactive }), story.AT);
  const steps: Step[] = [];
  let moves = 0;
  for (let at = 0; at < FOREVER; at++) {
    const decision = next(state);
    if (!decision) return { steps, last: state };
    const byChance = lucks[at];
    const luck = byChance ? { ...byChance, ...HABITS[habit] } : PLAIN;
    const isWork = decision.do === "take_turn" && luck.works && !luck.crash;
    moves += luck.moves || isWork ? 1 : 0;
    const world = moves === 0 ? untouched(luck) : { ...luck, tree: String(moves).padStart(64, "0") };
    const event = luck.crash
      ? story.resumed({ interactive: luck.interactive })
      : happens(decision, state, world);
    const after = fold(state, event, story.AT);
    steps.push({ before: state, decision, event, after });
    state = after;
  }
  throw new Error("the run does not end");
}

/** The luck of the moment, and the tree as it is. */
interface World extends Luck {
  readonly tree: string;
}

/** Before anything was done no file can differ from the base's. */
function untouched(luck: Luck): World {
  return { ...luck, tree: room.baseTaken().tree, oracle: [], allowed: [] };
}

function happens(decision: Decision, state: RunState, luck: World): RunEvent {
  switch (decision.do) {
    case "record_interrupted":
      return { type: "turn_interrupted", attempt: decision.attempt, turn: decision.turn };
    case "open_turn":
      return story.turnStarted(decision.attempt, decision.turn, decision.agent, decision.resumes);
    case "take_turn": {
      const { attempt, turn } = decision;
      if (luck.interrupted) return { type: "turn_interrupted", attempt, turn };
      return story.turnEnded(attempt, { status: luck.status }, story.exited(luck.code), turn);
    }
    case "take_base":
      return room.baseTaken();
    case "check_base": {
      const { phase, index, command } = decision;
      const process = story.ran(command, story.exited(0));
      return room.baseChecked(phase, command, { index, ...(luck.green && { process, tests: null }) });
    }
    case "take_candidate":
      return taken(decision.attempt, luck);
    case "run_check": {
      const { attempt, phase, index } = decision;
      if (hasMoved(state, luck)) return taken(attempt, luck);
      const check = story.checkEnded(attempt, phase, index, story.exited(luck.code));
      return { ...check, room: luck.check };
    }
    case "confirm_candidate": {
      const { attempt } = decision;
      if (hasMoved(state, luck)) return taken(attempt, luck);
      return { type: "candidate_confirmed", attempt, tree: luck.tree };
    }
    case "judge": {
      const verdict = verdictOn(state);
      if (!verdict) throw new Error("asked to judge what did not happen");
      return { ...story.judged(decision.attempt), ...verdict };
    }
    case "ask":
      return story.asked(`q${state.questionsAsked + 1}`);
    case "await_answer":
      return story.answered(answerTo(state, luck), decision.questionId);
    case "end": {
      const { do: _, ...end } = decision;
      return { type: "run_ended", ...end, messageId: null };
    }
    default:
      throw new Error(`no such thing here: ${decision.do}`);
  }
}

function taken(attempt: number, { tree, oracle, allowed, programs }: World): CandidateTaken {
  // Of what they hold, no more than the length of their names is told.
  const held = oracle.filter(({ path }) => !allowed.includes(path)).map(({ path }) => path);
  const changesSha256 = held.join("").length.toString(16).padStart(64, "0");
  return room.candidateTaken(attempt, { tree, oracle, allowed, changesSha256, programs });
}

function hasMoved(state: RunState, { tree }: World): boolean {
  return lastAttempt(state)?.candidate?.taken.tree !== tree;
}

function answerTo({ question }: RunState, { allows, answer }: Luck): Answer {
  if (question?.about !== "oracle") return answer;
  return { kind: "option", option: allows ? "allow" : "refuse" };
}

export const anyCourse: fc.Arbitrary<Course> = fc
  .tuple(
    fc.record<Setting>({
      maxLoops: fc.integer({ min: 1, max: 3 }),
      interactive: fc.boolean(),
      habit: fc.constantFrom("none", "none", "lazy", "stubborn"),
      testChanges: fc.constantFrom("judge", "judge", "hold"),
      allowNoChange: fc.constantFrom(false, false, true),
    }),
    fc.array(anyLuck, { minLength: 12, maxLength: 60 }),
  )
  .map(([setting, lucks]) => live(setting, lucks));
