import { join } from "node:path";
import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { runCommand } from "../process/run-command.ts";
import { evidenceDir } from "./evidence-dir.ts";
import type { RunContext } from "./ports.ts";
import { withinTime } from "./run-turn.ts";

/** A check in the work tree itself, as the agent left it. */
export async function checkInTree(
  { attempt, phase, index, command }: Decision & { do: "run_check" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const path = join(evidenceDir(state, context), `${phase}-${index}.log`);
  const result = await withinTime(state, context, (watch) =>
    runCommand(
      {
        runId: state.runId,
        command,
        cwd: state.settings.cwd,
        env: state.board?.env.env ?? {},
        timeoutMs: state.settings.testTimeoutMs,
        maxOutputBytes: state.settings.maxOutputBytes,
        redact: context.redactor,
        watch,
        stdoutPath: path,
        stderrPath: path,
      },
      context.machine,
      AbortSignal.any([context.stop.killed, context.attention.called]),
    ),
  );
  // A check that was cut short says nothing about the work: it is run again.
  if (result.interrupted || result.process.end.kind === "over_budget") return null;
  return { type: "check_ended", attempt, phase, index, process: result.process, output: result.stdout };
}
