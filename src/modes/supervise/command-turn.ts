import { randomBytes } from "node:crypto";
import { readText } from "../../agents/command.ts";
import { isUnavailable } from "../../core/agent-turn.ts";
import type { Decision } from "../../core/decision.ts";
import type { RunEvent } from "../../core/event.ts";
import { readClaim } from "../../core/claim/claim.ts";
import { StreamScanner } from "../../core/claim/scanner.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { COMMAND_AGENT, type RunState } from "../../core/state.ts";
import { notStarted } from "../../evidence/results/not-started.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import type { CommandResult } from "../../platform/process/run-command.ts";
import type { RunContext } from "../../engine/ports.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeSuperviseFeedback } from "./feedback.ts";
import { runTurn } from "../../engine/run-turn.ts";
import { showLive } from "../../engine/show.ts";
import { superviseEnvironment } from "./assignment.ts";
import { changedInputs } from "../../engine/turn-files.ts";

const MAX_PLAN_SCANNED = 1024 * 1024;

/** A turn of the person's own command. Its output is kept, and scanned for markers as it arrives. */
export async function takeCommandTurn(
  decision: Decision & { do: "take_turn" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const { attempt, turn } = decision;
  const { settings } = state;
  if (settings.mode !== "supervise") throw new Error("only supervise takes a command");
  const command = settings.agentCmd ?? "";
  const nonce = settings.nonce ? newNonce() : undefined;
  const options = { instructions: instructions(state, settings), ...(nonce && { nonce: nonce.whole }) };
  const scanners = { stdout: new StreamScanner(options), stderr: new StreamScanner(options) };
  const words = readText(context.now);
  showLive(context, { type: "phase_started", attempt, phase: "agent", command, encoded: false });
  const result = await runTurn(
    {
      turn,
      command,
      env: { ...superviseEnvironment(attempt, state, settings, context), ...nonce?.env },
      needs: { agent: null, files: context.mode.inputFiles(settings) },
    },
    state,
    context,
    (stream, chunk, epoch) => {
      scanners[stream].push(chunk, epoch);
      words.push(stream, chunk);
    },
  );
  if (result.interrupted) return { type: "turn_interrupted", attempt, turn };
  const { process, stdout, stderr } = result;
  const claim = readClaim(scanners.stdout.end(), scanners.stderr.end(), result.turns);
  const { finalText: _, ...record } = words.end(process.end);
  const ended = { attempt, turn, process, stdout, stderr };
  // An agent with a status has worked.
  if (claim.status === null && record.failure && isUnavailable(record.failure.class)) {
    const { failure } = record;
    return {
      type: "turn_failed",
      ...ended,
      agent: { ...record, failure, name: COMMAND_AGENT, message: null },
    };
  }
  const unstarted =
    claim.status === null &&
    notStarted({ command, end: process.end, output: wordsOf(result), report: null, isFile: () => false });
  return {
    type: "turn_ended",
    ...ended,
    claim,
    product: null,
    agent: null,
    changedInputs: changedInputs(state, context),
    ...(unstarted && { notStarted: unstarted }),
  };
}

/** A command that cannot start says so at once. */
const MAX_READ = 64 * 1024;

function wordsOf({ stdout, stderr }: CommandResult): string {
  return [stdout, stderr]
    .map(({ path }) => tryReadPlainFile(path, MAX_READ)?.toString("utf8") ?? "")
    .join("\n");
}

/**
 * The agent's instructions, so that an echo of them is not taken for its own words. Not the command: a script that prints its markers from a
 * here-document contains them in the same form.
 */
function instructions(state: RunState, { task, planFile }: SuperviseSettings): string[] {
  return [task, planText(planFile), previousFeedback(state, writeSuperviseFeedback)];
}

/** The agent may have removed the file. It cannot echo what it cannot read. */
function planText(path: string): string {
  return tryReadPlainFile(path, MAX_PLAN_SCANNED)?.toString("utf8") ?? "";
}

/** Split into two halves that only the agent can join: an echo of prompt or environment never contains the whole. */
function newNonce(): { whole: string; env: Record<string, string> } {
  const [first, second] = [randomBytes(4).toString("hex"), randomBytes(4).toString("hex")];
  return { whole: first + second, env: { GA_NONCE_1: first, GA_NONCE_2: second } };
}
