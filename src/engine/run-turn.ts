import { join } from "node:path";
import { remaining } from "../domain/budget.ts";
import type { RunState } from "../domain/state.ts";
import type { Control } from "../process/ending.ts";
import { runCommand, type CommandResult, type CommandSpec } from "../process/run-command.ts";
import type { RunContext } from "./ports.ts";
import { showLive } from "./show.ts";
import { turnDir } from "./turn-files.ts";

type OnOutput = NonNullable<CommandSpec["onOutput"]>;

export interface TurnCommand {
  readonly turn: number;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: NonNullable<CommandSpec["stdin"]>;
  readonly watch?: (control: Control) => void;
}

/** Runs the command of a turn, within the limits of turn and run. */
export async function runTurn(
  { turn, command, env, stdin, watch }: TurnCommand,
  state: RunState,
  context: RunContext,
  onOutput: OnOutput,
): Promise<CommandResult> {
  const { settings } = state;
  const time = timeBudget(state, context);
  try {
    return await runCommand(
      {
        runId: state.runId,
        command,
        cwd: settings.cwd,
        env,
        ...(stdin && { stdin }),
        timeoutMs: settings.agentTimeoutMs,
        stallMs: settings.stallMs,
        maxOutputBytes: settings.maxOutputBytes,
        redact: context.redactor,
        stdoutPath: join(turnDir(context, turn), "stdout.log"),
        stderrPath: join(turnDir(context, turn), "stderr.log"),
        onLife: (sign) => showLive(context, { type: "life", sign }),
        watch: (control) => {
          time.watch(control);
          watch?.(control);
        },
        onOutput: (stream, chunk, epoch) => {
          onOutput(stream, chunk, epoch);
          showLive(context, { type: "output", stream, chunk });
        },
      },
      context.machine,
      context.stop.killed,
    );
  } finally {
    time.stop();
  }
}

/** The largest delay a timer takes. */
const MAX_DELAY = 2 ** 31 - 1;

/** Ends a command when the run's time is used up. */
export function timeBudget(
  state: RunState,
  context: RunContext,
): { readonly watch: (control: Control) => void; readonly stop: () => void } {
  const { timeMs } = remaining(state, context.now().toISOString());
  let timer: NodeJS.Timeout | undefined;
  return {
    watch: (control) => {
      if (timeMs !== null) timer = setTimeout(() => control.overBudget(), Math.min(timeMs, MAX_DELAY));
    },
    stop: () => clearTimeout(timer),
  };
}

export function agentEnvironment(
  attempt: number,
  state: RunState,
  context: RunContext,
): Record<string, string> {
  return {
    GA_TASK: state.settings.task,
    GA_PLAN_FILE: state.settings.planFile,
    GA_LOOP_INDEX: String(attempt),
    GA_MAX_LOOPS: String(state.maxLoops),
    GA_WORKDIR: state.settings.cwd,
    GA_PREV_FEEDBACK_FILE: context.files.feedback,
    GA_RUN_DIR: context.files.runDir,
    GA_ATTEMPT_DIR: context.files.attemptDir(attempt),
  };
}
