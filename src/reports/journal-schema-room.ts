import { z } from "zod";
import { NOT_STARTED } from "../domain/tests/not-started.ts";
import { captured, count, ordinal, phase, processRecord, sha256 } from "./schema-parts.ts";
import {
  baseTests,
  changeCounts,
  lostFiles,
  names,
  oracle,
  oracleChanges,
  outside,
  silenced,
  passedOrNot,
  proof,
  roomKind,
  setUp,
  weaknesses,
} from "./schema-room.ts";

export const notStarted = z
  .strictObject({ why: z.enum(NOT_STARTED), said: z.string() })
  .exactOptional()
  .describe("why the command could not start, and the line that says so");

const findings = z.strictObject({
  ...passedOrNot,
  alreadyFailing: names,
  newFailing: names,
  failing: names,
  skippedNow: names,
  failures: z.array(z.strictObject({ test: z.string(), message: z.string() })),
  exitedBy: z.array(z.string()),
});

const run = z.strictObject({ process: processRecord, output: captured, findings: findings.nullable() });

/** What a check showed besides its exit code. */
export const checkInRoom = z.strictObject({
  findings: findings.nullable(),
  flaky: names.nullable(),
  frozen: run.nullable(),
  own: run.nullable(),
  lost: names,
  without: run.extend(proof).nullable(),
  control: run.nullable(),
  rewritten: names,
  problem: z.string().nullable(),
  setUps: z.array(setUp).exactOptional(),
});

const lost = z.strictObject({ count, some: lostFiles });

/** Of the events with which the foreman leaves a run. */
export const runChanges = z
  .strictObject({
    ...changeCounts,
    lost,
    outside,
    kept: z.strictObject({ listing: captured, pack: captured, diff: captured }).nullable(),
  })
  .describe("the work tree compared with the tree before the first turn");

/** The fields of the events about base and candidate. */
export const roomEvents = {
  baseTaken: {
    tree: sha256,
    files: count,
    folder: z.string().describe("where commands run, below the tree's root"),
    leftOut: z.array(z.string()).describe("files and folders of agent-foreman's own, which do not count"),
    commit: z.string().nullable(),
    isRepository: z.boolean(),
    oracle,
    listing: captured.describe("the names of all files, and what they hold, as digests"),
    pack: captured.describe("the files themselves, the oracle's first; not all of a very large tree"),
    stamps: captured.describe(
      "what ignored files, the programs on the PATH, and settings above the tree looked like",
    ),
    room: roomKind,
    weak: weaknesses,
    inherited: z
      .strictObject({
        count,
        some: z.array(
          z.strictObject({
            path: z.string(),
            runId: z.string().describe("the run that changed it last"),
            restores: z.boolean().describe("`restore` of that run brings the original back"),
            added: z.boolean().describe("there was no such file before that run"),
            found: z.string().nullable().describe("the version that this run found; null: no file"),
          }),
        ),
      })
      .describe("protected files that an unaccepted run left changed: listing and pack have the originals"),
  },
  baseChecked: {
    phase,
    index: ordinal,
    process: processRecord,
    output: captured,
    tests: baseTests.nullable(),
    rewritten: z.array(z.string()),
    notStarted,
    key: sha256
      .exactOptional()
      .describe("of all that decided about the result, where a later run may use it"),
    from: z.string().exactOptional().describe("the earlier run that it was seen in; absent: this one"),
  },
  candidateTaken: {
    attempt: count,
    tree: sha256,
    oracle: oracleChanges,
    allowed: z.array(z.string()),
    changesSha256: sha256.describe("of what the changes that nobody allowed beforehand hold"),
    unreadable: z.literal(true).exactOptional(),
    newTests: names,
    hidden: names,
    programs: z.array(z.string()),
    lost: lost.exactOptional(),
    silenced: silenced.exactOptional(),
  },
  candidateConfirmed: { attempt: count, tree: sha256 },
};
