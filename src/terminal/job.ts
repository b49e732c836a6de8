import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "../domain/failure.ts";
import type { ProcessEnd } from "../domain/process-end.ts";
import { spawnPrivately } from "../files/private-fd.ts";
import type { Pty } from "./pty.ts";
import type { TerminalRequest } from "./terminal.ts";

/** After TERM, how long an agent may tidy up before KILL. */
const GRACE_MS = 3000;

/**
 * The first process of the containment. In a namespace it is in a process group of the world outside (0), with which a shell's job
 * control cannot work: it gets a session of its own. Elsewhere it leads the session it was started in.
 */
const LEAD = `read -r _ _ _ _ group _ </proc/$$/stat
[ "$group" = 0 ] && exec setsid "$@"
exec "$@"`;

/** A session that has no terminal gets the first one it opens. */
const TAKE_TERMINAL = `exec <>"$1" >&0 2>&0; shift; exec "$@"`;

/**
 * Runs the agent as a shell runs a job, so that it can be suspended: only somebody in its session who is not in its process
 * group makes the kernel stop it, hears that it was stopped, and can bring it to the foreground again. Tells jobs that are
 * left, if any, and the last status, and awaits what to do. Its own words ("Stopped", "Killed") go nowhere: a redirection of the
 * agent's would be one of the shell's too while it waits, so that the agent's own descriptors are put right by a shell in between.
 */
const INIT = `exec 5>&2 2>/dev/null
trap : TERM HUP
/bin/sh -c 'exec "$@" 2>&5 3>&- 4>&- 5>&-' sh "$@"
while code=$?; jobs >&3; echo "$code" >&3; read -r order <&4 && [ "$order" = fg ]; do fg >/dev/null; done
exit "$code"`;

/** Not executable, not found: a shell's statuses. Of a job that a signal ended, the status is 128 and the signal's number. */
const CANNOT_RUN = new Set([126, 127]);

/** The agent's process in a pty. */
export class Job {
  readonly pid: number | undefined;
  /** All in its containment is gone. */
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
    this.pid = child.pid;
    this.#orders = child.stdio[4] as Writable | null;
    this.#orders?.on("error", () => undefined);
    const news = child.stdio[3] as Readable | null;
    news?.on("data", (chunk: Buffer) => this.#hear(chunk.toString("latin1"))).on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      child.once("error", ({ message }) => resolve({ kind: "not_started", message }));
      child.once("close", (code, signal) => resolve(this.#end(code, signal, request.words)));
    });
  }

  /** After it was stopped. */
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
    if (this.pid !== undefined) signalGroup(this.pid, "SIGKILL");
  }

  /** Whoever has this terminal: the agent and what it runs in it. */
  #signal(name: NodeJS.Signals): void {
    for (const { group } of groupsWithTerminal(this.#device)) signalGroup(group, name);
  }

  /** Where containment is best effort; later, when the session's leader is gone, nobody has the terminal any more. */
  #endLeftBehind(): void {
    for (const { group, session } of groupsWithTerminal(this.#device))
      if (group !== session) signalGroup(group, "SIGKILL");
  }

  #hear(text: string): void {
    // The first line is empty: the containment asks whether the foreman is there.
    this.#news = (this.#news + text).trimStart();
    const told = /^((?:.*\n)*?)(\d+)\n$/.exec(this.#news);
    if (told === null) return;
    this.#news = "";
    if (told[1] !== "") return this.#onStopped();
    this.#code = Number(told[2]);
    this.#endLeftBehind();
    this.#orders?.end();
  }

  #end(code: number | null, signal: string | null, [program = ""]: readonly string[]): ProcessEnd {
    this.#over = true;
    clearTimeout(this.#killTimer);
    // Of those that are killed together, any may be the last, and tell whatever it makes of the end of the others.
    if (this.#code === undefined && this.#killed) return { kind: "signaled", signal: "SIGKILL" };
    if (this.#code === undefined && signal !== null) return { kind: "signaled", signal };
    const status = this.#code ?? code ?? -1;
    if (CANNOT_RUN.has(status))
      return { kind: "not_started", message: `${program}: cannot be run (${status})` };
    const [killer] = Object.entries(constants.signals).find(([, number]) => status === 128 + number) ?? [];
    return killer === undefined ? { kind: "exited", code: status } : { kind: "signaled", signal: killer };
  }
}

/** What was wrong, if it could not be started. */
function start({ words, contain, cwd, env }: TerminalRequest, pty: Pty): ChildProcess | string {
  const shell = ["/bin/sh", "-m", "-c", INIT, "sh", ...words];
  const { file, args } = contain(LEAD, ["/bin/sh", "-c", TAKE_TERMINAL, "sh", pty.name, ...shell]);
  try {
    return spawnPrivately(file, args, {
      cwd,
      env,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      // A session of its own, which has no terminal yet.
      detached: true,
    });
  } catch (error) {
    // Too long an argument list, for one, is thrown rather than reported.
    return messageOf(error);
  }
}

interface Group {
  readonly group: number;
  readonly session: number;
}

/** Process groups in which somebody has the device as controlling terminal. Only Linux tells; elsewhere they hear the hang-up. */
function groupsWithTerminal(device: number): readonly Group[] {
  if (process.platform !== "linux") return [];
  const groups = new Map<number, Group>();
  for (const pid of fs.readdirSync("/proc")) {
    const [, , group = 0, session = 0, terminal] = /^\d+$/.test(pid) ? statOf(pid) : [];
    // A group of 0 or 1 would be us or everybody.
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
