import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import { readClaim } from "../domain/protocol/claim.ts";
import { StreamScanner } from "../domain/protocol/scanner.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { runCommand } from "../process/run-command.ts";
import type { RunContext } from "./ports.ts";
import { showLive } from "./show.ts";
import { previousFeedback, turnDir } from "./turn-files.ts";

const MAX_PLAN_SCANNED = 1024 * 1024;

/** One turn of the agent: its command runs, its output is kept and scanned for markers as it arrives. */
export async function takeTurn(
  decision: Decision & { do: "take_turn" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const { attempt, turn } = decision;
  const { settings } = state;
  const nonce = settings.nonce ? newNonce() : undefined;
  const options = { instructions: instructions(state), ...(nonce && { nonce: nonce.whole }) };
  const scanners = { stdout: new StreamScanner(options), stderr: new StreamScanner(options) };
  showLive(context, { type: "phase_started", attempt, phase: "agent", command: settings.agentCmd });
  const result = await runCommand(
    {
      runId: state.runId,
      command: settings.agentCmd,
      cwd: settings.cwd,
      env: { ...agentEnvironment(attempt, state, context), ...nonce?.env },
      timeoutMs: settings.agentTimeoutMs,
      maxOutputBytes: settings.maxOutputBytes,
      stdoutPath: join(turnDir(context, turn), "stdout.log"),
      stderrPath: join(turnDir(context, turn), "stderr.log"),
      onOutput: (stream, chunk, epoch) => {
        scanners[stream].push(chunk, epoch);
        showLive(context, { type: "output", stream, chunk });
      },
    },
    context.machine,
    context.stop.killed,
  );
  if (result.interrupted) return { type: "turn_interrupted", attempt, turn };
  return {
    type: "turn_ended",
    attempt,
    turn,
    process: result.process,
    stdout: result.stdout,
    stderr: result.stderr,
    claim: readClaim(scanners.stdout.end(), scanners.stderr.end(), result.turns),
  };
}

function agentEnvironment(attempt: number, state: RunState, context: RunContext): Record<string, string> {
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

/**
 * What the agent was told, so that an echo of it is not taken for its own words. Not its command: a script that prints its
 * markers from a here-document holds them as they come out.
 */
function instructions(state: RunState): string[] {
  const { task, planFile } = state.settings;
  return [task, planText(planFile), previousFeedback(state)];
}

/** The agent may have taken it away; what it cannot read it cannot echo. */
function planText(path: string): string {
  return tryReadPlainFile(path, MAX_PLAN_SCANNED)?.toString("utf8") ?? "";
}

/** Given in two halves that only the agent can join: an echo of prompt or environment never holds the whole. */
function newNonce(): { whole: string; env: Record<string, string> } {
  const [first, second] = [randomBytes(4).toString("hex"), randomBytes(4).toString("hex")];
  return { whole: first + second, env: { GA_NONCE_1: first, GA_NONCE_2: second } };
}
