import { spawnSync } from "node:child_process";
import type { CheckPhase } from "../core/event.ts";
import { Failure } from "../platform/failure.ts";
import { exitCodeOf, type ProcessRecord } from "../platform/process/process-end.ts";
import type { RunState } from "../core/state.ts";
import { failureText } from "./words/failures.ts";
import type { Io } from "./io.ts";

/** The run has its report; the terminal shows the usual message for bad input. */
export function refuseUnstarted({ ended, base, attempts, settings }: RunState): void {
  const turn = attempts[0]?.turn;
  if (ended?.reason === "agent_cannot_start" && turn?.notStarted)
    throw new Failure("agent_cannot_start", { ...turn.notStarted, ...commandAndExit(turn.process) });
  const check = base?.checks.find(({ notStarted }) => notStarted);
  if (!check?.notStarted) return;
  if (ended?.reason === "setup_failed")
    throw new Failure("setup_failed", {
      ...check.notStarted,
      ...commandAndExit(check.process),
      command: settings.room?.setup ?? "",
    });
  if (ended?.reason !== "test_cannot_start") return;
  throw new Failure("test_cannot_start", {
    ...check.notStarted,
    ...commandAndExit(check.process),
    ...GIVEN_BY[check.phase],
  });
}

function commandAndExit({ command, end }: ProcessRecord): { command: string; exit: string } {
  return { command, exit: String(exitCodeOf(end)) };
}

const GIVEN_BY: Readonly<Record<CheckPhase, { readonly flag: string; readonly key: string }>> = {
  fast: { flag: "--test-fast", key: "tests.fast" },
  full: { flag: "--test-full", key: "tests.full" },
  check: { flag: "--check", key: "chat.checks" },
  // Unit tests do not run before the work.
  unit: { flag: "unit_test", key: "unit_test" },
  acceptance: { flag: "acceptance", key: "acceptance" },
};

/** A plain name and its arguments. For anything else the shell may find the program elsewhere or run another one. */
const SIMPLE = /^\s*([\w.+-]+)(?:\s[^|&;<>()`$\n]*)?$/;

/** The missing program of a test command; null: it exists, or only the shell knows. Paths are not checked, because the work may create the file. */
function missingProgram(command: string, { env }: Io): string | null {
  const program = SIMPLE.exec(command)?.[1];
  if (program === undefined) return null;
  // The shell also knows builtins.
  const { status } = spawnSync("/bin/sh", ["-c", 'command -v -- "$1"', "sh", program], {
    env,
    stdio: "ignore",
  });
  return status === null || status === 0 ? null : program;
}

/** For test commands that do not run before the work. */
export function refuseMissingPrograms(commands: readonly string[], phase: CheckPhase, io: Io): void {
  for (const command of commands) {
    const program = missingProgram(command, io);
    if (program !== null)
      throw new Failure("test_cannot_start", { why: "not_found", command, program, ...GIVEN_BY[phase] });
  }
}

/** The message of `test_cannot_start` as one entry of a list. */
export function missingProgramText(command: string, io: Io): string | null {
  const program = missingProgram(command, io);
  if (program === null) return null;
  const about = { why: "not_found", command, program };
  return failureText({ code: "test_cannot_start", about }, io.lang).message;
}
