import { join, relative, resolve } from "node:path";
import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import type { BaseChecked } from "../domain/room/event.ts";
import { mayTakeAnew } from "../domain/room/held.ts";
import { succeeded } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { notStarted, setupFailed, type NotStarted } from "../domain/tests/not-started.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { knownBase } from "./base.ts";
import { putBack } from "./put-back.ts";
import { baseKey, earlierBase, noteBase } from "./earlier-base.ts";
import { makeKeptDirectory } from "./keep.ts";
import { takeOriginalBase } from "./left-changes.ts";
import type { RunContext } from "./ports.ts";
import { runInRoom, type RoomRun } from "./run-in-room.ts";
import { besides, surroundingsNow } from "./surroundings.ts";
import { isWatched, keepResults } from "./tests-seen.ts";
import { treeFiles } from "./tree-files.ts";

/** Tests that hang until somebody mends the product are not waited for: what they show there is that they fail. */
export const BASE_STALL_MS = 20_000;

/** Runs a test command on the tree as it is before anybody works. A tree that has become another one since is taken anew. */
export async function checkBase(
  { phase, index, command }: Decision & { do: "check_base" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const now = treeFiles(state.settings, context);
  if (now.sha256 !== state.base?.taken.tree && mayTakeAnew(state)) return takeOriginalBase(state, context);
  const dir = join(context.paths.dir, "base", "checks");
  makeKeptDirectory(dir);
  const files = (): readonly string[] => [
    ...now.files.keys(),
    ...besides(surroundingsNow(now.root, context), []),
  ];
  const base = knownBase(state, context);
  // The tree on disk may have protected files as an earlier run left them.
  const { laid, hidden } = putBack(now, base, () => true);
  const view = { root: now.root, files, laid, hidden: [...hidden, ...compiledPaths(now.files.keys())] };
  const output = join(dir, `${phase}-${index}.log`);
  const watched = (): readonly string[] =>
    [...base.files.keys()].filter((path) => isWatched(path, base.oracle));
  const request = { command, view, watched, output, stallMs: BASE_STALL_MS, fillsCaches: true } as const;
  const key = baseKey(command, state, context);
  const known = earlierBase(key, { phase, index }, context);
  if (known) return known;
  let ran = await runInRoom(request, state, context);
  const isSteady = ran !== null && succeeded(ran.result.process.end);
  const unstartedIn = ({ result, report, setupFailed: isOfSetUp }: RoomRun): NotStarted | null => {
    const { command: ranCommand, end } = result.process;
    const said = tryReadPlainFile(result.stdout.path, MOST_READ)?.toString("utf8") ?? "";
    const isFile = (path: string): boolean => treeHas(path, now.root, state.settings.cwd);
    return isOfSetUp
      ? setupFailed(said)
      : notStarted({ command: ranCommand, end, output: said, report, isFile });
  };
  // A test that fails by chance on the base would excuse its failure later.
  if (ran && mayBeChance(ran) && unstartedIn(ran) === null) ran = await runInRoom(request, state, context);
  if (!ran) return null;
  // What nobody could run has no tests, and none would be missed later.
  if (ran.problem !== null && !ran.setupFailed) throw new Failure("room_impossible", { why: ran.problem });
  const tests = ran.report && {
    ...countsOf(ran.report),
    runners: ran.report.runners,
    kept: keepResults(join(dir, `${phase}-${index}.tests`), ran.report, context),
  };
  const { process, stdout } = ran.result;
  const unstarted = unstartedIn(ran);
  const rewritten = ran.rewritten.slice(0, MOST_REWRITTEN);
  if (isSteady) noteBase(key, state.runId, context);
  return {
    type: "base_checked",
    phase,
    index,
    process,
    output: stdout,
    tests,
    rewritten,
    ...(unstarted && { notStarted: unstarted }),
    ...(isSteady && { key }),
  } satisfies BaseChecked;
}

/** A command that cannot start says so at once. */
const MOST_READ = 1024 * 1024;

function treeHas(path: string, root: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  return !relative(root, full).startsWith("..") && tryReadPlainFile(full, 1) !== undefined;
}

/** Longer ones are not run twice for the sake of a chance. */
const SHORT_MS = 60_000;

function mayBeChance({ result: { process }, problem }: RoomRun): boolean {
  const { end, durationMs } = process;
  return problem === null && end.kind === "exited" && end.code !== 0 && durationMs < SHORT_MS;
}

/** What its tests write anew themselves is little. */
const MOST_REWRITTEN = 200;

function countsOf({ results }: TestReport): { passed: number; failed: number; skipped: number } {
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}
