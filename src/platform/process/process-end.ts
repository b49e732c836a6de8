import {
  about,
  codes,
  count,
  foreign,
  integer,
  list,
  object,
  oneOf,
  ours,
  path,
  sha256,
  type Text,
  type TypeOf,
} from "../../text/shape.ts";

/** Every way a supervised process can end, as a value. The first cause wins: a process that times out and then exits 0 timed out. */
export const processEnd = oneOf("kind", [
  object({ kind: codes(["exited"]), code: integer }),
  object({ kind: codes(["signaled"]), signal: ours() }),
  object({ kind: codes(["timeout"]), afterMs: count }),
  /** No output, no CPU time, no change of the work tree. */
  object({ kind: codes(["stalled"]), afterMs: count }),
  /** The agent reported its end and did not exit, so the foreman ended it. It counts as finished. */
  object({ kind: codes(["finished"]) }),
  object({ kind: codes(["over_budget"]) }),
  object({ kind: codes(["output_cap"]), capBytes: count }),
  object({ kind: codes(["not_started"]), message: foreign() }),
]);
export type ProcessEnd = TypeOf<typeof processEnd>;

/** Processes that outlived the command that started them, so the foreman had to end them. */
export const leaked = about(
  list(object({ pid: count, command: foreign() })),
  "Processes that had to be ended",
);
export type Leaked = TypeOf<typeof leaked>[number];

const recordOf = (command: Text) =>
  object({ command: command(), end: processEnd, durationMs: count, leaked });
/** How a turn's command ran. The command may contain the agent's words and its session id. */
export const turnProcess = recordOf(foreign);
/** How a check ran. The run finds it again by its command. */
export const checkProcess = recordOf(ours);
export type ProcessRecord = TypeOf<typeof checkProcess>;

/** Length and digest are computed while the output arrives, so that a later change of the file shows. */
export const captured = about(
  object({ path, bytes: count, sha256 }),
  "Output kept in a file, with the length and digest counted while it arrived",
);
export type Artifact = TypeOf<typeof captured>;

export function succeeded(end: ProcessEnd): boolean {
  return (end.kind === "exited" && end.code === 0) || end.kind === "finished";
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
  31: "SIGSYS",
};

/** `137 (SIGKILL)`: shells, and the program that contains a process, report a death by signal n as 128 + n. */
export function exitCodeText(code: number, named = (signal: string): string => ` (${signal})`): string {
  const signal = SIGNALS[code - 128];
  return signal === undefined ? `${code}` : `${code}${named(signal)}`;
}

export function exitCodeOf(end: ProcessEnd): number | null {
  return end.kind === "exited" ? end.code : null;
}
