import { isLive, refuseEnded, runStore, waitUntil } from "./run-store.ts";
import { LIMIT_ANSWERS, optionsOf, PROTECTED_OPTIONS } from "../core/question-options.ts";
import type { Decision } from "../core/decision.ts";
import type { Answer } from "../core/event.ts";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "../core/state.ts";
import { drive } from "../engine/engine.ts";
import { Inbox } from "../core/journal/inbox.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { decideTexts } from "./words/decide.ts";
import { usageTexts } from "./words/usage.ts";
import { resumeCommand } from "../ui/shell-command.ts";
import { boardQuestion, optionText, suggested } from "./board-question.ts";
import { refuseSuperseded, supersededBy } from "./earlier-run.ts";
import { canAsk, type Io } from "./io.ts";
import { close, finish } from "./open-run.ts";
import { openPaper } from "./print.ts";
import { askAtTerminal, parseCount } from "./prompt.ts";
import { recordResumed, reopen } from "./resume.ts";
import { usage } from "./usage.ts";
import { newestHere, whichRun } from "./which-run.ts";

const TAKEN_WITHIN_MS = 15_000;

export interface DecideArguments {
  readonly answer: string | undefined;
  readonly n: string | undefined;
  readonly note: string | undefined;
}

/** `decide`: answers a run's question from another terminal, or after the supervisor has exited. */
export async function decide(given: string | undefined, words: DecideArguments, io: Io): Promise<number> {
  const store = runStore(io.env);
  const isNamed = given !== undefined && namesRun(given, words, store, io);
  const runId = await whichRun(store, isNamed ? given : undefined, io, thatAsks(store));
  const args = isNamed ? words : withoutId(given, words, io);
  const { state } = store.read(runId);
  refuseEnded(runId, state.ended);
  if (!(await isLive(store, runId))) refuseSuperseded(state, store);
  const reply = await replyFrom(args, state, io);
  if (!reply) return ExitCode.waitsForPerson;
  const { answer, note } = reply;
  const message = { kind: "answer", questionId: state.question?.id ?? null, answer, note } as const;
  if (await isLive(store, runId)) return answerLive(store, runId, message, io);
  if (!state.question) throw new Failure("no_open_question", { runId });
  const inbox = new Inbox(store.paths(runId).inbox);
  const id = inbox.post(message);
  try {
    return await applyHere(runId, io);
  } finally {
    // Not taken: a later supervisor must not act on it.
    inbox.remove(id);
  }
}

/** Runs with an open question that an answer can settle. */
function thatAsks(store: RunStore): Parameters<typeof newestHere>[2] {
  const fits = (state: RunState): boolean =>
    state.question !== null && supersededBy(state, false, store) === null;
  return { for: "decide", fits };
}

/** Whether the first word is a run id or its ending; otherwise it is the answer. */
function namesRun(word: string, { answer }: DecideArguments, store: RunStore, io: Io): boolean {
  if (LIMIT_ANSWERS.includes(word) && (answer === undefined || word === "continue")) return false;
  if (answer !== undefined) return true;
  const isProtectedOption = PROTECTED_OPTIONS.some((option) => option === word);
  if (isProtectedOption) return false;
  const { runId: here } = newestHere(store, io, thatAsks(store));
  const { state } = here === undefined ? {} : store.salvage(here);
  if (state && optionsOf(state)?.includes(word) === true) return false;
  try {
    store.resolve(word);
    return true;
  } catch (error) {
    if (state && error instanceof Failure && error.code === "run_id_invalid") return false;
    throw error;
  }
}

function withoutId(word: string | undefined, { answer, n, note }: DecideArguments, io: Io): DecideArguments {
  if (n !== undefined) throw usage(usageTexts[io.lang].unexpected(n), "decide");
  return { answer: word, n: answer, note };
}

async function replyFrom(
  args: DecideArguments,
  state: RunState,
  io: Io,
): Promise<{ answer: Answer; note: string | null } | null> {
  const given = parseAnswer(args, state, io);
  if (given) return { answer: given, note: args.note ?? null };
  if (!state.question) throw new Failure("no_open_question", { runId: state.runId });
  if (!canAsk(io)) return printQuestion(state, io);
  return askAtTerminal(io, state, new AbortController().signal);
}

/** Without a terminal, prints the question. */
function printQuestion(state: RunState, io: Io): null {
  const question = boardQuestion(state, io.lang);
  if (!question) throw usage(decideTexts[io.lang].answerMissing, "decide");
  openPaper(io).print([
    { text: `? ${question.title}`, tone: "ask" },
    ...question.lines.map((text) => ({ text: `  ${text}` })),
    ...question.options.map((option) => ({ text: `  ${optionText(option, question, io.lang)}` })),
    { text: decideTexts[io.lang].next(`agent-foreman decide ${state.runId} ${suggested(question)}`) },
  ]);
  return null;
}

function parseAnswer(args: DecideArguments, state: RunState, io: Io): Answer | undefined {
  const { answer, n } = args;
  const options = optionsOf(state);
  // Without a question the answer is refused, and the refusal is recorded.
  const isOption = options !== null || (state.board !== null && !state.question);
  const isKnown = answer === undefined || LIMIT_ANSWERS.includes(answer);
  if (!state.question && !isOption && !isKnown) throw new Failure("no_open_question", { runId: state.runId });
  if (!isOption || answer === undefined) return parseAtLimit(args, io);
  const words = decideTexts[io.lang];
  if (n !== undefined) throw usage(usageTexts[io.lang].unexpected(n), "decide");
  if (options && !options.includes(answer))
    throw usage(words.unknownOption(answer, options.join(", ")), "decide");
  return { kind: "option", option: answer };
}

function parseAtLimit({ answer, n }: DecideArguments, io: Io): Answer | undefined {
  const words = decideTexts[io.lang];
  if (answer !== "continue" && n !== undefined) throw usage(words.numberOnlyWithContinue, "decide");
  switch (answer) {
    case undefined:
      return undefined;
    case "pass":
      return { kind: "mark_pass" };
    case "fail":
      return { kind: "mark_fail" };
    case "continue": {
      const count = parseCount(n);
      if (count === undefined) throw usage(words.continueNeedsNumber(n ?? ""), "decide");
      return { kind: "continue_n", n: count };
    }
    default:
      throw usage(words.unknownAnswer(answer), "decide");
  }
}

/** The live supervisor reads the inbox and records the result in the journal. */
async function answerLive(
  store: RunStore,
  runId: string,
  message: Parameters<Inbox["post"]>[0],
  io: Io,
): Promise<number> {
  const inbox = new Inbox(store.paths(runId).inbox);
  const id = inbox.post(message);
  const outcome = (): string | undefined => {
    const event = store
      .read(runId)
      .records.findLast((record) => "messageId" in record.event && record.event.messageId === id)?.event;
    if (event?.type === "question_answered") return "taken";
    return event?.type === "answer_refused" ? event.why : undefined;
  };
  // An agent that calls this during its own turn must not wait for the turn to end. The refusal is recorded then.
  if (message.kind === "answer" && message.questionId === null)
    throw new Failure("no_open_question", { runId });
  // Withdrawn if still unread, so that no later supervisor acts on an abandoned answer.
  await waitUntil(() => !inbox.holds(id), TAKEN_WITHIN_MS);
  inbox.remove(id);
  const result = outcome();
  if (result !== "taken") throw new Failure("answer_not_taken", { runId, why: result ?? "no reply" });
  io.stdout.write(`${decideTexts[io.lang].taken(runId)}\n`);
  return ExitCode.accepted;
}

function isBookkeeping(decision: Decision): boolean {
  switch (decision.do) {
    case "end":
    case "record_interrupted":
    // The person has just allowed the change, so only the verdict is left.
    case "confirm_candidate":
    case "judge":
      return true;
    default:
      return false;
  }
}

/** Without a supervisor, records the answer here. A final answer ends the run; no work is started. */
async function applyHere(runId: string, io: Io): Promise<number> {
  const { context, lock } = await reopen(runId, {}, io);
  try {
    const { ended } = context.journal.state;
    refuseEnded(runId, ended);
    recordResumed(context, false);
    const state = await drive(context, isBookkeeping);
    if (state.ended) return finish(context, state);
    io.stdout.write(`${decideTexts[io.lang].recorded(resumeCommand(state))}\n`);
    return ExitCode.accepted;
  } finally {
    close(context, lock);
  }
}
