import { isTalk } from "../modes/chat/reviews.ts";
import fs from "node:fs";
import { basename, dirname } from "node:path";
import { outcomeOf } from "../core/end.ts";
import { isBestEffort } from "../core/event.ts";
import type { OutputFile, Settings } from "../core/settings.ts";
import { exitCodeOfSignal, ExitCode } from "../platform/outcome.ts";
import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { chatAdapterFor } from "../agents/chat-registry.ts";
import { Interrupt } from "../platform/process/interrupt.ts";
import { leaveCaches } from "../evidence/base/compiler-caches.ts";
import { forgetSetUps } from "../evidence/checks/dependencies.ts";
import { drive } from "../engine/engine.ts";
import { writeReport } from "../engine/report-file.ts";
import { forgetTree } from "../evidence/base/kept-tree.ts";
import { leaveTree } from "../evidence/base/left-changes.ts";
import { compareWithStart } from "../evidence/base/run-changes.ts";
import { workOf } from "../modes/registry.ts";
import { LiveAgent } from "../modes/chat/live-agent.ts";
import type { ExcerptLimits, ExcerptLine } from "../text/excerpt.ts";
import type { RunContext } from "../engine/ports.ts";
import type { Rooms } from "../evidence/checks/rooms.ts";
import { removeRooms } from "../evidence/checks/run-in-room.ts";
import { receiptFrom, writeReceiptFile } from "../evidence/receipt/receipt-file.ts";
import { pauseShow, showEnd, showLive } from "../engine/show.ts";
import { Stop } from "../platform/process/stop.ts";
import { Digests } from "../platform/files/digests.ts";
import { Inbox } from "../core/journal/inbox.ts";
import { acquireLock, type Lock } from "../core/journal/lock.ts";
import type { RunPaths, RunStore } from "../core/journal/run-store.ts";
import { detectContainment } from "../platform/process/containment.ts";
import { Launcher } from "../platform/process/launcher.ts";
import { endTagged, LIVE_TAG, RUN_TAG } from "../platform/process/leftovers.ts";
import { receiptPathFor } from "../evidence/receipt/receipt.ts";
import { PipePool } from "../platform/process/pipes.ts";
import { sandboxProblem, whyNoSandbox } from "../platform/process/sandbox.ts";
import type { Machine } from "../platform/process/run-command.ts";
import { readExcerpt } from "../platform/process/read-output.ts";
import { unexplainedOutput } from "../ui/failed-output.ts";
import { openReporter } from "../screens/open.ts";
import { topLevel } from "../platform/git/git.ts";
import { wayIntoRooms } from "../evidence/room/room.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import { WorkTree } from "../platform/git/tree.ts";
import { editedBoard } from "./edited-board.ts";
import type { Io } from "./io.ts";
import { runLockName, treeLockName } from "./run-store.ts";
import { askAtTerminal } from "./prompt.ts";
import type { ViewFlags } from "./settings/table.ts";
import { redactorFor } from "./redactor.ts";
import { refuseUnstarted } from "./unstarted-tests.ts";

/**
 * Allows one supervisor per run and one run per work tree. A git work tree counts as a whole, because agents in different folders of it would still
 * disturb each other.
 */
export async function lockRun(store: RunStore, runId: string, cwd: string): Promise<Lock> {
  const run = await acquireLock(runLockName(store, runId), runId);
  if ("heldBy" in run) throw new Failure("run_is_live", { runId });
  const path = topLevel(cwd) ?? cwd;
  const tree = await acquireLock(treeLockName(path), runId);
  if ("heldBy" in tree) {
    run.release();
    throw new Failure("tree_locked", { heldBy: tree.heldBy, path });
  }
  return {
    release: () => {
      tree.release();
      run.release();
    },
  };
}

interface Opened extends Pick<RunContext, "store" | "paths" | "journal" | "files" | "agents"> {
  readonly settings: Settings;
  /** Output files of earlier foremen of this run. */
  readonly outputs?: readonly OutputFile[];
}

export function openContext(io: Io, view: ViewFlags, { settings, outputs, ...run }: Opened): RunContext {
  const runId = basename(run.paths.dir);
  const redactor = redactorFor(settings, io.env);
  const interrupt = new Interrupt();
  const machine = openMachine(run.paths, runId);
  const live = liveAgentOf(settings, { ...run, runId, machine, interrupt }, io);
  return {
    ...run,
    mode: workOf(settings),
    interrupt,
    live,
    redactor,
    tree: workTreeOf(settings, run.paths, outputs),
    digests: new Digests(),
    texts: new Map(),
    inbox: new Inbox(run.paths.inbox),
    machine,
    rooms: {
      ...roomsFor(settings, run.paths, machine),
      base: null,
      start: null,
      seen: null,
      setUpsDone: new Map(),
      caches: new Map(),
    },
    reporter: openReporter({
      runId,
      lang: io.lang,
      redact: (text) => redactor.text(text),
      mode: live ? "live" : view.json ? "json" : view.quiet ? "quiet" : "auto",
      verbose: view.verbose === true,
      stdout: io.stdout,
      stderr: io.stderr,
      env: io.env,
    }),
    stop: new Stop(),
    askPerson: (state, abort) => askAtTerminal(io, state, abort),
    editedBoard: () => editedBoard({ journal: run.journal, redactor }),
    now: () => new Date(),
  };
}

/** Leaves out files that the foreman itself writes there. */
function workTreeOf(
  settings: Settings,
  { dir }: Pick<RunPaths, "dir">,
  outputs: readonly OutputFile[] = [],
): WorkTree {
  const own = [
    dirname(dir),
    settings.reportPath,
    receiptPathFor(settings.reportPath),
    ...(workOf(settings).ownPaths?.(settings) ?? []),
  ];
  return new WorkTree(settings.cwd, own, outputs);
}

/** The work tree of a run that can go on, compared with its start. Null: nothing to compare with. */
export function changesSoFar(state: RunState, paths: RunPaths): ReturnType<typeof compareWithStart> {
  const { settings, outputs } = state;
  const rooms = { base: null, start: null };
  return compareWithStart(state, {
    mode: workOf(settings),
    tree: workTreeOf(settings, paths, outputs),
    rooms,
  });
}

/** Recorded, so that a foreman that resumes the run leaves these files out, too. */
export function outputsOf({ tree }: RunContext): { readonly outputs?: readonly OutputFile[] } {
  return tree.output.length === 0 ? {} : { outputs: tree.output };
}

/** A run that asked for a sandbox never runs without one. */
export function refuseWithoutSandbox({ sandbox }: Pick<Settings, "sandbox">): void {
  const why = sandbox ? whyNoSandbox(detectContainment().wrap) : null;
  if (why !== null) throw new Failure("sandbox_impossible", { why, problem: sandboxProblem(why) });
}

/** Tries which room works; skipped if checks run in the work tree. */
function roomsFor(
  { room }: Settings,
  { dir }: RunPaths,
  { container }: Machine,
): Pick<Rooms, "kind" | "way"> {
  const way = room && wayIntoRooms(container.wrap, dir);
  return way ? { kind: "overlay", way } : { kind: "copy" };
}

/** Nothing here has an effect until it is started, so commands that only read the run never start it. */
function liveAgentOf(
  settings: Settings,
  run: Pick<RunContext, "paths" | "agents" | "machine" | "interrupt"> & { readonly runId: string },
  io: Io,
): LiveAgent | null {
  if (!isTalk(settings)) return null;
  const { paths, agents, machine, interrupt, runId } = run;
  const agent = agents.get(settings.worker);
  const adapter = agent && chatAdapterFor(agent.profile.adapter);
  if (!adapter) return null;
  return new LiveAgent({
    runId,
    dir: paths.dir,
    cwd: settings.cwd,
    agent,
    adapter,
    args: settings.agentArgs,
    machine,
    interrupt,
    stdout: io.stdout,
  });
}

export function openMachine(paths: Pick<RunPaths, "pipes">, runId: string): Machine {
  const container = detectContainment();
  const pipes = new PipePool(paths.pipes);
  const env = { ...process.env, [RUN_TAG]: runId };
  const launcher = container.launcher ? new Launcher(container.launcher, env) : null;
  return { container, pipes, launcher };
}

/** Drives a run until it ends or has to wait, then cleans up. */
export async function runToCompletion(context: RunContext, lock: Lock): Promise<number> {
  const { stop, journal, machine } = context;
  const unlisten = stop.listen({
    onFirst: (signal) => showLive(context, { type: "stopping", signal }),
    onSecond: () => showLive(context, { type: "killing" }),
    leave: (signal) => {
      if (!context.live) showEnd(context, journal.state, {});
      if (isBestEffort(machine.container.level))
        for (const tag of [RUN_TAG, LIVE_TAG] as const) endTagged(journal.state.runId, tag);
      process.exit(exitCodeOfSignal(signal));
    },
  });
  try {
    // The final message belongs on the person's own screen.
    return finish(context, await drive(context).finally(() => context.live?.close()));
  } finally {
    unlisten();
    close(context, lock);
  }
}

/** Releases the lock early, so that damage by an agent cannot keep the next process out. */
export function close(context: RunContext, lock: Lock): void {
  // Before the lock is released: the next process creates its rooms in the same places.
  removeRooms(context.paths.dir, basename(context.paths.dir));
  lock.release();
  pauseShow(context);
  context.machine.launcher?.close();
  context.machine.pipes.remove();
  // Left by a foreman that was killed after the first record.
  forgetCall(context.paths);
  context.journal.close();
}

/** Writes the report and receipt of an ended run, prints the result and returns the exit code. */
export function finish(context: RunContext, state: RunState): number {
  context.journal.verify();
  // First, because a report must not claim that tests passed if their saved originals were altered.
  const receipt = receiptFrom(state, context.journal);
  if (outcomeOf(state)) {
    writeReport(state, context);
    context.files.leave?.(state);
  }
  writeReceiptFile(receipt, state);
  leaveTree(state, context);
  if (state.ended) {
    forgetTree(context);
    forgetSetUps(context);
    leaveCaches(context, rootOf(state.settings.cwd));
  }
  const help = new Map([...context.agents].map(([name, { adapter }]) => [name, adapter]));
  showEnd(context, state, { help, said: lastWords(state, context) });
  refuseUnstarted(state);
  return exitCodeFor(state);
}

const SUMMARY_EXCERPT: ExcerptLimits = { tailLines: 3, errorLines: 2, bytes: 600 };

function lastWords(state: RunState, { redactor }: RunContext): readonly ExcerptLine[] {
  const output = unexplainedOutput(state);
  return output ? readExcerpt(output, SUMMARY_EXCERPT, (text) => redactor.text(text)) : [];
}

function exitCodeFor(state: RunState): number {
  const outcome = outcomeOf(state);
  if (outcome) return outcome.exitCode;
  switch (state.stopped) {
    case "SIGINT":
    case "SIGTERM":
    case "SIGHUP":
      return exitCodeOfSignal(state.stopped);
    default:
      return ExitCode.waitsForPerson;
  }
}

export function forgetCall({ starting }: RunPaths): void {
  try {
    fs.rmSync(starting, { force: true });
  } catch {
    // Harmless once the run has a record.
  }
}
