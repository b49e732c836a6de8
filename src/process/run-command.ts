import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { isBestEffort } from "../domain/event.ts";
import { messageOf } from "../domain/failure.ts";
import type { Captured, Leaked, ProcessEnd, ProcessRecord } from "../domain/process-end.ts";
import type { StreamName, WriteTurns } from "../domain/protocol/write-turns.ts";
import { openCapture, type Capture } from "./capture.ts";
import type { Container } from "./containment.ts";
import { endTagged, killQuietly, RUN_TAG } from "./leftovers.ts";
import type { Launcher } from "./launcher.ts";
import type { PipePool } from "./pipes.ts";
import { Transcript } from "./transcript.ts";

/** After TERM, how long a command may tidy up before KILL. */
const GRACE_MS = 3000;
/** How long output may still arrive after the command and all its processes are gone. */
const DRAIN_MS = 1000;

export interface CommandSpec {
  readonly runId: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** 0: none. */
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** The same path twice: both streams go into one file, in arrival order. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Chunks of different epochs arrived in that order; within one, `CommandResult.turns` tells what is known. */
  readonly onOutput?: (stream: StreamName, chunk: Buffer, epoch: number) => void;
}

export interface CommandResult {
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly turns: (epoch: number) => WriteTurns | undefined;
  /** Ended by the abort signal: how the command would have ended is not known. */
  readonly interrupted: boolean;
}

export interface Machine {
  readonly container: Container;
  readonly pipes: PipePool;
  readonly launcher: Launcher | null;
}

/** Runs a shell command, contained, and settles when it and everything it started are gone. */
export async function runCommand(
  spec: CommandSpec,
  machine: Machine,
  abort: AbortSignal,
): Promise<CommandResult> {
  const merged = spec.stdoutPath === spec.stderrPath;
  const stdout = new Transcript(spec.stdoutPath);
  const stderr = merged ? stdout : new Transcript(spec.stderrPath);
  const bestEffort = isBestEffort(machine.container.level);
  const startedAt = performance.now();
  let firstCause: ProcessEnd | "interrupted" | undefined;
  let captureError: Error | undefined;
  let total = 0;

  const stop = (cause: ProcessEnd | "interrupted"): void => {
    if (firstCause !== undefined || child.exited()) return;
    firstCause = cause;
    child.terminate();
  };
  const onChunk = (stream: StreamName, chunk: Buffer): void => {
    const room = spec.maxOutputBytes - total;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    total += kept.length;
    const epoch = capture.order.arrived();
    if (kept.length > 0) {
      (stream === "stdout" ? stdout : stderr).write(kept);
      spec.onOutput?.(stream, kept, epoch);
    }
    if (chunk.length > room) stop({ kind: "output_cap", capBytes: spec.maxOutputBytes });
  };
  const capture = openCapture(machine.pipes, merged, onChunk, (error) => {
    captureError ??= error;
    child.kill();
  });
  const child = startChild(spec, machine, capture);

  const timer = timeoutTimer(spec.timeoutMs, () => stop({ kind: "timeout", afterMs: spec.timeoutMs }));
  const onAbort = (): void => stop("interrupted");
  if (abort.aborted) onAbort();
  abort.addEventListener("abort", onAbort);

  const ownEnd = await child.ended;
  const durationMs = Math.round(performance.now() - startedAt);
  clearTimeout(timer);
  abort.removeEventListener("abort", onAbort);
  if (bestEffort && firstCause !== undefined) await child.groupGone();
  const leaked = bestEffort ? endLeftovers(spec.runId, child) : [];
  await Promise.race([capture.ended, delay(DRAIN_MS)]);
  await notificationsSettled();
  capture.abandon();

  const keptOut = await stdout.close();
  const keptErr = merged ? keptOut : await stderr.close();
  if (captureError) throw captureError;
  const interrupted = firstCause === "interrupted";
  const end = firstCause === undefined || firstCause === "interrupted" ? ownEnd : firstCause;
  return {
    process: { command: spec.command, end, durationMs, leaked },
    stdout: keptOut,
    stderr: keptErr,
    turns: (epoch) => capture.order.turns(epoch),
    interrupted,
  };
}

interface Child {
  readonly ended: Promise<ProcessEnd>;
  readonly exited: () => boolean;
  readonly terminate: () => void;
  /** Waits, no longer than the grace, for what is still tidying up after the command itself has ended. */
  readonly groupGone: () => Promise<void>;
  readonly kill: () => void;
}

function startChild(spec: CommandSpec, machine: Machine, capture: Capture): Child {
  const { pid, ended } =
    machine.launcher && capture.paths
      ? launch(spec, machine.launcher, capture, capture.paths)
      : spawnDirectly(spec, machine.container, capture);
  let exited = false;
  let killTimer: NodeJS.Timeout | undefined;
  const settled = ended.then((end) => {
    exited = true;
    clearTimeout(killTimer);
    return end;
  });
  const signal = (name: NodeJS.Signals): void => {
    if (pid !== undefined) signalTree(pid, name);
  };
  return {
    ended: settled,
    exited: () => exited,
    kill: () => signal("SIGKILL"),
    terminate: () => {
      signal("SIGTERM");
      killTimer = setTimeout(() => signal("SIGKILL"), GRACE_MS);
    },
    groupGone: async () => {
      const until = performance.now() + GRACE_MS;
      if (pid === undefined) return;
      while (groupExists(pid) && performance.now() < until) await delay(50);
    },
  };
}

interface Started {
  readonly pid: number | undefined;
  readonly ended: Promise<ProcessEnd>;
}

/** The foreman's own ends stay open until the command is over, for it opens the pipes in its own time. */
function launch(
  { command, cwd, env }: CommandSpec,
  launcher: Launcher,
  capture: Capture,
  paths: Readonly<Record<StreamName, string>>,
): Started {
  const { pid, ended } = launcher.start({ command, cwd, env, ...paths });
  return { pid, ended: ended.finally(() => capture.attach(undefined)) };
}

function spawnDirectly(spec: CommandSpec, container: Container, capture: Capture): Started {
  const { file, args } = container.wrap(spec.command);
  try {
    const child = spawn(file, args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env, [RUN_TAG]: spec.runId },
      stdio: ["ignore", ...capture.stdio],
      // A session of its own: a Ctrl-C at the terminal is the foreman's to handle, and the group can be signalled as one.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: true,
    });
    capture.attach(child);
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once("error", (error) => resolve({ kind: "not_started", message: error.message }));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? { kind: "exited", code: code ?? -1 } : { kind: "signaled", signal }),
      );
    });
    return { pid: child.pid, ended };
  } catch (error) {
    // Too long an argument list, for one, is thrown rather than reported.
    capture.attach(undefined);
    return { pid: undefined, ended: Promise.resolve({ kind: "not_started", message: messageOf(error) }) };
  }
}

function groupExists(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Where containment is best effort: what carries the run's tag, wherever it went, then the rest of the process group. */
function endLeftovers(runId: string, child: Child): readonly Leaked[] {
  const leaked = endTagged(runId);
  child.kill();
  return leaked;
}

function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  else killQuietly(-pid, signal);
}

/** A supervisor that was itself paused sees its timer before it sees that the child had long ended: look once more. */
function timeoutTimer(timeoutMs: number, onTimeout: () => void): NodeJS.Timeout | undefined {
  if (timeoutMs === 0) return undefined;
  return setTimeout(() => void notificationsSettled().then(onTimeout), timeoutMs);
}

/** Two turns of the event loop: whatever the kernel had to say by now has been heard. */
async function notificationsSettled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
