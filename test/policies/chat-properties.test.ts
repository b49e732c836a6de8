import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exitCodeOfEnd } from "../../src/core/end.ts";
import type { EndReason, RunEvent } from "../../src/core/event.ts";
import { fold, ImpossibleEvent } from "../../src/core/fold.ts";
import { whyImpossible } from "../../src/core/legality.ts";
import { succeeded } from "../../src/platform/process/process-end.ts";
import type { ChatSettings } from "../../src/core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../src/core/state.ts";
import { next } from "../../src/engine/next.ts";
import { anyWorld, courseOf, continueRun, resumes, type Course, type Step } from "../rig/chat-chance.ts";
import { AT, exited, judged, NOTHING } from "../rig/story.ts";

function settingsOf({ settings }: RunState): ChatSettings {
  if (settings.mode !== "chat") throw new Error(settings.mode);
  return settings;
}

const isLive = (state: RunState): boolean => settingsOf(state).prompt === null;

/** Everything that an acceptance needs, written independently of the product. */
function deservesIt({ turn, checks, review }: Attempt, settings: ChatSettings): boolean {
  const worked = turn ? succeeded(turn.process.end) && !turn.agent?.failure : settings.prompt === null;
  const green = settings.checks.every((command) =>
    checks.some(({ process }) => process.command === command && succeeded(process.end)),
  );
  const noneRed = checks.every(({ process }) => succeeded(process.end));
  const called =
    review?.completed === true &&
    succeeded(review.process.end) &&
    !review.agent.failure &&
    !review.problem &&
    (review.changed ?? []).length === 0;
  return worked && green && noneRed && called;
}

function inputsIn(state: RunState): number {
  return isLive(state) ? (state.chat?.inputs.length ?? 0) : 1;
}

const passed = (reason: EndReason): RunEvent => ({
  type: "run_ended",
  status: "passed",
  reason,
  exitCode: exitCodeOfEnd("passed", reason),
  messageId: null,
});

const turnOf = ({ attempt, turn }: { attempt: number; turn: number }) => ({ attempt, turn });

/** Checks that no step of any course is wrong. */
function expectNever(isWrong: (step: Step, course: Course) => boolean): void {
  fc.assert(
    fc.property(anyWorld, (world) => {
      const course = courseOf(world);
      const wrong = course.steps.filter((step) => isWrong(step, course));
      expect(wrong.map(({ event, decision }) => ({ event, decision }))).toEqual([]);
    }),
    { numRuns: 250 },
  );
}

describe("with random actions of agent, person, reviewer and machine", () => {
  test("the run ends, and every event is legal", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        expect(courseOf(world).last.ended).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  test("C11 C19 an attempt is accepted exactly on all its evidence", () => {
    expectNever(({ event, after }) => {
      const attempt = lastAttempt(after);
      if (event.type !== "attempt_judged" || !attempt) return false;
      return (event.verdict === "accepted") !== deservesIt(attempt, settingsOf(after));
    });
  });

  test("C14 a run passes only if its last task was accepted, or there was no input", () => {
    expectNever(({ event, before }) => {
      if (event.type !== "run_ended" || event.exitCode !== 0) return false;
      const attempt = lastAttempt(before);
      const accepted = attempt?.chat?.task === inputsIn(before) && deservesIt(attempt, settingsOf(before));
      return event.reason === "nothing_asked" ? inputsIn(before) > 0 : !accepted;
    });
  });

  test("no task has more reviews than it may have", () => {
    expectNever(({ event, after }) => {
      const task = lastAttempt(after)?.chat?.task;
      const reviewed = after.attempts.filter(
        ({ chat, review }) => chat?.task === task && review && review.process.end.kind !== "over_budget",
      );
      return event.type === "review_ended" && reviewed.length > after.settings.maxLoops;
    });
  });

  test("C13 feedback is sent for rejected attempts only, and once for each", () => {
    expectNever(({ event, before }, { steps }) => {
      if (event.type !== "feedback_sent") return false;
      const same = steps.filter(
        (step) => step.event.type === "feedback_sent" && step.event.attempt === event.attempt,
      );
      return lastAttempt(before)?.judged?.verdict !== "rejected" || same.length > 1;
    });
  });

  test("C7 an input drops open work and begins a new task", () => {
    expectNever(({ event, before, after }) => {
      if (event.type !== "input_given") return false;
      const was = lastAttempt(before)?.chat?.settled;
      const dropped = lastAttempt(after)?.chat?.settled === (was === null ? "new_input" : was);
      const idle = !after.openTurn && !after.wait && next(after)?.do === "await_live";
      return !dropped || !idle || inputsIn(after) !== inputsIn(before) + 1;
    });
  });

  test("C8 only the person's text counts as input", () => {
    expectNever(({ event, before, after }) => {
      return event.type !== "input_given" && after.chat?.inputs !== before.chat?.inputs;
    });
  });

  test("settled tasks stay settled, and are never accepted later", () => {
    expectNever(({ before, after }) =>
      before.attempts.some(({ chat, judged: verdict }, at) => {
        const later = after.attempts[at];
        return chat?.settled != null && (later?.chat !== chat || later.judged !== verdict);
      }),
    );
  });

  test("skip, pause and stop never lead to an acceptance, and no review runs while they hold", () => {
    const QUIET = new Set(["start_live", "await_live", "record_interrupted", "sit_out", "end"]);
    expectNever(({ event, before, after, decision }) => {
      const unwanted = isLive(before) && before.chat?.reviews !== "on";
      if (unwanted && decision && !QUIET.has(decision.do)) return true;
      if (event.type === "reviews_set") return after.attempts !== before.attempts;
      return event.type === "review_dropped" && lastAttempt(after)?.chat?.settled !== event.why;
    });
  });

  test("a stopped run does not begin again, unless a person resumes it", () => {
    expectNever(
      ({ event, before, after }) =>
        event.type !== "run_resumed" &&
        before.chat?.reviews === "stopped" &&
        after.chat?.reviews !== "stopped",
    );
  });

  test("after the agent has left the run ends at once", () => {
    expectNever(({ event, after }) => event.type === "live_ended" && next(after)?.do !== "end");
  });

  test("C20 a conversation is never stopped for want of a reviewer or of a budget", () => {
    expectNever(({ event, before }) => event.type === "run_stopped" && before.chat?.live === "running");
  });

  test("C9 a review follows after all checks, with the last input", () => {
    expectNever(({ before, decision }) => {
      if (decision?.do !== "open_turn" || decision.role !== "reviewer") return false;
      const { checks, forks } = settingsOf(before);
      const sessions = forks ? [before.chat?.session ?? "session of claude", null] : [null];
      return lastAttempt(before)?.checks.length !== checks.length || !sessions.includes(decision.resumes);
    });
  });

  test("a run killed anywhere resumes with the agent's session and ends", () => {
    fc.assert(
      fc.property(anyWorld, fc.nat(), (world, at) => {
        const { steps } = courseOf(world);
        const { before } = steps[at % steps.length] as Step;
        const lost = fold(before, resumes(before), before.updatedAt);
        const { openTurn } = before;
        const decision = next(lost);
        // Open work of the dead process comes first.
        expect(decision?.do === "record_interrupted").toBe(openTurn !== null);
        const state = openTurn
          ? fold(lost, { ...turnOf(openTurn), type: "turn_interrupted" }, before.updatedAt)
          : lost;
        const resumed = next(state);
        const session = resumed?.do === "start_live" ? resumed.resumes : undefined;
        const hasLeft = typeof before.chat?.live === "object";
        expect(session).toBe(isLive(state) && !hasLeft ? (before.chat?.session ?? null) : undefined);
        expect(continueRun(state).last.ended).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

describe("forged journal records", () => {
  test("refuses an acceptance without evidence", () => {
    expectNever(({ before }) => {
      const attempt = lastAttempt(before);
      const forged = whyImpossible(before, judged(attempt?.index ?? 1)) === null;
      const undecided = attempt?.judged === null && attempt.chat?.settled === null && !before.openTurn;
      return forged !== (undecided && deservesIt(attempt, settingsOf(before)));
    });
  });

  test("refuses to pass a run with an unaccepted last task, or as one without any task", () => {
    const OTHERS = ["limit_reached", "left_unaccepted", "cancelled", "review_failed"] as const;
    expectNever(({ before }) => {
      const can = (reason: EndReason): boolean => whyImpossible(before, passed(reason)) === null;
      const attempt = lastAttempt(before);
      const accepted = attempt?.judged?.verdict === "accepted" && attempt.chat?.task === inputsIn(before);
      if (can("accepted") && !accepted) return true;
      return (can("nothing_asked") && inputsIn(before) > 0) || OTHERS.some((reason) => can(reason));
    });
  });

  test("refuses to change the evidence of an accepted attempt", () => {
    const how = fc.constantFrom("red", "not_completed", "changed", "failed", "no_review", "no_check");
    fc.assert(
      fc.property(anyWorld, how, (world, spoiled) => {
        const course = courseOf(world).steps;
        const at = course.findLastIndex(({ after }) => lastAttempt(after)?.judged?.verdict === "accepted");
        const attempt = course[at] && lastAttempt(course[at].after);
        fc.pre(attempt !== undefined);
        const steps = course.slice(0, at + 1);
        fc.pre(attempt.checks.length > 0 || (spoiled !== "red" && spoiled !== "no_check"));
        const [first] = steps as [Step];
        const events = steps.flatMap(({ event }) => spoil(event, attempt, spoiled));
        const replay = (): unknown => events.reduce((state, event) => fold(state, event, AT), first.before);
        expect(replay).toThrow(ImpossibleEvent);
      }),
      { numRuns: 200 },
    );
  });
});

/** Removes one piece of the attempt's evidence. */
function spoil(event: RunEvent, { checks, review }: Attempt, how: string): readonly RunEvent[] {
  if (event === checks.at(-1) && event.type === "check_ended") {
    if (how === "red") return [{ ...event, process: { ...event.process, end: exited(1) }, output: NOTHING }];
    return how === "no_check" ? [] : [event];
  }
  if (event !== review || event.type !== "review_ended") return [event];
  const { attempt, turn } = event;
  switch (how) {
    case "not_completed":
      return [{ ...event, completed: false }];
    case "changed":
      return [{ ...event, changed: ["src/x.ts"] }];
    case "failed":
      return [{ ...event, process: { ...event.process, end: { kind: "timeout", afterMs: 1 } } }];
    case "no_review":
      return [{ type: "turn_interrupted", attempt, turn }];
    default:
      return [event];
  }
}
