import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "../failure.ts";
import type { ProcessEnd } from "../process/process-end.ts";
import { spawnPrivately } from "../files/private-fd.ts";
import type { Pty } from "./pty.ts";
import type { TerminalRequest } from "./terminal.ts";

/** The time between TERM and KILL, for an agent to clean up. */
const GRACE_MS = 3000;

/**
 * The first process of the containment. In a namespace its process group is one of the world outside (0), with which a shell's job
 * control cannot work, so it gets a new session. Elsewhere it leads the session it was started in.
 */
const LEAD = `read -r _ _ _ _ group _ </proc/$$/stat
[ "$group" = 0 ] && exec setsid "$@"
exec "$@"`;

/** A session without a terminal gets the first one it opens. */
const TAKE_TERMINAL = `exec <>"$1" >&0 2>&0; shift; exec "$@"`;

/**
 * Runs the agent as a shell runs a job, so that it can be suspended. Only a process in its session but not in its group makes
 * the kernel stop it, notices the stop, and can return it to the foreground. Prints remaining jobs and the last status, and waits for
 * orders. Its messages ("Stopped", "Killed") are discarded. While it waits, a redirection of the agent's would also apply to the shell
 * itself, so a shell in between restores the agent's own descriptors.
 */
const INIT = `exec 5>&2 2>/dev/null
trap : TERM HUP
/bin/sh -c 'exec "$@" 2>&5 3>&- 4>&- 5>&-' sh "$@"
while code=$?; jobs >&3; echo "$code" >&3; read -r order <&4 && [ "$order" = fg ]; do fg >/dev/null; done
exit "$code"`;

/** A shell's statuses for "not executable" and "not found". After a signal, the status is 128 plus the signal's number. */
const CANNOT_RUN = new Set([126, 127]);

/** The agent's process in a pty. */
export class Job {
  readonly #pid: number | undefined;
  /** Everything in its containment is gone. */
  readonly ended: Promise<ProcessEnd>;
  readonly #device: number;
  readonly #orders: Writable | null = null;
  readonly #onStopped: () => void;
  #news = "";
  #code: number | undefined;
  #over = false;
  #killed = false;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(request: TerminalRequest, pty: Pty, onStopped: () => void) {
    this.#device = pty.device;
    this.#onStopped = onStopped;
    const child = start(request, pty);
    if (typeof child === "string") {
      this.ended = Promise.resolve({ kind: "not_started", message: child });
      return;
    }
    this.#pid = child.pid;
    this.#orders = child.stdio[4] as Writable | null;
    this.#orders?.on("error", () => undefined);
    const news = child.stdio[3] as Readable | null;
    news?.on("data", (chunk: Buffer) => this.#hear(chunk.toString("latin1"))).on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      child.once("error", ({ message }) => resolve({ kind: "not_started", message }));
      child.once("close", (code, signal) => resolve(this.#end(code, signal, request.words)));
    });
  }

  /** Continues it after a stop. */
  goOn(): void {
    this.#orders?.write("fg\n");
  }

  /** TERM; after a while, KILL. */
  terminate(): void {
    if (this.#over || this.#killTimer !== undefined) return;
    this.#signal("SIGTERM");
    this.#killTimer = setTimeout(() => this.kill(), GRACE_MS);
  }

  kill(): void {
    if (this.#over) return;
    this.#killed = true;
    this.#signal("SIGKILL");
    if (this.#pid !== undefined) signalGroup(this.#pid, "SIGKILL");
  }

  /** Signals every group with this terminal: the agent and the programs it runs there. */
  #signal(name: NodeJS.Signals): void {
    for (const { group } of groupsWithTerminal(this.#device)) signalGroup(group, name);
  }

  /** For best-effort containment. Must run before the session's leader is gone, because then no process has the terminal any more. */
  #endLeftBehind(): void {
    for (const { group, session } of groupsWithTerminal(this.#device))
      if (group !== session) signalGroup(group, "SIGKILL");
  }

  #hear(text: string): void {
    // The first line is empty: the containment checks that the foreman is alive.
    this.#news = (this.#news + text).trimStart();
    const report = /^((?:.*\n)*?)(\d+)\n$/.exec(this.#news);
    if (report === null) return;
    this.#news = "";
    if (report[1] !== "") return this.#onStopped();
    this.#code = Number(report[2]);
    this.#endLeftBehind();
    this.#orders?.end();
  }

  #end(code: number | null, signal: string | null, [program = ""]: readonly string[]): ProcessEnd {
    this.#over = true;
    clearTimeout(this.#killTimer);
    // Of processes that are killed together, any may be the last and report the end of the others in its own way.
    if (this.#code === undefined && this.#killed) return { kind: "signaled", signal: "SIGKILL" };
    if (this.#code === undefined && signal !== null) return { kind: "signaled", signal };
    const status = this.#code ?? code ?? -1;
    if (CANNOT_RUN.has(status))
      return { kind: "not_started", message: `${program}: cannot be run (${status})` };
    const [killer] = Object.entries(constants.signals).find(([, number]) => status === 128 + number) ?? [];
    return killer === undefined ? { kind: "exited", code: status } : { kind: "signaled", signal: killer };
  }
}

/** Returns the error if it could not be started. */
function start({ words, contain, cwd, env }: TerminalRequest, pty: Pty): ChildProcess | string {
  const shell = ["/bin/sh", "-m", "-c", INIT, "sh", ...words];
  const { file, args } = contain(LEAD, ["/bin/sh", "-c", TAKE_TERMINAL, "sh", pty.name, ...shell]);
  try {
    return spawnPrivately(file, args, {
      cwd,
      env,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      // A new session, which has no terminal yet.
      detached: true,
    });
  } catch (error) {
    // Node throws some errors, such as too long an argument list, instead of reporting them.
    return messageOf(error);
  }
}

interface Group {
  readonly group: number;
  readonly session: number;
}

/** Process groups with the device as controlling terminal. Linux only; elsewhere they get the hang-up. */
function groupsWithTerminal(device: number): readonly Group[] {
  if (process.platform !== "linux") return [];
  const groups = new Map<number, Group>();
  for (const pid of fs.readdirSync("/proc")) {
    const [, , group = 0, session = 0, terminal] = /^\d+$/.test(pid) ? statOf(pid) : [];
    // A group of 0 or 1 would be us or all processes.
    if (terminal === device && group > 1) groups.set(group, { group, session });
  }
  return [...groups.values()];
}

/** State, parent, group, session, terminal and more. */
function statOf(pid: string): number[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before it may contain anything.
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
  } catch {
    return [];
  }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // Gone meanwhile.
  }
}
