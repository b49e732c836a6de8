import { randomBytes } from "node:crypto";
import { readText } from "../agents/command.ts";
import { isUnavailable } from "../domain/agent-turn.ts";
import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import { readClaim } from "../domain/protocol/claim.ts";
import { StreamScanner } from "../domain/protocol/scanner.ts";
import type { SuperviseSettings } from "../domain/settings.ts";
import { COMMAND_AGENT, type RunState } from "../domain/state.ts";
import { notStarted } from "../domain/tests/not-started.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import type { CommandResult } from "../process/run-command.ts";
import type { RunContext } from "./ports.ts";
import { previousFeedback } from "./feedback.ts";
import { runTurn } from "./run-turn.ts";
import { inputFiles } from "./sandbox.ts";
import { showLive } from "./show.ts";
import { superviseEnvironment } from "./supervise-assignment.ts";
import { changedInputs } from "./turn-files.ts";

const MAX_PLAN_SCANNED = 1024 * 1024;

/** A turn of the person's own command: its output is kept and scanned for markers as it arrives. */
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
      needs: { agent: null, files: inputFiles(settings) },
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
  const { finalText: _, ...told } = words.end(process.end);
  const ended = { attempt, turn, process, stdout, stderr };
  // An agent that gave its word has worked.
  if (claim.status === null && told.failure && isUnavailable(told.failure.class)) {
    const { failure } = told;
    return { type: "turn_failed", ...ended, agent: { ...told, failure, name: COMMAND_AGENT, message: null } };
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
const MOST_READ = 64 * 1024;

function wordsOf({ stdout, stderr }: CommandResult): string {
  return [stdout, stderr]
    .map(({ path }) => tryReadPlainFile(path, MOST_READ)?.toString("utf8") ?? "")
    .join("\n");
}

/**
 * What the agent was told, so that an echo of it is not taken for its own words. Not its command: a script that prints its
 * markers from a here-document holds them as they come out.
 */
function instructions(state: RunState, { task, planFile }: SuperviseSettings): string[] {
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
