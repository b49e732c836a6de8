import { phase } from "../check-phase.ts";
import { captured, checkProcess } from "../../platform/process/process-end.ts";
import {
  about,
  codes,
  count,
  flag,
  foreign,
  list,
  nullable,
  object,
  optional,
  ordinal,
  ours,
  sha256,
  type TypeOf,
} from "../../text/shape.ts";
import { runners } from "../evidence/result.ts";
import { defineEvent, type EventOf } from "./define-event.ts";
import { notStarted } from "./not-started.ts";

export const roomKind = about(
  codes(["overlay", "copy"]),
  "overlay: over the work tree's own path, seen by the check alone; copy: in another place",
);
export type RoomKind = TypeOf<typeof roomKind>;

export const WEAKNESSES = [
  "no_git",
  "no_commit",
  "no_overlay",
  "ignored_unknown",
  "best_effort",
  "tests_not_seen",
] as const;
export const weaknesses = about(list(codes(WEAKNESSES)), "Weak points of the evidence on this machine");
export type Weakness = TypeOf<typeof weaknesses>[number];

/** The number of protected files, and a digest of them. */
export const protectedFiles = object({ files: count, sha256 });

const inheritedFile = object({
  path: foreign(),
  runId: about(ours(), "the run that last changed it"),
  restores: about(flag, "`restore` of that run can restore the original"),
  added: about(flag, "that run added the file"),
  /** Kind and digest. */
  found: about(nullable(ours()), "the version that this run found; null: no file"),
});
export type InheritedFile = TypeOf<typeof inheritedFile>;

/** The work tree before any work: the run compares with it. */
export const baseTaken = defineEvent("base_taken", {
  owner: "evidence",
  durable: true,
  shape: {
    /** A digest of all files that count. */
    tree: sha256,
    files: count,
    /** Commands run there, so it is not redacted. Empty: the root. */
    folder: about(ours(), "directory in which commands run, relative to the tree's root"),
    /** Left out again at every later look at the tree. */
    leftOut: about(list(ours()), "agent-foreman's own files and folders, which are ignored"),
    commit: nullable(ours()),
    /** Git decides what counts, so removing the repository would change that. */
    isRepository: flag,
    protected: protectedFiles,
    listing: about(captured, "names and digests of all files"),
    pack: about(captured, "the files' content, protected files first; incomplete for a very large tree"),
    stamps: about(
      captured,
      "state of ignored files, programs on the PATH, and settings in folders above the tree",
    ),
    room: roomKind,
    weak: weaknesses,
    inherited: about(
      object({ count, some: list(inheritedFile) }),
      "protected files that an unaccepted run left changed; listing and pack contain the originals",
    ),
  },
});
export type BaseTaken = EventOf<typeof baseTaken>;

export const baseTests = object({ runners, passed: count, failed: count, skipped: count, kept: captured });
export type BaseTests = TypeOf<typeof baseTests>;

/** A first run on the base that failed, perhaps by chance. A second run follows: its result is the one in `base_checked`. */
export const baseRunEnded = defineEvent("base_run_ended", {
  owner: "evidence",
  durable: false,
  shape: { phase, index: ordinal, process: checkProcess, output: captured },
});
export type BaseRunEnded = EventOf<typeof baseRunEnded>;

/** The result of a test command on the base. */
export const baseChecked = defineEvent("base_checked", {
  owner: "evidence",
  durable: false,
  shape: {
    phase,
    index: ordinal,
    process: checkProcess,
    output: captured,
    /** Null: no runner reported a test. */
    tests: nullable(baseTests),
    /** Existing tests and scripts that the command overwrites while it runs. */
    rewritten: list(foreign()),
    /** Absent if the command started. */
    notStarted: optional(notStarted),
    key: optional(
      about(sha256, "digest of everything that affected the result; absent: later runs cannot reuse it"),
    ),
    from: optional(about(ours(), "the earlier run that produced this result; absent: this run")),
  },
});
export type BaseChecked = EventOf<typeof baseChecked>;
