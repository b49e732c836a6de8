import { join } from "node:path";
import type { RunState } from "../core/state.ts";
import type { Control } from "../platform/process/ending.ts";
import { runCommand, type CommandResult, type CommandSpec } from "../platform/process/run-command.ts";
import { withHeartbeat } from "./heartbeat.ts";
import type { RunContext } from "./ports.ts";
import { commandToRun, type TurnNeeds } from "./sandbox.ts";
import { showLive } from "./show.ts";
import { turnDir } from "./turn-files.ts";
import { withinTime } from "../core/within-time.ts";

type OnOutput = NonNullable<CommandSpec["onOutput"]>;

export interface TurnCommand {
  readonly turn: number;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: NonNullable<CommandSpec["stdin"]>;
  readonly watch?: (control: Control) => void;
  readonly needs: TurnNeeds;
}

/** Runs the command of a turn, within the limits of turn and run. */
export async function runTurn(
  { turn, command: words, env, stdin, watch, needs }: TurnCommand,
  state: RunState,
  context: RunContext,
  onOutput: OnOutput,
): Promise<CommandResult> {
  const { settings } = state;
  const command = commandToRun(words, needs, state, context);
  const run = (watchTime: (control: Control) => void): Promise<CommandResult> =>
    runCommand(
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
          watchTime(control);
          watch?.(control);
        },
        onOutput: (stream, chunk, epoch) => {
          onOutput(stream, chunk, epoch);
          showLive(context, { type: "output", stream, chunk });
        },
      },
      context.machine,
      AbortSignal.any([context.stop.killed, context.interrupt.requested]),
    );
  const result = await withHeartbeat(turn, context, () => withinTime(state, context.now, run));
  return { ...result, process: { ...result.process, command: words } };
}
