import { lost } from "../evidence/changes.ts";
import {
  about,
  codes,
  count,
  flag,
  foreign,
  list,
  nullable,
  object,
  onlyTrue,
  optional,
  ordinal,
  ours,
  sha256,
  type TypeOf,
} from "../../text/shape.ts";
import { phase } from "../check-phase.ts";
import { findings, names } from "../evidence/findings.ts";
import { captured } from "../../platform/process/process-end.ts";
import { checkRun, proof, setUp } from "./check-ended.ts";
import { defineEvent, type EventOf } from "./define-event.ts";

/**
 * Files that affect whether tests pass, but are not the product: tests, configuration of their runner and of the build, and scripts
 * that test commands use. `shadow`: a file that did not exist, but would matter if it did. `declared`: the person said so.
 */
const protectedKind = codes(["test", "config", "script", "shadow", "declared"]);
export type ProtectedKind = TypeOf<typeof protectedKind>;

export const protectedChange = object({
  path: foreign("filled"),
  kind: protectedKind,
  how: about(codes(["changed", "extended", "deleted", "added"]), "extended: lines were only added"),
  /** `scripts.test` */
  entries: about(list(foreign()), "the changed entries, if only some entries of the file are protected"),
});
/** A protected file that differs from the base. */
export type ProtectedChange = TypeOf<typeof protectedChange>;
export const protectedChanges = about(list(protectedChange), "Protected files that differ from the base");

/** Comments, by kind, that the attempt added to silence a checker among the test commands. */
export const silenced = list(object({ comment: ours(), count, files: names }));
export type Silenced = TypeOf<typeof silenced>[number];

/** The result of a turn. Taken again when the tree changed afterwards, because evidence about another tree does not count. */
export const candidateTaken = defineEvent("candidate_taken", {
  owner: "evidence",
  durable: false,
  shape: {
    attempt: count,
    tree: sha256,
    protected: protectedChanges,
    /** Those of these that a person has allowed beforehand. */
    allowed: list(foreign()),
    /** A person's answer about the changes refers to this digest. */
    changesSha256: about(sha256, "digest of the protected changes that were not approved in advance"),
    /** The tree is gone, is not a repository any more, or is too large to read: no checks run. */
    unreadable: optional(onlyTrue),
    /** New files with tests. */
    newTests: names,
    /** Ignored files that differ from the base: checks do not see them. */
    hidden: names,
    /** Programs on PATH that differ from the base. */
    programs: list(foreign()),
    /** Absent if the person lost nothing. */
    lost: optional(lost),
    /** Absent if there are none. */
    silenced: optional(silenced),
  },
});
export type CandidateTaken = EventOf<typeof candidateTaken>;

const version = codes(["base", "candidate"]);
/** Which tests run on which product. */
const testRun = {
  tests: version,
  product: version,
  marked: about(flag, "the tests were marked to report whether they reached their end"),
};
const oneRun = object(testRun);
export type TestRun = TypeOf<typeof oneRun>;

/** One run of a check's command in a room. A check needs one to eight of them. */
export const testRunEnded = defineEvent("test_run_ended", {
  owner: "evidence",
  durable: false,
  shape: {
    attempt: count,
    phase,
    index: ordinal,
    ...testRun,
    ...checkRun.fields,
    /** Tests and scripts that changed during the run, unless the run on the base changes them as well. */
    rewritten: names,
    /** Why no room could be made; null: there was one. */
    problem: nullable(foreign()),
    ruledOut: about(list(oneRun), "runs of the same check that would show nothing or are impossible"),
    /** How its dependencies were installed; absent: as on the base. */
    setUps: optional(list(setUp)),
    lost: optional(about(names, "original tests that the agent's version no longer runs")),
    proof: optional(about(proof, "result of the agent's tests on the original product")),
    unfinished: optional(about(captured, "the reports of marked tests, if some did not reach their end")),
    blamed: optional(about(findings, "findings of the deciding run, if the product ended tests early")),
  },
});
export type TestRunEnded = EventOf<typeof testRunEnded>;

/** The tree is still the one that the checks saw, so the acceptance applies to it. */
export const candidateConfirmed = defineEvent("candidate_confirmed", {
  owner: "evidence",
  durable: false,
  shape: { attempt: count, tree: sha256 },
});
export type CandidateConfirmed = EventOf<typeof candidateConfirmed>;
