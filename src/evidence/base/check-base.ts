import { join, relative, resolve } from "node:path";
import type { Decision } from "../../core/decision.ts";
import type { RunEvent } from "../../core/event.ts";
import { Failure } from "../../platform/failure.ts";
import type { BaseChecked } from "../../core/evidence/event.ts";
import { mayRetakeBase } from "../held.ts";
import { mayFailByChance } from "../plan.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { RunState } from "../../core/state.ts";
import { notStarted, setupFailed, type NotStarted } from "../results/not-started.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { compiledPaths } from "./compiled.ts";
import { knownBase } from "./base.ts";
import { putBack } from "../checks/put-back.ts";
import { baseKey, earlierBase, noteBase } from "./earlier-base.ts";
import { makeKeptDirectory } from "../../platform/files/artifact.ts";
import { takeOriginalBase } from "./left-changes.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import { runInRoom, type RoomRun } from "../checks/run-in-room.ts";
import { besides, surroundingsNow } from "./surroundings.ts";
import { isWatched, keepResults } from "../checks/tests-seen.ts";
import { treeFiles } from "./tree-files.ts";

/** Tests that hang until the product is fixed count as failures. Waiting longer shows nothing more. */
export const BASE_STALL_MS = 20_000;

/** Runs a test command once on the original tree. If the tree has changed since the base was taken, takes it again. */
export async function checkBase(
  { phase, index, command, again }: Decision & { do: "check_base" },
  state: RunState,
  context: EvidenceContext,
): Promise<RunEvent | null> {
  const now = treeFiles(state.settings, context);
  if (now.sha256 !== state.base?.taken.tree && mayRetakeBase(state)) return takeOriginalBase(state, context);
  const dir = join(context.paths.dir, "base", "checks");
  makeKeptDirectory(dir);
  const files = (): readonly string[] => [
    ...now.files.keys(),
    ...besides(surroundingsNow(now.root, context), []),
  ];
  const base = knownBase(state, context);
  // The tree on disk may contain protected files that an earlier run changed.
  const { laid, hidden } = putBack(now, base, () => true);
  const view = { root: now.root, files, laid, hidden: [...hidden, ...compiledPaths(now.files.keys())] };
  const name = join(dir, `${phase}-${index}`);
  const output = `${name}${again ? ".again" : ""}.log`;
  const watched = (): readonly string[] =>
    [...base.files.keys()].filter((path) => isWatched(path, base.protectedFiles));
  const request = { command, view, watched, output, stallMs: BASE_STALL_MS, fillsCaches: true } as const;
  const key = baseKey(command, state, context);
  const known = again ? null : earlierBase(key, { phase, index }, context);
  if (known) return known;
  const ran = await runInRoom(request, state, context);
  if (!ran) return null;
  // A command that could not run has no tests, so none would be missed later.
  if (ran.problem !== null && !ran.setupFailed) throw new Failure("room_impossible", { why: ran.problem });
  const { process, stdout } = ran.result;
  const unstarted = unstartedIn(ran, (path) => treeHas(path, now.root, state.settings.cwd));
  if (!again && unstarted === null && mayFailByChance(process))
    return { type: "base_run_ended", phase, index, process, output: stdout };
  const tests = ran.report && {
    ...countsOf(ran.report),
    runners: ran.report.runners,
    kept: keepResults(`${name}.tests`, ran.report, context),
  };
  const rewritten = ran.rewritten.slice(0, MOST_REWRITTEN);
  const isSteady = !again && succeeded(process.end);
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

/** A command that cannot start prints little. */
const MOST_READ = 1024 * 1024;

function unstartedIn(
  { result: { process, stdout }, report, setupFailed: isOfSetUp }: RoomRun,
  isFile: (path: string) => boolean,
): NotStarted | null {
  const output = tryReadPlainFile(stdout.path, MOST_READ)?.toString("utf8") ?? "";
  if (isOfSetUp) return setupFailed(output);
  return notStarted({ command: process.command, end: process.end, output, report, isFile });
}

function treeHas(path: string, root: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  return !relative(root, full).startsWith("..") && tryReadPlainFile(full, 1) !== undefined;
}

/** Tests rewrite few of their own files. */
const MOST_REWRITTEN = 200;

function countsOf({ results }: TestReport): { passed: number; failed: number; skipped: number } {
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}
