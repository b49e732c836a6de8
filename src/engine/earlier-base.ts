import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { errorCode } from "../domain/failure.ts";
import { succeeded, type Captured } from "../domain/process-end.ts";
import type { BaseChecked } from "../domain/room/event.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore } from "../journal/run-store.ts";
import { VERSION } from "../version.ts";
import type { Stamps } from "../workspace/base/stamps.ts";
import { isOurs } from "../workspace/git.ts";
import { roomEnvironment } from "../workspace/room/environment.ts";
import { knownBase } from "./base.ts";
import { keep, makeKeptDirectory } from "./keep.ts";
import type { RunContext } from "./ports.ts";
import { sha256Of } from "./turn-files.ts";

/** What a machine has besides the tree changes in the course of days. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
const MOST_KEPT = 200;
const LONGEST_NOTE = 1000;

/** All that decides what a test command shows on a tree, as far as the foreman can see it. */
export function baseKey(command: string, state: RunState, context: RunContext): string {
  const { settings, board, base } = state;
  const { ignored, unlisted, above, programs } = knownBase(state, context).surroundings;
  const env = roomEnvironment(process.env, "", "", settings.room?.passEnv ?? []);
  const hash = createHash("sha256");
  const known = [
    VERSION,
    context.rooms.kind,
    context.machine.container.level,
    // Not the digest of the tree: protected files may come from an earlier run's base.
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

/** Written by every run of Python or pytest. */
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
 * What an earlier run showed on the same base, if its journal and the files that it names are whole. Only what passed is used: the cause of
 * a failure may lie outside the tree (a service that was down) and be repaired since.
 */
export function earlierBase(
  key: string,
  { phase, index }: Pick<BaseChecked, "phase" | "index">,
  context: RunContext,
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

function runWith(key: string, context: RunContext): string | null {
  const path = join(notesDir(context), key);
  const written = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (written === undefined || context.now().getTime() - written > LONGEST_MS) return null;
  return tryReadPlainFile(path, LONGEST_NOTE)?.toString("utf8").trim() ?? null;
}

function checkOf(runId: string, key: string, context: RunContext): BaseChecked | undefined {
  try {
    const { journal } = storeOf(context).find(runId);
    const { state } = readJournal(journal, runId);
    return state.base?.checks.find((check) => check.key === key && succeeded(check.process.end));
  } catch {
    // It is gone, or damaged.
    return undefined;
  }
}

/** Null: it is not what was kept. */
function copied(file: Captured, path: string): Captured | null {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || sha256Of(bytes) !== file.sha256) return null;
  makeKeptDirectory(dirname(path));
  fs.writeFileSync(path, bytes, { mode: 0o600 });
  return { ...file, path };
}

/** Has later runs find this one. */
export function noteBase(key: string, runId: string, context: RunContext): void {
  const dir = notesDir(context);
  keep(join(dir, key), `${runId}\n`);
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

function storeOf({ paths }: RunContext): RunStore {
  return new RunStore(dirname(dirname(paths.dir)));
}

function notesDir(context: RunContext): string {
  return join(storeOf(context).root, "bases");
}
