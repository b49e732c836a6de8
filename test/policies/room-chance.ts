import * as fc from "fast-check";
import type { Decision } from "../../src/core/decision.ts";
import type { Answer, RunEvent } from "../../src/core/event.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import type { ProtectedChange } from "../../src/core/evidence/change.ts";
import { endedCheck } from "../../src/evidence/check.ts";
import type { CandidateTaken, TestRunEnded } from "../../src/core/evidence/event.ts";
import * as plan from "../../src/evidence/plan.ts";
import { sameRun } from "../../src/evidence/runs.ts";
import type { RoomSettings } from "../../src/core/evidence/settings.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";
import type { Names, TestFindings } from "../../src/core/evidence/findings.ts";
import type { Proof } from "../../src/evidence/results/proof.ts";
import { next } from "../../src/engine/next.ts";
import * as room from "../rig/room-story.ts";
import * as story from "../rig/story.ts";

/** A random world around a run in the clean room. */

/** The world's random answer to one effect. After the last one, answers lead the run to its end. */
interface Luck {
  readonly crash: boolean;
  readonly interactive: boolean;
  readonly interrupted: boolean;
  readonly code: number;
  /** A repeated run on the original tree fails as before. */
  readonly stillFails: boolean;
  readonly status: "DONE" | "NEEDS_WORK";
  /** On the base: the command already passes, without reporting single tests. */
  readonly green: boolean;
  /** Whether a turn of the agent changes the tree. */
  readonly works: boolean;
  /** Whether the tree changed since the last look. */
  readonly moves: boolean;
  readonly protected: readonly ProtectedChange[];
  readonly allowed: readonly string[];
  readonly programs: readonly string[];
  readonly run: Shown;
  readonly newTests: Names;
  readonly allows: boolean;
  readonly answer: Answer;
}

const CHANGED: ProtectedChange[] = [
  room.changed("test/a.test.ts"),
  room.changed("test/b.test.ts", { how: "extended" }),
  room.changed("conftest.py", { how: "added" }),
  room.changed("package.json", { kind: "config", entries: ["scripts.test"] }),
  room.changed("data/wanted.local", { kind: "shadow" }),
];

/** Mostly this, sometimes one of the others. */
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

/** The result of one run of a check, and the later runs that it makes impossible. */
type Shown = Pick<TestRunEnded, "findings" | "problem" | "rewritten" | "ruledOut"> & {
  readonly code: number;
  readonly lost: Names;
  readonly proof: Proof;
  readonly isFinished: boolean;
  readonly blamed: boolean;
};

const anyRun: fc.Arbitrary<Shown> = fc.record({
  code: mostly(0, 1),
  findings: anyFindings,
  problem: mostly(null, "no room"),
  rewritten: mostly(room.names(), room.names("test/a.sh")),
  ruledOut: fc.constantFrom(
    [],
    [plan.MARKED_TESTS],
    [plan.CANDIDATE_TESTS, plan.MARKED_TESTS, plan.BASE_CONTROL],
  ),
  lost: fc.constantFrom(room.names(), room.names(), room.names(), room.names("lost")),
  proof: fc.record({
    revived: mostly(room.names(), room.names("revived")),
    unproven: mostly(room.names(), room.names("unproven")),
  }),
  isFinished: mostly(true, false),
  blamed: fc.boolean(),
});

/** The command failed with the original tests: by a test, by another requirement, or without a report of its tests. */
const anyFailure: fc.Arbitrary<Shown> = anyRun.chain((run) =>
  fc
    .constantFrom(
      room.findings({ failed: 1, regressed: room.names("was fine") }),
      room.findings(),
      room.findings({ vanished: room.names("gone") }),
      room.findings({ complete: false }),
      null,
    )
    .map((findings) => ({ ...run, code: 1, findings })),
);

const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: mostly(false, false, true),
  interactive: fc.boolean(),
  interrupted: mostly(false, false, true),
  code: mostly(0, 1),
  status: mostly<Luck["status"]>("DONE", "NEEDS_WORK"),
  green: fc.boolean(),
  works: fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  moves: mostly(false, true),
  protected: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.subarray(CHANGED, { maxLength: 2 }) },
  ),
  allowed: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray(CHANGED.map(({ path }) => path)) },
  ),
  programs: mostly<readonly string[]>([], ["/usr/bin/node"]),
  run: fc.oneof({ weight: 8, arbitrary: anyRun }, { weight: 1, arbitrary: anyFailure }),
  stillFails: mostly(true, false),
  newTests: fc.constantFrom(room.names(), room.names("test/new.test.js")),
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
  protected: [],
  allowed: [],
  programs: [],
  run: {
    code: 1,
    findings: null,
    problem: null,
    rewritten: room.names(),
    ruledOut: [],
    lost: room.names(),
    proof: { revived: room.names(), unproven: room.names() },
    isFinished: true,
    blamed: false,
  },
  stillFails: true,
  newTests: room.names(),
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

/** More decisions than any of these runs needs. */
const FOREVER = 3000;

type Setting = Pick<RoomSettings, "testChanges" | "allowNoChange"> & {
  readonly maxLoops: number;
  readonly interactive: boolean;
  readonly habit: keyof typeof HABITS;
};

/** Agents have habits: pure chance would rarely repeat an empty turn or the same change of a test. */
const HABITS = {
  none: {},
  lazy: { works: false },
  stubborn: { works: true, protected: CHANGED.slice(0, 1), allowed: [] },
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

/** The current random choices and the state of the tree. */
interface World extends Luck {
  readonly tree: string;
}

/** Before any work, no file can differ from the base. */
function untouched(luck: Luck): World {
  return { ...luck, tree: room.baseTaken().tree, protected: [], allowed: [], newTests: room.names() };
}

function happens(decision: Decision, state: RunState, luck: World): RunEvent {
  switch (decision.do) {
    case "take_turn": {
      const { attempt, turn } = decision;
      if (luck.interrupted) return { type: "turn_interrupted", attempt, turn };
      return story.turnEnded(attempt, { status: luck.status }, story.exited(luck.code), turn);
    }
    case "take_base":
      return room.baseTaken();
    case "check_base": {
      const { phase, index, command, again } = decision;
      if (luck.code !== 0 && !luck.green && !again) return room.baseRunEnded(phase, command, { index });
      const process = story.ran(command, story.exited(0));
      return room.baseChecked(phase, command, { index, ...(luck.green && { process, tests: null }) });
    }
    case "take_candidate":
      return taken(decision.attempt, luck);
    case "run_tests":
      return hasMoved(state, luck) ? taken(decision.attempt, luck) : ends(decision, luck);
    case "end_check": {
      const ended = endedCheck(state, decision);
      if (!ended) throw new Error("the check is not done");
      return ended;
    }
    case "confirm_candidate": {
      const { attempt } = decision;
      if (hasMoved(state, luck)) return taken(attempt, luck);
      return { type: "candidate_confirmed", attempt, tree: luck.tree };
    }
    case "await_answer":
      return story.answered(answerTo(state, luck), decision.questionId);
    default:
      return story.happensAlways(decision, state);
  }
}

function ends(
  { attempt, phase, index, command, run }: Decision & { do: "run_tests" },
  { run: shown, stillFails }: Luck,
): TestRunEnded {
  const { code, lost, proof, isFinished, blamed, ...more } = shown;
  const isControl = sameRun(run, plan.BASE_CONTROL);
  return room.testRun(run, {
    ...more,
    attempt,
    phase,
    index,
    process: story.ran(command, story.exited(isControl && stillFails ? 1 : code)),
    ...(sameRun(run, plan.CANDIDATE_TESTS) && { lost }),
    ...(sameRun(run, plan.BASE_PRODUCT) && { proof }),
    ...(sameRun(run, plan.MARKED_TESTS) && !isFinished && { unfinished: story.NOTHING }),
    ...(sameRun(run, plan.MARKED_CONTROL) && blamed && { blamed: room.findings({ exitedBy: ["src/a.sh"] }) }),
  });
}

function taken(
  attempt: number,
  { tree, protected: changes, allowed, programs, newTests }: World,
): CandidateTaken {
  // For held files the record has at most their paths.
  const held = changes.filter(({ path }) => !allowed.includes(path)).map(({ path }) => path);
  const changesSha256 = held.join("").length.toString(16).padStart(64, "0");
  return room.candidateTaken(attempt, {
    tree,
    protected: changes,
    allowed,
    changesSha256,
    programs,
    newTests,
  });
}

function hasMoved(state: RunState, { tree }: World): boolean {
  return lastAttempt(state)?.candidate?.taken.tree !== tree;
}

function answerTo({ question }: RunState, { allows, answer }: Luck): Answer {
  if (question?.about !== "protected") return answer;
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
    fc.array(anyLuck, { minLength: 16, maxLength: 80 }),
  )
  .map(([setting, lucks]) => live(setting, lucks));
