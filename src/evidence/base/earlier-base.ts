import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../../platform/failure.ts";
import { succeeded, type Artifact } from "../../platform/process/process-end.ts";
import type { BaseChecked } from "../../core/evidence/event.ts";
import type { RunState } from "../../core/state.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { VERSION } from "../../version.ts";
import type { Stamps } from "../../platform/git/stamps.ts";
import { isOurs } from "../../platform/git/git.ts";
import { roomEnvironment } from "../room/environment.ts";
import { knownBase } from "./base.ts";
import { writeArtifact, makeKeptDirectory } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

/** Parts of a machine outside the tree change within days. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
const MOST_KEPT = 200;
const LONGEST_NOTE = 1000;

/** A hash of everything visible that decides the result of a test command on a tree. */
export function baseKey(command: string, state: RunState, context: EvidenceContext): string {
  const { settings, board, base } = state;
  const { ignored, unlisted, above, programs } = knownBase(state, context).surroundings;
  const env = roomEnvironment(process.env, "", "", settings.room?.passEnv ?? []);
  const hash = createHash("sha256");
  const known = [
    VERSION,
    context.rooms.kind,
    context.machine.container.level,
    // Not the digest of the tree, because protected files may come from an earlier run's base.
    base?.taken.listing.sha256,
    settings.cwd,
    command,
    settings.room?.setup,
    Object.entries({ ...env, ...board?.env.env }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  hash.update(JSON.stringify(known));
  for (const stamps of [ignored, unlisted, above, programs]) addStamps(hash, stamps);
  return hash.digest("hex");
}

/** Every run of Python or pytest writes these. */
const OF_PYTHON = /(?:^|\/)(?:__pycache__|\.pytest_cache)(?:\/|$)/;

function addStamps(
  hash: ReturnType<typeof createHash>,
  stamps: Stamps | ReadonlyMap<string, unknown> | null,
): void {
  hash.update("\0\0");
  for (const [path, stamp] of stamps ?? [])
    if (!isOurs(path) && !OF_PYTHON.test(path)) hash.update(`${path}\0${JSON.stringify(stamp)}\n`);
}

/**
 * An earlier run's result on the same base, if its journal and files are intact. Only passes are used: a failure may have an outside cause,
 * such as a stopped service, that was fixed since.
 */
export function earlierBase(
  key: string,
  { phase, index }: Pick<BaseChecked, "phase" | "index">,
  context: EvidenceContext,
): BaseChecked | null {
  const runId = runWith(key, context);
  const checked = runId === null ? undefined : checkOf(runId, key, context);
  if (runId === null || !checked) return null;
  const name = join(context.paths.dir, "base", "checks", `${phase}-${index}`);
  const output = copied(checked.output, `${name}.log`);
  const kept = checked.tests && copied(checked.tests.kept, `${name}.tests`);
  if (!output || (checked.tests && !kept)) return null;
  const tests = checked.tests && kept ? { ...checked.tests, kept } : null;
  return { ...checked, phase, index, output, tests, from: runId };
}

function runWith(key: string, context: EvidenceContext): string | null {
  const path = join(notesDir(context), key);
  const written = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (written === undefined || context.now().getTime() - written > LONGEST_MS) return null;
  return tryReadPlainFile(path, LONGEST_NOTE)?.toString("utf8").trim() ?? null;
}

function checkOf(runId: string, key: string, context: EvidenceContext): BaseChecked | undefined {
  try {
    const { state } = context.store.read(runId);
    return state.base?.checks.find((check) => check.key === key && succeeded(check.process.end));
  } catch {
    // It is gone or damaged.
    return undefined;
  }
}

/** Null: it is not the stored file. */
function copied(file: Artifact, path: string): Artifact | null {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || sha256Of(bytes) !== file.sha256) return null;
  makeKeptDirectory(dirname(path));
  fs.writeFileSync(path, bytes, { mode: 0o600 });
  return { ...file, path };
}

/** Lets later runs find this result. */
export function noteBase(key: string, runId: string, context: EvidenceContext): void {
  const dir = notesDir(context);
  writeArtifact(join(dir, key), `${runId}\n`);
  const names = fs.readdirSync(dir);
  if (names.length <= MOST_KEPT) return;
  const age = (name: string): number => fs.statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const name of names.sort((a, b) => age(b) - age(a)).slice(MOST_KEPT)) forget(join(dir, name));
}

function forget(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

function notesDir(context: EvidenceContext): string {
  return join(context.store.root, "bases");
}
