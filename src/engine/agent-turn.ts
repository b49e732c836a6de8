import fs from "node:fs";
import { join } from "node:path";
import { leastTools, type TurnReader, type TurnRequest } from "../agents/adapter.ts";
import { isOfTheService } from "../agents/classify.ts";
import {
  isUnavailable,
  soundUsage,
  totalTokens,
  type TurnFailure,
  type Usage,
} from "../domain/agent-turn.ts";
import type { Price } from "../domain/agent-profile.ts";
import { remaining } from "../domain/budget.ts";
import type { Decision } from "../domain/decision.ts";
import type { RunEvent } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import { sessionKey, type AgentSession, type RunState } from "../domain/state.ts";
import type { Control } from "../process/ending.ts";
import type { Stdin } from "../process/stdin.ts";
import { shellWord } from "../reports/shell-command.ts";
import { analyzeAssignment } from "./analyze-assignment.ts";
import type { Assignment } from "./assignment.ts";
import { chatAssignment } from "./chat-assignment.ts";
import { keep } from "./keep.ts";
import { mainAssignment } from "./main-assignment.ts";
import type { ReadyAgent, RunContext } from "./ports.ts";
import { roleAssignment } from "./role-assignment.ts";
import { runTurn } from "./run-turn.ts";
import { inputFiles } from "./sandbox.ts";
import { showLive } from "./show.ts";
import { stepAssignment } from "./step-assignments.ts";
import { superviseAssignment } from "./supervise-assignment.ts";
import { changedInputs, turnDir } from "./turn-files.ts";

const NOTHING_TOLD: Usage = { input: 0, cached: 0, output: 0, costUsd: 0 };

/** A turn of a named agent: it gets the prompt by its standard input, and its own stream tells how the turn went. */
export async function takeAgentTurn(
  decision: Decision & { do: "take_turn" },
  name: string,
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const { attempt, turn } = decision;
  const agent = context.agents.get(name);
  if (!agent) throw new Error(`agent ${name} is not ready`);
  const assignment = assignmentFor(attempt, state, context);
  const { prompt } = assignment;
  const promptFile = keep(join(turnDir(context, turn), "prompt.md"), prompt);
  const input = new AgentInput();
  const request = requestFor(agent, assignment, turn, state, context);
  const reader = agent.adapter.read({
    cwd: state.settings.cwd,
    now: context.now,
    // What a turn used that broke off before it told is counted with the next one of its session.
    before: usedBefore(name, request, state),
    prompt,
    request,
    send: input.send,
    changed: () => watch.look(),
  });
  const watch = new Watch(reader, state, agent.profile.price, context);
  const { words, env, files = {} } = agent.adapter.command(request);
  const told = [promptFile, ...Object.entries(files).map(([path, text]) => keep(path, text))];
  const stamps = told.map(stampOf);
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
      needs: { agent, files: [...Object.keys(files), ...inputFiles(state.settings)] },
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
  // From here on as it is kept: what is judged can be read again.
  const said = context.redactor.text(finalText);
  const message = keep(join(turnDir(context, turn), "message.md"), said);
  const failure = asItCounts(summary.failure, request, assignment.answers(said));
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
    told.some((file, index) => stampOf(file) !== stamps[index]),
  );
}

/** Whoever changes a file and puts it back leaves another time of change, which nobody can set. */
function stampOf(file: Captured): string {
  const there = fs.lstatSync(file.path, { throwIfNoEntry: false, bigint: true });
  return there === undefined ? "" : `${there.ino} ${there.ctimeNs} ${there.size}`;
}

const PHASES = { worker: "agent", reviewer: "review", main: "main" } as const;

/** Of a conversation in a terminal nobody told what it had used. */
function usedBefore(name: string, { session }: TurnRequest, state: RunState): Usage | null {
  switch (session.kind) {
    case "start":
      return null;
    case "resume":
      return sessionOf(name, state)?.totals ?? NOTHING_TOLD;
    case "fork":
      return state.sessions[sessionKey("worker", name)]?.totals ?? null;
  }
}

function sessionOf(name: string, { openTurn, sessions }: RunState): AgentSession | undefined {
  return sessions[sessionKey(openTurn?.role ?? "worker", name)];
}

function assignmentFor(attempt: number, state: RunState, context: RunContext): Assignment {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise":
      return superviseAssignment(attempt, state, settings, context);
    case "run":
      return stepAssignment(state.openTurn?.role ?? "worker", attempt, state, settings, context);
    case "analyze":
      return analyzeAssignment(attempt, state, settings, context);
    case "orchestrate":
      return state.openTurn?.role === "main"
        ? mainAssignment(attempt, state, settings, context)
        : roleAssignment(attempt, state, settings, context);
    case "chat":
      return chatAssignment(attempt, state, settings, context);
  }
}

function requestFor(
  { options, adapter }: ReadyAgent,
  assignment: Assignment,
  turn: number,
  state: RunState,
  context: RunContext,
): TurnRequest {
  const resumes = state.openTurn?.resumes ?? null;
  return {
    options,
    session: resumes === null ? { kind: "start" } : { kind: isFork(state) ? "fork" : "resume", id: resumes },
    system: assignment.system ?? null,
    tools: leastTools(assignment.tools, adapter.can.tools),
    cwd: state.settings.cwd,
    dir: turnDir(context, turn),
    maxCostUsd: remaining(state, context.now().toISOString()).costUsd,
  };
}

/** Whoever reviews a conversation must not become part of it. */
function isFork({ settings, openTurn }: RunState): boolean {
  return settings.mode === "chat" && openTurn?.role === "reviewer";
}

/**
 * A session that was never to be resumed cannot be lost: taken for free, such a failure could go on for ever. And an agent
 * that gave its word has worked, whatever was said about its service beside it.
 */
function asItCounts(
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

/** What is said before the agent's standard input is open waits. */
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

/** Looks at what the reader has understood so far: the end of the turn, the budget, and what to show. */
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
    const told = this.#reader.usageSoFar();
    const soFar = told && soundUsage(told);
    if (!soFar) return false;
    const used = priced(soFar, this.#price);
    return (
      (tokens !== null && totalTokens(used) >= tokens) ||
      (costUsd !== null && used.costUsd !== null && used.costUsd >= costUsd)
    );
  }
}
