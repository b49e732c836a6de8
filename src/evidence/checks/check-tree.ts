import { join } from "node:path";
import type { Decision } from "../../core/decision.ts";
import type { CheckEnded } from "../../core/event.ts";
import type { RunState } from "../../core/state.ts";
import { runCommand } from "../../platform/process/run-command.ts";
import { evidenceDir } from "./evidence-dir.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import { withinTime } from "../../core/within-time.ts";

/** Runs a check in the work tree itself, as the agent left it. */
export async function checkInTree(
  { attempt, phase, index, command }: Decision & { do: "run_check" },
  state: RunState,
  context: EvidenceContext,
): Promise<CheckEnded | null> {
  const path = join(evidenceDir(state, context), `${phase}-${index}.log`);
  const result = await withinTime(state, context.now, (watch) =>
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
      AbortSignal.any([context.stop.killed, context.interrupt.requested]),
    ),
  );
  // An interrupted check says nothing about the work, so it runs again.
  if (result.interrupted || result.process.end.kind === "over_budget") return null;
  return { type: "check_ended", attempt, phase, index, process: result.process, output: result.stdout };
}
