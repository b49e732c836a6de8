import { phase } from "../check-phase.ts";
import { captured, checkProcess } from "../../platform/process/process-end.ts";
import {
  about,
  codes,
  count,
  foreign,
  list,
  nullable,
  object,
  optional,
  ordinal,
  ours,
  recorded,
  type TypeOf,
} from "../../text/shape.ts";
import { findings, names } from "../evidence/findings.ts";
import { defineEvent, type EventOf } from "./define-event.ts";

/**
 * `no_tool`: the package manager is not on the PATH. `no_registry`: a registry cannot be reached, or refuses access. `failed`: it ended
 * with an error. `replaced`: something else replaced a package of a registry.
 */
const setUpProblem = codes(["no_tool", "no_registry", "failed", "replaced"]);
export type SetUpProblem = TypeOf<typeof setUpProblem>;

export const setUp = about(
  object({
    folder: about(foreign(), "relative to the tree's root"),
    /** As a person would type it. */
    command: ours(),
    /** A failed set-up is left out if the check passed anyway. */
    problem: about(nullable(setUpProblem), "why the installation failed; null: it succeeded"),
    subject: about(nullable(foreign()), "the tool that is missing, or the package that was replaced"),
    output: about(nullable(captured), "null: the installation did not run"),
  }),
  "dependencies that were installed because a manifest or a lock file changed",
);
export type SetUp = TypeOf<typeof setUp>;

export const checkRun = object({ process: checkProcess, output: captured, findings: nullable(findings) });
export type OwnRun = TypeOf<typeof checkRun>;

/** Results of the candidate's tests on the base's product: whether they notice that the work is missing. */
export const proof = object({
  revived: about(names, "tests that failed on the base and pass on the same product"),
  unproven: about(names, "new tests that pass without the work"),
});
export type Proof = TypeOf<typeof proof>;

/** A check's results in the room, besides its exit code. */
export const checkInRoom = object({
  /** Null: only the exit code is known. */
  findings: nullable(findings),
  /** Tests that failed in a first run and passed in a second one on the same tree; null: no second run. */
  flaky: nullable(names),
  /**
   * The failed run with the original tests, if the agent's tests decide instead: a person approves the changed tests, or all original
   * tests passed and something else was missing (such as coverage). Null: the original tests decide.
   */
  baseTests: nullable(checkRun),
  /** The run with the agent's tests; null: they are the original ones, or the run was not needed. */
  candidateTests: nullable(checkRun),
  /** Original tests that the agent's version of changed protected files no longer runs; excludes renamed and moved ones. */
  lost: names,
  /** The run with the agent's tests on the original product; null: not needed. */
  baseProduct: nullable(object({ ...checkRun.fields, ...proof.fields })),
  /**
   * The repeated run on the original tree, where the command failed before. If it passes now, something else than the work made it pass.
   * Null: the command passed on the base, or the check failed anyway.
   */
  baseControl: nullable(checkRun),
  /** Tests and scripts that changed while they ran, unless the base's run changes them as well. */
  rewritten: names,
  /** Why no room could be made; null: there was one. */
  problem: nullable(foreign()),
  /** How its dependencies were installed; absent: as on the base. */
  setUps: optional(list(setUp)),
});
export type CheckInRoom = TypeOf<typeof checkInRoom>;

export const checkEnded = defineEvent("check_ended", {
  owner: "evidence",
  durable: false,
  shape: {
    attempt: count,
    phase,
    /** In the order of the given commands. */
    index: ordinal,
    process: checkProcess,
    output: captured,
    room: optional(about(recorded(checkInRoom), "absent: the check ran in the work tree")),
  },
});
export type CheckEnded = EventOf<typeof checkEnded>;
