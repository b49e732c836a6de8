import { changesOf } from "../../src/evidence/held.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { fold, ImpossibleEvent } from "../../src/core/fold.ts";
import { isHeld } from "../../src/evidence/fold.ts";
import { whyImpossible } from "../../src/core/legality.ts";
import { succeeded, type ProcessRecord } from "../../src/platform/process/process-end.ts";
import { lastAttempt, type Attempt, type RunState } from "../../src/core/state.ts";
import { next } from "../../src/engine/next.ts";
import { BASE_TESTS } from "../../src/evidence/plan.ts";
import * as room from "../rig/room-story.ts";
import * as story from "../rig/story.ts";
import { anyCourse, type Course, type Step } from "./room-chance.ts";
import { bearsOutEdits, supportsWork } from "./room-sound.ts";

const RUNS = { numRuns: 500 };
const COMMANDS = ["fast", "full", "full 2"];
const OTHER_TREE = "d".repeat(64);

/** No protected file changed, or a person allowed it, or every check confirms it. With `hold`, only added tests need no person. */
function testsAreFine(attempt: Attempt, { settings }: RunState): boolean {
  const changes = changesOf(attempt);
  if (changes.length === 0 || attempt.candidate?.decided === "allow") return true;
  const more = changes.every(({ kind, how }) => kind === "test" && (how === "extended" || how === "added"));
  const unseen = changes.some(({ kind, how }) => kind === "shadow" && how === "changed");
  const only = changes.every(({ kind }) => kind === "test");
  const borneOut = attempt.checks.every((check) => bearsOutEdits(check, only));
  return !unseen && borneOut && (more || settings.room?.testChanges === "judge");
}

/** All evidence is good, but possibly no work was done. */
function isFlawless(attempt: Attempt, state: RunState): boolean {
  const { turn, checks, candidate } = attempt;
  const worked = turn?.claim?.status === "DONE" && succeeded(turn.process.end);
  const ran = new Set(checks.map(({ process }) => process.command));
  const all = COMMANDS.every((command) => ran.has(command)) && checks.every(supportsWork);
  return worked && all && testsAreFine(attempt, state) && candidate?.taken.programs.length === 0;
}

function changesNothing({ candidate }: Attempt, { base, settings }: RunState): boolean {
  return candidate?.taken.tree === base?.taken.tree && settings.room?.allowNoChange === false;
}

/** Good evidence, except for the final look at the tree. */
function isGood(attempt: Attempt, state: RunState): boolean {
  return isFlawless(attempt, state) && !changesNothing(attempt, state);
}

const wasIdle = (attempt: Attempt | undefined): boolean =>
  attempt?.judged?.reasons.includes("nothing_changed") === true;

/** The events of an attempt since its tree was last recorded. */
function sinceTaken({ steps }: Course, attempt: number): readonly RunEvent[] {
  const events = steps
    .map(({ event }) => event)
    .filter((event) => "attempt" in event && event.attempt === attempt);
  return events.slice(events.findLastIndex(({ type }) => type === "candidate_taken"));
}

/** The previous attempt was rejected because of a file that this attempt changes, too. */
function insists({ attempts }: RunState, attempt: Attempt): boolean {
  const before = attempts.find(({ index }) => index === attempt.index - 1);
  const paths = before?.judged?.reasons.includes("oracle_changed") === true ? changesOf(before) : [];
  return changesOf(attempt).some(({ path }) => paths.some((was) => was.path === path));
}

const accepting = ({ event }: Step): boolean =>
  event.type === "attempt_judged" && event.verdict === "accepted";

/** Checks that no step of any course is wrong. */
function expectNever(isWrong: (step: Step, course: Course) => boolean): void {
  fc.assert(
    fc.property(anyCourse, (course) => {
      const wrong = course.steps.filter((step) => isWrong(step, course));
      expect(wrong.map(({ event, decision }) => `${decision.do}: ${JSON.stringify(event)}`)).toEqual([]);
    }),
    RUNS,
  );
}

describe("with random actions of agent, tests, tree and people", () => {
  test("the run ends, and takes no attempt too many", () => {
    fc.assert(
      fc.property(anyCourse, ({ last }) => {
        expect(last.ended).not.toBeNull();
        const granted = last.decisions.map(({ answer }) => (answer.kind === "continue_n" ? answer.n : 0));
        const most = granted.reduce((sum, n) => sum + n, last.settings.maxLoops);
        expect(last.attempts.length).toBeLessThanOrEqual(most);
      }),
      RUNS,
    );
  });

  // Guards against vacuous properties. Some courses are rare, so a random sample may lack them.
  test("the random courses include every situation that the properties are about", () => {
    const courses = fc.sample(anyCourse, { ...RUNS, seed: 1 });
    const count = (one: (course: Course) => readonly unknown[]): number => courses.flatMap(one).length;
    const isAcceptedEdit = (attempt: Attempt): boolean =>
      attempt.judged?.verdict === "accepted" &&
      attempt.candidate?.decided !== "allow" &&
      changesOf(attempt).length > 0;
    expect(count(({ steps }) => steps.filter(accepting))).toBeGreaterThan(20);
    expect(count(({ last }) => last.decisions.filter(({ about }) => about === "protected"))).toBeGreaterThan(
      20,
    );
    expect(count(({ last }) => last.attempts.filter(isAcceptedEdit))).toBeGreaterThan(20);
    expect(
      count(({ last: { attempts } }) =>
        attempts.filter((attempt, at) => wasIdle(attempt) && wasIdle(attempts[at - 1])),
      ),
    ).toBeGreaterThan(0);
    expect(
      count(({ steps }) =>
        steps.filter(
          ({ event, before }) => event.type === "question_asked" && isHeld(before) && !before.interactive,
        ),
      ),
    ).toBeGreaterThan(0);
  });

  test("accepts an attempt exactly if all evidence supports it and its tree was confirmed", () => {
    expectNever((step) => {
      const attempt = lastAttempt(step.before);
      if (step.event.type !== "attempt_judged" || !attempt) return false;
      return accepting(step) !== (isGood(attempt, step.before) && attempt.candidate?.confirmed === true);
    });
  });

  test("rejects good work only if its tree kept changing", () => {
    expectNever(({ event, before }) => {
      const attempt = lastAttempt(before);
      if (event.type !== "attempt_judged" || event.verdict === "accepted" || !attempt) return false;
      return isGood(attempt, before) && (attempt.candidate?.times ?? 0) < 3;
    });
  });

  test("work that is flawless and changes no file is rejected for that alone", () => {
    expectNever(({ event, before }) => {
      const attempt = lastAttempt(before);
      if (event.type !== "attempt_judged" || !attempt) return false;
      const isSo = isFlawless(attempt, before) && changesNothing(attempt, before);
      const alone = event.reasons.join() === "nothing_changed";
      // A tree that keeps changing is another reason with precedence.
      return isSo && (attempt.candidate?.times ?? 0) < 3 ? !alone : event.reasons.includes("nothing_changed");
    });
  });

  test("asks a person after two attempts in a row without changes, before it pays for another", () => {
    expectNever(({ event, before }) => {
      const [first, second] = before.attempts.slice(-2);
      const isIdle = second !== undefined && wasIdle(first) && wasIdle(second);
      if (event.type !== "turn_started" || !isIdle) return false;
      const last = before.decisions.at(-1);
      return last?.answer.kind !== "continue_n" || second.index >= last.attempt + last.answer.n;
    });
  });

  test("every check saw the accepted tree, which does not change afterwards", () => {
    expectNever((step, course) => {
      if (!accepting(step) || step.event.type !== "attempt_judged") return false;
      const { steps } = course;
      const until = { ...course, steps: steps.slice(0, steps.indexOf(step)) };
      const [taken, ...seen] = sinceTaken(until, step.event.attempt);
      const last = seen.at(-1);
      const checked = seen.filter(({ type }) => type === "check_ended");
      const same = taken?.type === "candidate_taken" && last?.type === "candidate_confirmed";
      return !same || taken.tree !== last.tree || checked.length !== COMMANDS.length;
    });
  });

  test("no work begins before the tree was recorded and its tests were tried, and the record stays", () => {
    expectNever(({ event, before }) => {
      if (event.type === "turn_started")
        return before.base?.checks.map(({ process }) => process.command).join() !== COMMANDS.join();
      return event.type === "base_taken" && before.base !== null;
    });
  });

  test("asks a person about tests only if all else is good; without a terminal only if the agent repeats the change", () => {
    expectNever(({ event, before, after }) => {
      if (event.type !== "question_asked" || after.question?.about !== "protected") return false;
      const attempt = lastAttempt(before);
      if (!attempt?.candidate || testsAreFine(attempt, before)) return true;
      if (!before.interactive && !insists(before, attempt)) return true;
      const taken = { ...attempt.candidate.taken, programs: [] };
      return !isGood({ ...attempt, candidate: { ...attempt.candidate, taken, decided: "allow" } }, before);
    });
  });

  test("without a terminal, asks about a repeated change instead of rejecting it again", () => {
    expectNever(({ event, before }) => {
      const attempt = lastAttempt(before);
      if (event.type !== "attempt_judged" || !attempt || attempt.candidate?.decided === "refuse")
        return false;
      return event.reasons.join() === "oracle_changed" && insists(before, attempt);
    });
  });

  test("a person's answer covers the changes of the question (a refusal also in later attempts), and no others", () => {
    expectNever(({ event, before, after }) => {
      if (event.type !== "candidate_taken") return false;
      const [was, is] = [lastAttempt(before)?.candidate, lastAttempt(after)?.candidate];
      const decided = was?.taken.changesSha256 === event.changesSha256 ? was.decided : null;
      const all = before.attempts.slice(before.base?.attempts).map(({ candidate }) => candidate);
      const refused = all.map((one) => (one?.decided === "refuse" ? one.taken.changesSha256 : null));
      return is?.decided !== (decided ?? (refused.includes(event.changesSha256) ? "refuse" : null));
    });
  });

  test("exits with 0 only after acceptance or a person's mark", () => {
    expectNever(({ event, before }) => {
      if (event.type !== "run_ended" || event.exitCode !== 0) return false;
      const byPerson = before.decisions.at(-1)?.answer.kind === "mark_pass";
      return !byPerson && lastAttempt(before)?.judged?.verdict !== "accepted";
    });
  });
});

/** The same story without one of its safeguards. */
function spoiled(events: readonly RunEvent[], how: string): readonly RunEvent[] {
  const without = (...types: readonly RunEvent["type"][]): readonly RunEvent[] =>
    events.filter(({ type }) => !types.includes(type));
  switch (how) {
    case "no_base":
      return without("base_taken", "base_checked", "candidate_taken", "candidate_confirmed");
    case "no_candidate":
      return without("candidate_taken", "candidate_confirmed");
    case "no_confirm":
      return without("candidate_confirmed");
    case "no_run":
      return events.toSpliced(
        events.findLastIndex(({ type }) => type === "test_run_ended"),
        1,
      );
    case "another_tree":
      return events.map((one) => (one.type === "candidate_confirmed" ? { ...one, tree: OTHER_TREE } : one));
    case "checked_first": {
      const last = events.findLast(({ type }) => type === "candidate_taken");
      const rest = without("candidate_taken");
      const at = rest.findLastIndex(({ type }) => type === "candidate_confirmed");
      return last ? [...rest.slice(0, at), last, ...rest.slice(at)] : rest;
    }
    default:
      return events.map((event) => {
        if (event.type !== "check_ended") return event;
        const { room: _, ...bare } = event;
        return bare;
      });
  }
}

describe("forged journal records", () => {
  const refused = (state: RunState, event: RunEvent): boolean => whyImpossible(state, event) !== null;
  const attemptOf = (state: RunState): number => lastAttempt(state)?.index ?? 1;

  test("refuses an acceptance without full evidence, especially without the confirmed tree", () => {
    let good = 0;
    expectNever(({ before }) => {
      const attempt = lastAttempt(before);
      const open = attempt && !attempt.judged && !before.openTurn;
      const looked = attempt?.candidate?.confirmed === true;
      const deserved = open === true && isGood(attempt, before);
      good += deserved && !looked ? 1 : 0;
      return refused(before, story.judged(attemptOf(before))) === (deserved && looked);
    });
    expect(good).toBeGreaterThan(20);
  });

  test("refuses to confirm another tree, or one with failing checks", () => {
    expectNever(({ before }) => {
      const attempt = lastAttempt(before);
      const index = attemptOf(before);
      const other: RunEvent = { type: "candidate_confirmed", attempt: index, tree: OTHER_TREE };
      const tree = attempt?.candidate?.taken.tree ?? OTHER_TREE;
      const same: RunEvent = { type: "candidate_confirmed", attempt: index, tree };
      const red = !attempt?.checks.every(supportsWork) || attempt.checks.length < COMMANDS.length;
      return !refused(before, other) || (red && !refused(before, same));
    });
  });

  test("cannot claim test runs on the base in another order, again, or after the work", () => {
    expectNever(({ before }) => {
      const due = before.base && before.attempts.length === 0 ? before.base.checks.length : null;
      const tried = [
        room.baseChecked("fast", "fast"),
        room.baseChecked("full", "full"),
        room.baseChecked("full", "full 2", { index: 2 }),
        room.baseChecked("full", "another", { index: 1 }),
      ];
      return tried.some((event, at) => refused(before, event) === (at === due && at < COMMANDS.length));
    });
  });

  test("cannot claim a repeated test run on the base that the plan does not want", () => {
    const tests = { testFast: story.testsNamed("fast", 1), testFull: story.testsNamed("full", 1) };
    const state = story.after(story.started({ ...tests, room: room.ROOM }), room.baseTaken());
    const first = room.baseRunEnded("fast", "fast");
    const other = (process: Partial<ProcessRecord>): RunEvent => ({
      ...first,
      process: { ...first.process, ...process },
    });
    expect(refused(state, first)).toBe(false);
    expect(refused(state, other({ end: story.exited(0) }))).toBe(true);
    expect(refused(state, other({ durationMs: 60_000 }))).toBe(true);
    expect(refused(state, room.baseRunEnded("full", "full"))).toBe(true);
    const once = fold(state, first, story.AT);
    expect(next(once)).toMatchObject({ do: "check_base", command: "fast", again: true });
    expect(refused(once, first)).toBe(true);
    const both = fold(once, room.baseChecked("fast", "fast"), story.AT);
    expect(next(both)).toMatchObject({ do: "check_base", command: "full", again: false });
  });

  test("refuses a second base during an attempt, or a candidate of another attempt", () => {
    expectNever(({ before }) => {
      const attempt = lastAttempt(before);
      const underWay = attempt !== undefined && !attempt.judged;
      if (underWay && !refused(before, room.baseTaken())) return true;
      return !refused(before, room.candidateTaken(attemptOf(before) + 1));
    });
  });

  test.each(["no_base", "no_candidate", "no_confirm", "another_tree", "checked_first", "no_room", "no_run"])(
    "refuses to leave out a requirement of acceptance: %s",
    (how) => {
      fc.assert(
        fc.property(anyCourse, ({ steps }) => {
          const at = steps.findIndex(accepting);
          fc.pre(at >= 0);
          const [first] = steps as [Step];
          const before = steps.slice(0, at + 1).map(({ event }) => event);
          const events = spoiled(before, how);
          const replay = (): unknown =>
            events.reduce((state, event) => fold(state, event, story.AT), first.before);
          expect(replay).toThrow(ImpossibleEvent);
        }),
        { numRuns: 60 },
      );
    },
  );

  test("refuses room results without a room", () => {
    const checks = [story.checkEnded(1, "fast"), story.checkEnded(1, "full")];
    const turn = [story.turnStarted(1), story.turnEnded(1)];
    const state = story.after(story.started({ room: null }), ...turn, ...checks);
    const ofBase = [room.baseTaken(), room.baseChecked("fast", "fast")];
    const ofRoom = [...ofBase, room.candidateTaken(1), room.testRun(BASE_TESTS), room.confirmed(1)];
    for (const event of ofRoom) expect(refused(state, event)).toBe(true);
  });
});
