/** The program's exit code. Only an accepted result is 0. */
export const ExitCode = {
  accepted: 0,
  rejected: 1,
  badInput: 2,
  waitsForPerson: 3,
  limitReached: 4,
  agentUnavailable: 5,
  state: 6,
  bug: 70,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export function exitCodeOfSignal(signal: StopSignal): ExitCode {
  switch (signal) {
    case "SIGINT":
      return ExitCode.interrupted;
    case "SIGTERM":
      return ExitCode.terminated;
    case "SIGHUP":
      return ExitCode.hangup;
  }
}
