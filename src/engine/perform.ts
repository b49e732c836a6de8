import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import type { Decision } from "../core/decision.ts";
import type { CheckEnded, Role, RunEvent } from "../core/event.ts";
import { verdictOn, checkPassed } from "../evidence/verdict.ts";
import type { ExcerptLimits } from "../text/excerpt.ts";
import { writeState } from "../platform/files/write-state.ts";
import { endedCheck } from "../evidence/check.ts";
import { decisiveOutput, isExplained } from "../evidence/set-ups.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { lastAttempt, outputWithErrors, type RunState } from "../core/state.ts";
import { makeDirectories } from "../platform/files/directories.ts";
import { readExcerpt } from "../platform/process/read-output.ts";
import { confirmCandidate, takeCandidate } from "../evidence/checks/candidate.ts";
import { checkBase } from "../evidence/base/check-base.ts";
import { runTests } from "../evidence/checks/check-room.ts";
import { checkInTree } from "../evidence/checks/check-tree.ts";
import { previousFeedback } from "./feedback.ts";
import { evidenceDir } from "../evidence/checks/evidence-dir.ts";
import { writeArtifact } from "../platform/files/artifact.ts";
import { keepTree } from "../evidence/base/kept-tree.ts";
import { takeOriginalBase } from "../evidence/base/left-changes.ts";
import type { RunContext } from "./ports.ts";
import type { LiveEvent } from "./reporter.ts";
import { isPartOfCheck, pauseShow, showLive } from "./show.ts";
import { sitOut } from "./sit-out.ts";
import { takeAgentTurn } from "./agent-turn.ts";
import { knownToRun } from "./heartbeat.ts";
import { turnDir } from "./turn-files.ts";

const SCREEN_EXCERPT: ExcerptLimits = { tailLines: 8, errorLines: 4, bytes: 2000 };

/** Carries out one decision and returns its event; null if a person interrupted it. */
export async function perform(
  decision: Decision,
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  switch (decision.do) {
    case "record_interrupted":
      return {
        type: "turn_interrupted",
        attempt: decision.attempt,
        turn: decision.turn,
        ranMs: knownToRun(state, context),
      };
    case "open_turn":
      return openTurn(decision, state, context);
    case "take_turn": {
      const ended = await takeTurn(decision, state, context);
      if (state.board || isOfCommand(ended)) showErrors(ended, context);
      return ended;
    }
    case "take_base":
      return takeOriginalBase(state, context);
    case "check_base":
      return asPartOfCheck(
        () => checkBase(decision, state, context),
        { attempt: 0, phase: "base", command: decision.command },
        { state, context },
      );
    case "take_candidate":
      return takeCandidate(decision.attempt, state, context);
    case "confirm_candidate":
      return confirmCandidate(decision.attempt, state, context);
    case "run_check":
      showPhase(decision, context);
      return checkInTree(decision, state, context).then((ended) => ended && withOutput(ended, context));
    case "run_tests":
      return asPartOfCheck(() => runTests(decision, state, context), decision, { state, context });
    case "end_check":
      return withOutput(endedBy(decision, state), context);
    case "start_wait":
      return { type: "wait_started", agent: decision.agent, class: decision.class, until: decision.until };
    case "sit_out":
      return sitOut(decision.until, state, context);
    case "stop":
      return { type: "run_stopped", by: decision.by };
    case "judge":
      return judgeAttempt(state, context);
    case "ask":
      // When the question gets its id, no process that ever ran an agent's command is alive.
      context.machine.launcher?.close();
      return {
        type: "question_asked",
        id: `q${state.questionsAsked + 1}-${randomBytes(9).toString("base64url")}`,
      };
    case "await_answer":
      return awaitAnswer(decision.questionId, state, context);
    case "end":
      return {
        type: "run_ended",
        status: decision.status,
        exitCode: decision.exitCode,
        reason: decision.reason,
        messageId: null,
      };
    default:
      if (!context.mode.perform) throw new Error(`${state.settings.mode} cannot ${decision.do}`);
      return context.mode.perform(decision, state, context);
  }
}

function openTurn(decision: Decision & { do: "open_turn" }, state: RunState, context: RunContext): RunEvent {
  const { role, attempt, turn, agent, resumes } = decision;
  const refusal = context.mode.refuseTurn?.(state) ?? null;
  if (refusal) return refusal;
  makeTurnDir(turnDir(context, turn));
  context.files.prepareTurn?.(attempt, previousFeedback(state, context.mode.feedback));
  const tree = context.mode.treeBefore(role, state, state.settings, context);
  if (isFirstToLeaveAlone(role, attempt, state, context)) keepLast(context);
  return { type: "turn_started", role, attempt, turn, agent, resumes, tree };
}

/** Whether this is the attempt's first turn of its kind that must leave the tree, or parts of it, unchanged. */
function isFirstToLeaveAlone(role: Role, attempt: number, state: RunState, { mode }: RunContext): boolean {
  if (role === "worker" && !mode.restrictsWorker) return false;
  const last = lastAttempt(state);
  const open = last?.index === attempt ? last : undefined;
  return (role === "worker" ? open?.treeBefore : open?.treeReviewed) == null;
}

function keepLast(context: RunContext): void {
  if (context.tree.last) keepTree(context.tree.last, context);
}

function makeTurnDir(dir: string): void {
  writeState(dir, () => {
    fs.rmSync(dir, { recursive: true, force: true });
    makeDirectories(dir, 0o700);
  });
}

/** Runs one turn of the chosen agent, or of the person's own command. */
function takeTurn(
  decision: Decision & { do: "take_turn" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent> {
  const agent = state.openTurn?.agent ?? null;
  if (agent !== null) return takeAgentTurn(decision, agent, state, context);
  if (!context.mode.takeCommandTurn) throw new Error(`${state.settings.mode} takes no command`);
  return context.mode.takeCommandTurn(decision, state, context);
}

/** The person's own command has nothing else to show. */
function isOfCommand(event: RunEvent): boolean {
  return event.type === "turn_ended" && event.agent === null;
}

/** Standard error says why a turn failed. The rest may be a protocol, so only its path is shown. */
function showErrors(event: RunEvent, context: RunContext): void {
  if (event.type !== "turn_ended" && event.type !== "main_ended") return;
  const { process, stderr, stdout } = event;
  if (succeeded(process.end) || stderr.bytes + stdout.bytes === 0) return;
  const lines = stderr.bytes > 0 ? readExcerpt(stderr, SCREEN_EXCERPT, redact(context)) : [];
  showLive(context, { type: "turn_output", lines, path: outputWithErrors(event).path });
}

type Phase = Pick<Extract<LiveEvent, { type: "phase_started" }>, "attempt" | "phase" | "command">;

function showPhase({ attempt, phase, command }: Phase, context: RunContext): void {
  showLive(context, { type: "phase_started", attempt, phase, command, encoded: false });
}

/** A check is shown as a whole. When one resumes here, it is already on screen. */
async function asPartOfCheck(
  run: () => Promise<RunEvent | null>,
  phase: Phase,
  { state, context }: { readonly state: RunState; readonly context: RunContext },
): Promise<RunEvent | null> {
  if (context.rooms.ranAt !== state.events) showPhase(phase, context);
  const event = await run();
  if (event && isPartOfCheck(event)) context.rooms.ranAt = state.events + 1;
  return event;
}

function endedBy(decision: Decision & { do: "end_check" }, state: RunState): CheckEnded {
  const ended = endedCheck(state, decision);
  if (!ended) throw new Error("the check is not done");
  return ended;
}

/** Shows the relevant part of a failed check's output. */
function withOutput(ended: CheckEnded, context: RunContext): CheckEnded {
  if (checkPassed(ended)) return ended;
  const output = decisiveOutput(ended);
  const lines = isExplained(ended) ? [] : readExcerpt(output, SCREEN_EXCERPT, redact(context));
  if (output.bytes > 0) showLive(context, { type: "check_output", lines, path: output.path });
  return ended;
}

function judgeAttempt(state: RunState, context: RunContext): RunEvent {
  const attempt = lastAttempt(state);
  const verdict = verdictOn(state);
  if (!attempt || !verdict) throw new Error("nothing can be judged");
  const found = {
    ...verdict,
    ...(attempt.checks.length > 0 ? context.mode.afterChecks?.(state, context) : {}),
  };
  const text = context.redactor.text(context.mode.feedback(state, attempt, found, redact(context)));
  const feedback = writeArtifact(join(evidenceDir(state, context), "feedback.md"), text);
  return { type: "attempt_judged", attempt: attempt.index, ...found, feedback };
}

function redact({ redactor }: RunContext): (text: string) => string {
  return (text) => redactor.text(text);
}

/** Asks the person here. Null: an answer arrived from another terminal, which the loop reads. */
async function awaitAnswer(
  questionId: string,
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const leave = new AbortController();
  const poll = setInterval(() => context.inbox.peek() && leave.abort(), 200);
  const forget = context.stop.onRequest(() => leave.abort());
  try {
    pauseShow(context);
    const reply = await context.askPerson(state, leave.signal);
    if (leave.signal.aborted) return null;
    if (!reply) return { type: "run_stopped", by: "undecided" };
    const { answer, note } = reply;
    return { type: "question_answered", id: questionId, answer, note, via: "terminal", messageId: null };
  } finally {
    clearInterval(poll);
    forget();
  }
}
