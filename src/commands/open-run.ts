import fs from "node:fs";
import { basename, dirname } from "node:path";
import { ownPaths } from "../board/names.ts";
import { outcomeOf } from "../domain/end.ts";
import { isBestEffort } from "../domain/event.ts";
import type { RoomKind } from "../domain/room/event.ts";
import type { OutputFile, Settings } from "../domain/settings.ts";
import { exitCodeOfSignal, ExitCode } from "../domain/outcome.ts";
import { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { chatAdapterFor } from "../agents/chat-registry.ts";
import { Attention } from "../engine/attention.ts";
import { leaveCaches } from "../engine/compiler-caches.ts";
import { forgetSetUps } from "../engine/dependencies.ts";
import { drive } from "../engine/engine.ts";
import { forgetTree } from "../engine/kept-tree.ts";
import { leaveTree } from "../engine/left-changes.ts";
import { LiveAgent } from "../engine/live-agent.ts";
import type { ExcerptLimits, ExcerptLine } from "../domain/excerpt.ts";
import type { RunContext } from "../engine/ports.ts";
import { removeRooms } from "../engine/run-in-room.ts";
import { receiptFrom, writeReceiptFile } from "../engine/receipt-file.ts";
import { pauseShow, showEnd, showLive } from "../engine/show.ts";
import { Stop } from "../engine/stop.ts";
import { Digests } from "../files/digests.ts";
import { Inbox } from "../journal/inbox.ts";
import { acquireLock, type Lock } from "../journal/lock.ts";
import type { RunPaths, RunStore } from "../journal/run-store.ts";
import { detectContainment } from "../process/containment.ts";
import { Launcher } from "../process/launcher.ts";
import { endTagged, LIVE_TAG, RUN_TAG } from "../process/leftovers.ts";
import { receiptPathFor } from "../reports/receipt.ts";
import { PipePool } from "../process/pipes.ts";
import { sandboxProblem, whyNoSandbox } from "../process/sandbox.ts";
import type { Machine } from "../process/run-command.ts";
import { readExcerpt } from "../process/read-output.ts";
import { unexplainedOutput } from "../reporters/failed-output.ts";
import { openReporter } from "../reporters/open.ts";
import { topLevel } from "../workspace/git.ts";
import { roomWorks } from "../workspace/room/room.ts";
import { rootOf } from "../workspace/tree-repository.ts";
import { WorkTree } from "../workspace/tree.ts";
import { editedBoard } from "./edited-board.ts";
import type { Io } from "./io.ts";
import { runLockName, treeLockName } from "./live.ts";
import { askAtTerminal } from "./prompt.ts";
import { redactorFor } from "./redactor.ts";
import { refuseUnstarted } from "./unstarted-tests.ts";

export interface ViewFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/**
 * One supervisor a run and one run a work tree. The work tree is git's where there is one: two agents in different folders of
 * it would still tread on each other's changes.
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

interface Opened extends Pick<RunContext, "paths" | "journal" | "files" | "agents"> {
  readonly settings: Settings;
  /** Output files of earlier foremen of this run. */
  readonly outputs?: readonly OutputFile[];
}

export function openContext(io: Io, view: ViewFlags, { settings, outputs, ...run }: Opened): RunContext {
  const runId = basename(run.paths.dir);
  const redactor = redactorFor(settings, io.env);
  const attention = new Attention();
  const machine = openMachine(run.paths, runId);
  const live = liveAgentOf(settings, { ...run, runId, machine, attention }, io);
  return {
    ...run,
    attention,
    live,
    redactor,
    tree: workTreeOf(settings, run.paths, outputs),
    digests: new Digests(),
    texts: new Map(),
    inbox: new Inbox(run.paths.inbox),
    machine,
    rooms: {
      kind: roomKindFor(settings, run.paths, machine),
      base: null,
      start: null,
      seen: null,
      setUpsDone: new Map(),
      caches: new Map(),
      setUps: [],
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

/** Without what the foreman itself writes there. */
export function workTreeOf(
  settings: Settings,
  { dir }: Pick<RunPaths, "dir">,
  outputs: readonly OutputFile[] = [],
): WorkTree {
  const own = [
    dirname(dir),
    settings.reportPath,
    receiptPathFor(settings.reportPath),
    ...(settings.mode === "orchestrate" ? ownPaths(settings.boardDir) : []),
  ];
  return new WorkTree(settings.cwd, own, outputs);
}

/** For the record: a foreman that resumes the run leaves these files out, too. */
export function outputsOf({ tree }: RunContext): { readonly outputs?: readonly OutputFile[] } {
  return tree.output.length === 0 ? {} : { outputs: tree.output };
}

/** Whoever asked for a sandbox is not left without one. */
export function refuseWithoutSandbox({ sandbox }: Pick<Settings, "sandbox">): void {
  const why = sandbox ? whyNoSandbox(detectContainment().wrap) : null;
  if (why !== null) throw new Failure("sandbox_impossible", { why, problem: sandboxProblem(why) });
}

/** Found by trying; nobody asks where checks are not kept apart. */
function roomKindFor({ room }: Settings, { dir }: RunPaths, { container }: Machine): RoomKind {
  return room && roomWorks(container.wrap, dir) ? "overlay" : "copy";
}

/** What has no effect until it is started: whoever only looks at the run never does. */
function liveAgentOf(
  settings: Settings,
  run: Pick<RunContext, "paths" | "agents" | "machine" | "attention"> & { readonly runId: string },
  io: Io,
): LiveAgent | null {
  if (settings.mode !== "chat" || settings.prompt !== null) return null;
  const { paths, agents, machine, attention, runId } = run;
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
    attention,
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

/** Drives a run to its end or to where it has to wait, and leaves everything in order. */
export async function conduct(context: RunContext, lock: Lock): Promise<number> {
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
    // What is said at the end is said on the person's own screen.
    return finish(context, await drive(context).finally(() => context.live?.close()));
  } finally {
    unlisten();
    close(context, lock);
  }
}

/** The lock goes early: whatever an agent did to the rest must not keep the next process out. */
export function close(context: RunContext, lock: Lock): void {
  // Before the lock goes: the next process makes its rooms in the same places.
  removeRooms(context.paths.dir, basename(context.paths.dir));
  lock.release();
  pauseShow(context);
  context.machine.launcher?.close();
  context.machine.pipes.remove();
  // A foreman that was killed after the first record left it.
  forgetCall(context.paths);
  context.journal.close();
}

/** Writes what an ended run leaves behind, says how it went, and gives the exit code. */
export function finish(context: RunContext, state: RunState): number {
  context.journal.verify();
  // First: where what was kept of the tests is not as it was, no report may say that they passed.
  const receipt = receiptFrom(state, context.journal);
  if (outcomeOf(state)) context.files.leave(state);
  writeReceiptFile(receipt, state);
  leaveTree(state, context);
  if (state.ended) {
    forgetTree(context);
    forgetSetUps(context);
    leaveCaches(context, rootOf(state.settings.cwd));
  }
  const mending = new Map([...context.agents].map(([name, { adapter }]) => [name, adapter]));
  showEnd(context, state, { mending, said: lastWords(state, context) });
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
    // Once the run has a record, a leftover file is harmless.
  }
}
