import fs from "node:fs";
import { join } from "node:path";
import { leastTools, type TurnReader, type TurnRequest } from "../agents/adapter.ts";
import { isOfTheService } from "../agents/classify.ts";
import { isUnavailable, soundUsage, totalTokens, type TurnFailure, type Usage } from "../core/agent-turn.ts";
import type { Price } from "../core/agent-profile.ts";
import { remaining } from "../core/budget.ts";
import type { Decision } from "../core/decision.ts";
import type { RunEvent } from "../core/event.ts";
import type { Artifact } from "../platform/process/process-end.ts";
import { sessionKey, type AgentSession, type RunState } from "../core/state.ts";
import type { Control } from "../platform/process/ending.ts";
import type { Stdin } from "../platform/process/stdin.ts";
import { shellWord } from "../text/shell-quote.ts";
import type { Assignment } from "./assignment.ts";
import { writeArtifact } from "../platform/files/artifact.ts";
import type { ReadyAgent, RunContext } from "./ports.ts";
import { runTurn } from "./run-turn.ts";
import { showLive } from "./show.ts";
import { changedInputs, turnDir } from "./turn-files.ts";

const NO_USAGE: Usage = { input: 0, cached: 0, output: 0, costUsd: 0 };

/** Runs a turn of a named agent: sends the prompt through its standard input and reads the result from its stream. */
export async function takeAgentTurn(
  decision: Decision & { do: "take_turn" },
  name: string,
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const { attempt, turn } = decision;
  const agent = context.agents.get(name);
  if (!agent) throw new Error(`agent ${name} is not ready`);
  const assignment = context.mode.assignment(attempt, state, state.settings, context);
  const { prompt } = assignment;
  const promptFile = writeArtifact(join(turnDir(context, turn), "prompt.md"), prompt);
  const input = new AgentInput();
  const request = requestFor(agent, assignment, turn, state, context);
  const reader = agent.adapter.read({
    cwd: state.settings.cwd,
    now: context.now,
    // If a turn broke off before it reported its usage, the next turn of the session includes it.
    before: usedBefore(name, request, state),
    prompt,
    request,
    send: input.send,
    changed: () => watch.look(),
  });
  const watch = new Watch(reader, state, agent.profile.price, context);
  const { words, env, files = {} } = agent.adapter.command(request);
  const inputs = [promptFile, ...Object.entries(files).map(([path, text]) => writeArtifact(path, text))];
  const stamps = inputs.map(stampOf);
  const command = words.map((word) => shellWord(word)).join(" ");
  const phase = PHASES[state.openTurn?.role ?? "worker"];
  showLive(context, { type: "phase_started", attempt, phase, command, encoded: true });
  const result = await runTurn(
    {
      turn,
      command,
      env: { ...assignment.env, ...env },
      stdin:
        agent.adapter.stdin === "prompt"
          ? { kind: "file", path: promptFile.path }
          : { kind: "conversation", onOpen: input.open },
      watch: watch.begin,
      needs: { agent, files: [...Object.keys(files), ...context.mode.inputFiles(state.settings)] },
    },
    state,
    context,
    (stream, chunk) => {
      reader.push(stream, chunk);
      watch.look();
    },
  );
  if (result.interrupted) return { type: "turn_interrupted", attempt, turn };

  const { process, stdout, stderr } = result;
  const { finalText, ...summary } = reader.end(process.end);
  // Use the stored, redacted text from here on, so that everything judged can be read again.
  const said = context.redactor.text(finalText);
  const message = writeArtifact(join(turnDir(context, turn), "message.md"), said);
  const failure = classifiedFailure(summary.failure, request, assignment.answers(said));
  const sound = summary.usage && soundUsage(summary.usage);
  const usage = sound && priced(sound, agent.profile.price);
  const sessionTotals = summary.sessionTotals && soundUsage(summary.sessionTotals);
  const record = { ...summary, name, usage, sessionTotals, message };
  const ended = { attempt, turn, process, stdout, stderr };
  if (failure && isUnavailable(failure.class))
    return { type: "turn_failed", ...ended, agent: { ...record, failure } };
  return assignment.conclude(
    said,
    { ...ended, agent: { ...record, failure }, changedInputs: changedInputs(state, context) },
    request.tools,
    inputs.some((file, index) => stampOf(file) !== stamps[index]),
  );
}

/** A changed and restored file has a new change time, which no program can set back. */
function stampOf(file: Artifact): string {
  const there = fs.lstatSync(file.path, { throwIfNoEntry: false, bigint: true });
  return there === undefined ? "" : `${there.ino} ${there.ctimeNs} ${there.size}`;
}

const PHASES = { worker: "agent", reviewer: "review", main: "main" } as const;

/** A conversation in a terminal reports no usage. */
function usedBefore(name: string, { session }: TurnRequest, state: RunState): Usage | null {
  switch (session.kind) {
    case "start":
      return null;
    case "resume":
      return sessionOf(name, state)?.totals ?? NO_USAGE;
    case "fork":
      return state.sessions[sessionKey("worker", name)]?.totals ?? null;
  }
}

function sessionOf(name: string, { openTurn, sessions }: RunState): AgentSession | undefined {
  return sessions[sessionKey(openTurn?.role ?? "worker", name)];
}

function requestFor(
  { options, adapter }: ReadyAgent,
  assignment: Assignment,
  turn: number,
  state: RunState,
  context: RunContext,
): TurnRequest {
  const { resumes = null, role } = state.openTurn ?? {};
  const forks = context.mode.forksReview && role === "reviewer";
  return {
    options,
    session: resumes === null ? { kind: "start" } : { kind: forks ? "fork" : "resume", id: resumes },
    system: assignment.system ?? null,
    tools: leastTools(assignment.tools, adapter.can.tools),
    cwd: state.settings.cwd,
    dir: turnDir(context, turn),
    maxCostUsd: remaining(state, context.now().toISOString()).costUsd,
  };
}

/**
 * A session that is never resumed cannot be lost. Retrying such a failure for free could go on forever. An agent that declared its result has
 * worked, whatever its service reported beside it.
 */
function classifiedFailure(
  failure: TurnFailure | null,
  { session }: TurnRequest,
  answered: boolean,
): TurnFailure | null {
  if (failure && isOfTheService(failure.class) && answered) return null;
  const lost = failure?.class === "session_lost" && session.kind === "start";
  return lost ? { ...failure, class: "crashed" } : failure;
}

function priced(usage: Usage, price: Price | null): Usage {
  if (usage.costUsd !== null || price === null) return usage;
  const dollars = usage.input * price.input + usage.cached * price.cached + usage.output * price.output;
  return { ...usage, costUsd: dollars / 1_000_000 };
}

/** Queues messages until the agent's standard input is open. */
class AgentInput {
  #waiting: string[] = [];
  #send: ((text: string) => void) | undefined;

  readonly send = (text: string): void => {
    if (this.#send) this.#send(text);
    else this.#waiting.push(text);
  };

  readonly open: Extract<Stdin, { kind: "conversation" }>["onOpen"] = (send) => {
    this.#send = send;
    for (const text of this.#waiting) send(text);
    this.#waiting = [];
  };
}

/** Watches the reader's progress: the end of the turn, the budget, and what to show. */
class Watch {
  readonly #reader: TurnReader;
  readonly #price: Price | null;
  readonly #left: { readonly costUsd: number | null; readonly tokens: number | null };
  readonly #context: RunContext;
  #control: Control | undefined;
  #activity: string | null = null;

  constructor(reader: TurnReader, state: RunState, price: Price | null, context: RunContext) {
    this.#reader = reader;
    this.#price = price;
    this.#left = remaining(state, context.now().toISOString());
    this.#context = context;
  }

  readonly begin = (control: Control): void => {
    this.#control = control;
  };

  look(): void {
    if (this.#reader.finished()) this.#control?.finish();
    else {
      this.#control?.goesOn();
      if (this.#overBudget()) this.#control?.overBudget();
    }
    const activity = this.#reader.activity();
    if (activity === this.#activity || activity === null) return;
    this.#activity = activity;
    showLive(this.#context, { type: "activity", text: this.#context.redactor.text(activity) });
  }

  #overBudget(): boolean {
    const { costUsd, tokens } = this.#left;
    if (costUsd === null && tokens === null) return false;
    const reported = this.#reader.usageSoFar();
    const soFar = reported && soundUsage(reported);
    if (!soFar) return false;
    const used = priced(soFar, this.#price);
    return (
      (tokens !== null && totalTokens(used) >= tokens) ||
      (costUsd !== null && used.costUsd !== null && used.costUsd >= costUsd)
    );
  }
}
