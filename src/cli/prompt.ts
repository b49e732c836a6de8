import { isCancel, log, select, text } from "@clack/prompts";
import type { Answer } from "../core/event.ts";
import type { Lang } from "../core/settings.ts";
import { currentStep, lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { promptTexts } from "./words/prompt.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { wrapToWidth } from "../ui/format.ts";
import { columnsOf } from "../ui/page.ts";
import { failedTests } from "../ui/room-wording.ts";
import { iterationsUsed } from "../modes/orchestrate/board-wording.ts";
import { viewOf } from "../modes/registry.ts";
import { whyAtTheLimit } from "../modes/orchestrate/summary-orchestrate.ts";
import { attemptsUsed, stepPlace, stuckText } from "../ui/wording.ts";
import { reasonsText, stepError } from "../modes/steps/step-error.ts";
import { boardQuestion, optionText, suggested } from "./board-question.ts";
import type { Io } from "./io.ts";
import type { OptionQuestion } from "./protected-question.ts";

const MAX_MORE = 1000;
const DEFAULT_MORE = "3";
/** Width of the bar before each row, plus an empty column after it. */
const BAR_WIDTH = 4;
/** Leaves room for the options on any screen. */
const MAX_REDRAWN = 10;
/** Keys pressed before the question appeared are not an answer. */
const TYPE_AHEAD_MS = 50;

export function parseCount(value: string | undefined): number | undefined {
  const n = Number(value);
  return value !== undefined && /^\d+$/.test(value.trim()) && n >= 1 && n <= MAX_MORE ? n : undefined;
}

/** In raw mode the end of input is a character. */
const CTRL_D = 0x04;

type Reply = { readonly answer: Answer; readonly note: string | null };

/** Asks the open question. Null: the person left (Ctrl-C, end of input) or `abort` fired. */
export async function askAtTerminal(io: Io, state: RunState, abort: AbortSignal): Promise<Reply | null> {
  return withTerminal(io, async (left) => {
    const signal = AbortSignal.any([abort, left]);
    const { later, keys } = promptTexts[io.lang];
    // The prompt library's own instructions are English only.
    log.message(`${later(state.runId)}\n${keys}`, { output: io.stderr });
    const question = boardQuestion(state, io.lang);
    const answer = question ? await askOption(io, question, signal) : await askAtLimit(io, state, signal);
    return answer && withNote(io, answer, signal);
  });
}

/** Passes a signal that fires at the end of input, because the prompts close at Ctrl-D but never settle. */
export async function withTerminal<T>(io: Io, asking: (left: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController();
  const leaveAtCtrlD = (chunk: Buffer): void => {
    if (chunk.includes(CTRL_D)) left.abort();
  };
  const leave = (): void => left.abort();
  io.stdin.on("data", leaveAtCtrlD).once("end", leave).once("close", leave);
  try {
    await dropTypeAhead(io);
    return await asking(left.signal);
  } finally {
    io.stdin.off("data", leaveAtCtrlD).off("end", leave).off("close", leave);
  }
}

async function dropTypeAhead({ stdin }: Io): Promise<void> {
  stdin.setRawMode?.(true);
  stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, TYPE_AHEAD_MS));
}

async function askAtLimit(io: Io, state: RunState, signal: AbortSignal): Promise<Answer | null> {
  const words = promptTexts[io.lang];
  printAbove(failedTests(state, io.lang), io);
  const isStep = currentStep(state) !== undefined;
  const kind = await select({
    input: io.stdin,
    output: io.stderr,
    signal,
    showInstructions: false,
    message: questionText(state, io.lang),
    options: [
      { value: "continue_n" as const, label: words.continue, hint: words.continueHint[countedIn(state)] },
      { value: "mark_pass" as const, label: isStep ? words.markDone : words.pass, hint: words.passHint },
      { value: "mark_fail" as const, label: isStep ? words.stopFailed : words.fail },
    ],
  });
  if (isCancel(kind)) return null;
  return kind === "continue_n" ? askCount(io, state, signal) : { kind };
}

async function askOption(io: Io, question: OptionQuestion, signal: AbortSignal): Promise<Answer | null> {
  // A choice is redrawn at every key, so a text longer than the screen is printed above it.
  const above = question.lines.length > MAX_REDRAWN ? question.lines : [];
  printAbove(above, io);
  const option = await select({
    input: io.stdin,
    output: io.stderr,
    signal,
    showInstructions: false,
    message: [question.title, ...(above.length > 0 ? [] : question.lines)].join("\n"),
    options: question.options.map((one) => ({ value: one.id, label: optionText(one, question, io.lang) })),
    initialValue: suggested(question),
  });
  return isCancel(option) ? null : { kind: "option", option };
}

/** Prints lines above the question, which is redrawn at every key. */
function printAbove(lines: readonly string[], { stderr }: Io): void {
  const rows = lines.flatMap((line) => wrapToWidth(line, columnsOf(stderr) - BAR_WIDTH));
  if (rows.length > 0) log.message(rows.join("\n"), { output: stderr });
}

async function withNote(io: Io, answer: Answer, signal: AbortSignal): Promise<Reply | null> {
  const message = promptTexts[io.lang].note;
  const note = await text({ input: io.stdin, output: io.stderr, signal, message, defaultValue: "" });
  if (isCancel(note)) return null;
  return { answer, note: note.trim() === "" ? null : note.trim() };
}

/** The subject of the decision: the task, the current step or the board. */
export function questionText(state: RunState, lang: Lang): string {
  const words = promptTexts[lang];
  const step = currentStep(state);
  const attempt = lastAttempt(state);
  const used = attemptsUsed(state);
  if (state.board)
    return words.boardQuestion(
      iterationsUsed(state),
      state.maxLoops,
      whyAtTheLimit(state, terminalTexts[lang]),
    );
  const texts = terminalTexts[lang];
  const stuck = attempt ? stuckText(viewOf(state).stuck(attempt, state), texts) : null;
  const withStuck = (why: string): string => (stuck === null ? why : `${why}${texts.partSeparator}${stuck}`);
  if (step && attempt) {
    const place = `${stepPlace(state)} ${visible(step.step.file)}`;
    return words.stepQuestion(place, used, state.maxLoops, withStuck(stepError(attempt, step, lang)));
  }
  const why = withStuck(reasonsText(attempt?.judged?.reasons ?? [], lang));
  return words.question(used, state.maxLoops, why);
}

function countedIn({ board }: RunState): "attempts" | "iterations" {
  return board ? "iterations" : "attempts";
}

async function askCount(io: Io, state: RunState, abort: AbortSignal): Promise<Answer | null> {
  const words = promptTexts[io.lang];
  const n = await text({
    input: io.stdin,
    output: io.stderr,
    signal: abort,
    message: words.howMany[countedIn(state)],
    placeholder: DEFAULT_MORE,
    defaultValue: DEFAULT_MORE,
    validate: (value) => (parseCount(value || DEFAULT_MORE) === undefined ? words.notANumber : undefined),
  });
  const count = isCancel(n) ? undefined : parseCount(n);
  return count === undefined ? null : { kind: "continue_n", n: count };
}
