/** Every way a supervised process can end, as a value. The first cause wins: a timed-out process that then exits 0 timed out. */
export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signaled"; readonly signal: string }
  | { readonly kind: "timeout"; readonly afterMs: number }
  /** No output, no CPU time, no change of the work tree. */
  | { readonly kind: "stalled"; readonly afterMs: number }
  /** The agent had said its last word and did not exit: it was ended, and counts as finished. */
  | { readonly kind: "finished" }
  | { readonly kind: "over_budget" }
  | { readonly kind: "output_cap"; readonly capBytes: number }
  | { readonly kind: "not_started"; readonly message: string };

/** A process the foreman had to end because it outlived the command that started it. */
export interface Leaked {
  readonly pid: number;
  readonly command: string;
}

/** How a command ran: what is known about it besides its output. */
export interface ProcessRecord {
  readonly command: string;
  readonly end: ProcessEnd;
  readonly durationMs: number;
  readonly leaked: readonly Leaked[];
}

/** Output kept in a file. Length and digest are counted while it arrives, so that a later change of the file shows. */
export interface Captured {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

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

/** `137 (SIGKILL)`: shells, and what contains a process, report a death by signal n as 128 + n. */
export function exitCodeText(code: number, named = (signal: string): string => ` (${signal})`): string {
  const signal = SIGNALS[code - 128];
  return signal === undefined ? `${code}` : `${code}${named(signal)}`;
}

export function exitCodeOf(end: ProcessEnd): number | null {
  return end.kind === "exited" ? end.code : null;
}
