import { z } from "zod";
import { captured, count, ordinal, phase, processRecord, sha256 } from "./schema-parts.ts";
import {
  baseTests,
  names,
  oracle,
  oracleChanges,
  passedOrNot,
  proof,
  roomKind,
  setUp,
  weaknesses,
} from "./schema-room.ts";

const findings = z.strictObject({
  ...passedOrNot,
  alreadyFailing: names,
  newFailing: names,
  skippedNow: names,
  exitedBy: z.array(z.string()),
});

const run = z.strictObject({ process: processRecord, output: captured, findings: findings.nullable() });

/** What a check showed besides its exit code. */
export const checkInRoom = z.strictObject({
  findings: findings.nullable(),
  flaky: names.nullable(),
  frozen: run.nullable(),
  own: run.nullable(),
  without: run.extend(proof).nullable(),
  control: run.nullable(),
  rewritten: names,
  problem: z.string().nullable(),
  setUps: z.array(setUp).exactOptional(),
});

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
  },
  baseChecked: {
    phase,
    index: ordinal,
    process: processRecord,
    output: captured,
    tests: baseTests.nullable(),
    rewritten: z.array(z.string()),
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
  },
  candidateConfirmed: { attempt: count, tree: sha256 },
};
