import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import { Failure, messageOf } from "../failure.ts";
import type { ProcessEnd } from "./process-end.ts";
import type { StreamName } from "./write-turns.ts";
import { spawnPrivately } from "../files/private-fd.ts";
import type { Capture } from "./capture.ts";
import type { Container } from "./containment.ts";
import type { Launcher } from "./launcher.ts";
import { killQuietly, RUN_TAG } from "./leftovers.ts";
import type { PipePool } from "./pipes.ts";
import { openInput, type Input, type Stdin } from "./stdin.ts";

/** The time between TERM and KILL, for a command to clean up. */
const GRACE_MS = 3000;

export interface Machine {
  readonly container: Container;
  readonly pipes: PipePool;
  readonly launcher: Launcher | null;
}

export interface ChildSpec {
  readonly runId: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: empty. */
  readonly stdin?: Stdin;
}

export interface Child {
  /** The pid of a process that is the ancestor of everything in the command, and of its group. */
  readonly pid: number | undefined;
  readonly ended: Promise<ProcessEnd>;
  readonly exited: () => boolean;
  /** Closes its standard input. */
  readonly endInput: () => void;
  readonly terminate: () => void;
  /** Waits, at most for the grace period, for processes that still clean up after the command has ended. */
  readonly groupGone: () => Promise<void>;
  readonly kill: () => void;
}

export function startChild(spec: ChildSpec, machine: Machine, capture: Capture): Child {
  const { pid, ended, endInput } = start(spec, machine, capture);
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
    pid,
    ended: settled,
    exited: () => exited,
    endInput,
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

function start(
  spec: ChildSpec,
  machine: Machine,
  capture: Capture,
): Started & { readonly endInput: () => void } {
  const input = tryOpenInput(spec, machine.pipes, capture);
  if (typeof input === "string") {
    capture.attach(undefined);
    return { ...notStarted(input), endInput: () => undefined };
  }
  const { pid, ended } =
    machine.launcher && capture.paths
      ? launch(spec, machine.launcher, capture, capture.paths, input)
      : spawnDirectly(spec, machine.container, capture, input);
  return { pid, ended: ended.finally(input.close), endInput: input.end };
}

/** Returns the error if it could not be opened. */
function tryOpenInput(
  { stdin = { kind: "none" } }: ChildSpec,
  pipes: PipePool,
  capture: Capture,
): Input | string {
  try {
    return openInput(stdin, pipes);
  } catch (error) {
    if (error instanceof Failure) {
      // An open pipe would keep the program alive after it has reported the error.
      capture.attach(undefined);
      capture.abandon();
      throw error;
    }
    return `standard input: ${messageOf(error)}`;
  }
}

function notStarted(message: string): Started {
  return { pid: undefined, ended: Promise.resolve({ kind: "not_started", message }) };
}

/** The foreman keeps its own ends open until the command is over, because the command opens the pipes in its own time. */
function launch(
  { command, cwd, env }: ChildSpec,
  launcher: Launcher,
  capture: Capture,
  paths: Readonly<Record<StreamName, string>>,
  input: Input,
): Started {
  const { pid, ended } = launcher.start({ command, cwd, env, stdin: input.path, ...paths });
  input.attach(undefined);
  return { pid, ended: ended.finally(() => capture.attach(undefined)) };
}

function spawnDirectly(spec: ChildSpec, container: Container, capture: Capture, input: Input): Started {
  const { file, args } = container.wrap(spec.command);
  try {
    const child = spawnPrivately(file, args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env, [RUN_TAG]: spec.runId },
      stdio: [input.stdio, ...capture.stdio, ...(container.asksForeman ? (["pipe"] as const) : [])],
      // Its own session: the foreman handles Ctrl-C at the terminal, and can signal the group as one.
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: true,
    });
    (child.stdio[3] as Readable | null)?.on("error", () => undefined).resume();
    capture.attach(child);
    input.attach(child);
    const ended = new Promise<ProcessEnd>((resolve) => {
      child.once("error", (error) => resolve({ kind: "not_started", message: error.message }));
      child.once("exit", (code, signal) =>
        resolve(signal === null ? { kind: "exited", code: code ?? -1 } : { kind: "signaled", signal }),
      );
    });
    return { pid: child.pid, ended };
  } catch (error) {
    // Node throws some errors, such as too long an argument list, instead of reporting them.
    capture.attach(undefined);
    input.attach(undefined);
    return notStarted(messageOf(error));
  }
}

function groupExists(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  else killQuietly(-pid, signal);
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
