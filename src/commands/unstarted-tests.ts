import { spawnSync } from "node:child_process";
import type { CheckPhase } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { exitCodeOf, type ProcessRecord } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { failureTexts } from "../i18n/failures.ts";
import type { Io } from "./io.ts";

/** The run has its report; the person at the terminal gets the same message as for any bad input. */
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
  // These are not run before the work.
  unit: { flag: "unit_test", key: "unit_test" },
  acceptance: { flag: "acceptance", key: "acceptance" },
};

/** A plain name and its arguments. With anything else the shell may find the program elsewhere, or run another one instead. */
const SIMPLE = /^\s*([\w.+-]+)(?:\s[^|&;<>()`$\n]*)?$/;

/**
 * The program of a test command that this machine does not have; null: it is there, or only the shell can say. A path is not looked at:
 * the work may create that file.
 */
function missingProgram(command: string, { env }: Io): string | null {
  const program = SIMPLE.exec(command)?.[1];
  if (program === undefined) return null;
  // The shell knows its own words as well.
  const { status } = spawnSync("/bin/sh", ["-c", 'command -v -- "$1"', "sh", program], {
    env,
    stdio: "ignore",
  });
  return status === null || status === 0 ? null : program;
}

/** For test commands that are not run before the work begins. */
export function refuseMissingPrograms(commands: readonly string[], phase: CheckPhase, io: Io): void {
  for (const command of commands) {
    const program = missingProgram(command, io);
    if (program !== null)
      throw new Failure("test_cannot_start", { why: "not_found", command, program, ...GIVEN_BY[phase] });
  }
}

/** The message of `test_cannot_start`, for a list of problems. */
export function missingProgramText(command: string, io: Io): string | null {
  const program = missingProgram(command, io);
  if (program === null) return null;
  return failureTexts[io.lang].test_cannot_start({ why: "not_found", command, program }).message;
}
