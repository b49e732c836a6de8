import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import type { Decision } from "../domain/decision.ts";
import type { Role, RunEvent } from "../domain/event.ts";
import { verdictOn } from "../domain/evidence.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { decisiveOutput, isExplained, withSetUps } from "../domain/room/set-ups.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import { succeeded } from "../domain/process-end.ts";
import { lastAttempt, tellingOutput, type RunState } from "../domain/state.ts";
import { makeDirectories } from "../files/directories.ts";
import { readExcerpt } from "../process/read-output.ts";
import { confirmCandidate, takeCandidate } from "./candidate.ts";
import { checkBase } from "./check-base.ts";
import { checkInRoom } from "./check-room.ts";
import { checkInTree } from "./check-tree.ts";
import { composeFeedback, previousFeedback } from "./feedback.ts";
import { evidenceDir } from "./evidence-dir.ts";
import { keep } from "./keep.ts";
import { keepTree } from "./kept-tree.ts";
import { takeOriginalBase } from "./left-changes.ts";
import type { RunContext } from "./ports.ts";
import { pauseShow, showLive } from "./show.ts";
import { sitOut } from "./sit-out.ts";
import { awaitLive, liveOf, sendFeedback } from "./talk.ts";
import { markStepFile, startStep, whyNotThisStep } from "./mark-step.ts";
import { wholeTree } from "./analyze-assignment.ts";
import { changedTests, treeDigests } from "./board-tree.ts";
import { treeToReview, treeWithoutSteps } from "./step-assignments.ts";
import { takeTurn } from "./take-turn.ts";
import { knownToRun } from "./heartbeat.ts";
import { turnDir } from "./turn-files.ts";
import { writeSteps } from "./write-steps.ts";

const SCREEN_EXCERPT: ExcerptLimits = { tailLines: 8, errorLines: 4, bytes: 2000 };

/** Carries out one decision and says what happened, or null where nothing did (a person interrupted it). */
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
      showLive(context, {
        type: "phase_started",
        attempt: 0,
        phase: "base",
        command: decision.command,
        encoded: false,
      });
      return checkBase(decision, state, context);
    case "take_candidate":
      return takeCandidate(decision.attempt, state, context);
    case "confirm_candidate":
      return confirmCandidate(decision.attempt, state, context);
    case "run_check":
      return runCheck(decision, state, context);
    case "start_wait":
      return {
        type: "wait_started",
        agent: decision.agent,
        class: decision.class,
        until: decision.until,
      };
    case "sit_out":
      return sitOut(decision.until, state, context);
    case "stop":
      return { type: "run_stopped", by: decision.by };
    case "judge":
      return judgeAttempt(state, context);
    case "start_step":
      return startStep(decision, state);
    case "mark_step":
      return markStepFile(decision, state);
    case "write_steps":
      return writeSteps(state, context);
    case "start_live":
      await liveOf(context).start(decision.resumes);
      return { type: "live_started", resumes: decision.resumes };
    case "await_live":
      return awaitLive(context);
    case "send_feedback":
      return sendFeedback(decision.attempt, state, context);
    case "drop_review":
      return { type: "review_dropped", attempt: decision.attempt, why: decision.why, messageId: null };
    case "ask":
      // Nothing that ever ran a command of the agent is alive when the question gets its id.
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
  }
}

function openTurn(decision: Decision & { do: "open_turn" }, state: RunState, context: RunContext): RunEvent {
  const { role, attempt, turn, agent, resumes } = decision;
  const refusal = state.settings.mode === "run" ? whyNotThisStep(state) : null;
  if (refusal) return refusal;
  makeTurnDir(turnDir(context, turn));
  context.files.prepareTurn(attempt, previousFeedback(state));
  const tree = treeNow(role, state, context);
  if (isFirstToLeaveAlone(role, attempt, state)) keepLast(context);
  return { type: "turn_started", role, attempt, turn, agent, resumes, tree };
}

/** Whether it is the attempt's first turn of its kind whose changes of the tree are forbidden, all or some of them. */
function isFirstToLeaveAlone(role: Role, attempt: number, state: RunState): boolean {
  const { mode } = state.settings;
  if (role === "worker" && mode !== "orchestrate" && mode !== "analyze") return false;
  const last = lastAttempt(state);
  const open = last?.index === attempt ? last : undefined;
  return (role === "worker" ? open?.treeBefore : open?.treeReviewed) == null;
}

function keepLast(context: RunContext): void {
  if (context.tree.last) keepTree(context.tree.last, context);
}

/** What is asked about the tree after the turn: of a worker at a step what it changed, of the others whether they did. */
function treeNow(role: Role, state: RunState, context: RunContext): string | null {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise":
      return null;
    case "run":
      return role === "worker"
        ? treeWithoutSteps(settings, context)
        : treeToReview(settings, context.tree.snapshot());
    case "analyze":
      return wholeTree(context.tree.snapshot());
    case "orchestrate":
      return treeDigests(state, context);
    case "chat":
      return role === "reviewer" ? wholeTree(context.tree.snapshot()) : null;
  }
}

function makeTurnDir(dir: string): void {
  guardState(dir, () => {
    fs.rmSync(dir, { recursive: true, force: true });
    makeDirectories(dir, 0o700);
  });
}

function guardState(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}

/** Of the person's own command there is nothing else to show. */
function isOfCommand(event: RunEvent): boolean {
  return event.type === "turn_ended" && event.agent === null;
}

/** Its errors say why a turn failed. What it wrote besides may be a protocol, of which only the path is shown. */
function showErrors(event: RunEvent, context: RunContext): void {
  if (event.type !== "turn_ended" && event.type !== "main_ended") return;
  const { process, stderr, stdout } = event;
  if (succeeded(process.end) || stderr.bytes + stdout.bytes === 0) return;
  const lines = stderr.bytes > 0 ? readExcerpt(stderr, SCREEN_EXCERPT, redact(context)) : [];
  showLive(context, { type: "turn_output", lines, path: tellingOutput(event).path });
}

async function runCheck(
  decision: Decision & { do: "run_check" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const { attempt, phase, command } = decision;
  showLive(context, { type: "phase_started", attempt, phase, command, encoded: false });
  context.rooms.setUps = [];
  const ran = await (state.base ? checkInRoom : checkInTree)(decision, state, context);
  const ended = ran?.type === "check_ended" ? withSetUps(ran, context.rooms.setUps) : ran;
  if (ended?.type === "check_ended" && !checkPassed(ended)) {
    const output = decisiveOutput(ended);
    const lines = isExplained(ended) ? [] : readExcerpt(output, SCREEN_EXCERPT, redact(context));
    if (output.bytes > 0) showLive(context, { type: "check_output", lines, path: output.path });
  }
  return ended;
}

function judgeAttempt(state: RunState, context: RunContext): RunEvent {
  const attempt = lastAttempt(state);
  const verdict = verdictOn(state);
  if (!attempt || !verdict) throw new Error("nothing can be judged");
  const ran = state.board !== null && attempt.checks.length > 0;
  const found = { ...verdict, ...(ran ? { changedByChecks: changedTests(state, context) } : {}) };
  const text = context.redactor.text(composeFeedback(state, attempt, found, redact(context)));
  const feedback = keep(join(evidenceDir(state, context), "feedback.md"), text);
  return { type: "attempt_judged", attempt: attempt.index, ...found, feedback };
}

function redact({ redactor }: RunContext): (text: string) => string {
  return (text) => redactor.text(text);
}

/** Asks the person here, while an answer may also come from another terminal (then null: the loop reads it). */
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
