import type { Denial, TurnFailure } from "../core/agent-turn.ts";
import { exitCodeText, type ProcessEnd } from "../platform/process/process-end.ts";
import { classify, isOfTheService, type ErrorClue } from "./classify.ts";
import { oneLine } from "./one-line.ts";

/** An excuse is short; a longer text is an answer. */
const MAX_EXCUSE = 600;

/** The facts from an agent's stream, once its process is gone. */
export interface Said {
  /** The agent reported the end of the turn, successful or not. */
  readonly over: boolean;
  /** The error it reported, if any. */
  readonly error: ErrorClue | null;
  /** Whether any output in the adapter's format arrived. */
  readonly anything: boolean;
  readonly denials: readonly Denial[];
  /** Whether its tools changed anything: then a denied call did not stop its work. */
  readonly changedSomething: boolean;
  /** Its final message, if it did nothing else in the turn. */
  readonly lastWords: string | null;
  /** A question to the person that ended the turn, or null. */
  readonly question: string | null;
  /** Output besides the stream: text on stdout, then the end of stderr. */
  readonly text: string;
}

/** Null: the turn was completed. Certain facts take precedence over guesses from wordings. */
export function conclude(said: Said, end: ProcessEnd, now: Date): TurnFailure | null {
  if (said.over && said.error === null) return spoiled(said, now);
  if (end.kind === "timeout" || end.kind === "stalled") return failure("timeout", whyEnded(end));
  if (end.kind === "over_budget" || end.kind === "output_cap") return failure("cut_off", whyEnded(end));
  if (end.kind === "not_started") return failure("missing", end.message);
  if (said.error !== null)
    return classify(said.error, now) ?? failure("crashed", said.error.message || whyEnded(end));
  return withoutResult(said, end, now);
}

/** The agent reports success, but denied tools or an open question may contradict it. */
function spoiled(said: Said, now: Date): TurnFailure | null {
  const excuse = said.lastWords === null ? null : excuseIn(said.lastWords, now);
  if (excuse) return excuse;
  if (said.question !== null) return failure("question", said.question);
  if (said.denials.length === 0 || said.changedSomething) return null;
  const denied = said.denials.map(({ tool, about }) => (about === "" ? tool : `${tool} ${about}`));
  return failure("permission", `denied: ${denied.join(", ")}`);
}

/** Some agents report an exhausted quota as their answer, and call the turn a success. */
function excuseIn(text: string, now: Date): TurnFailure | null {
  if (text.length > MAX_EXCUSE) return null;
  const excuse = classify({ status: null, code: null, message: text }, now);
  return excuse && isOfTheService(excuse.class) ? excuse : null;
}

/** The stream broke off or is missing, so only the other output is left. */
function withoutResult(said: Said, end: ProcessEnd, now: Date): TurnFailure {
  const clue = { status: null, code: null, message: said.text.trim() };
  const known = clue.message === "" ? null : classify(clue, now);
  if (known) return known;
  if (end.kind === "exited" && end.code === 127 && !said.anything)
    return failure("missing", lastLine(said.text));
  const failed = !(end.kind === "exited" && end.code === 0) && end.kind !== "finished";
  if (failed) return failure("crashed", lastLine(said.text) || whyEnded(end));
  return said.anything || clue.message !== ""
    ? failure("protocol", "its output ended without a result")
    : failure("no_output", whyEnded(end));
}

function failure(kind: TurnFailure["class"], message: string): TurnFailure {
  return { class: kind, message: oneLine(message), retryAt: null };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

function whyEnded(end: ProcessEnd): string {
  switch (end.kind) {
    case "exited":
      return `exit ${exitCodeText(end.code)}`;
    case "signaled":
      return end.signal;
    case "timeout":
      return `timed out after ${end.afterMs / 1000} s`;
    case "stalled":
      return `no output, no CPU time and no change of the work tree for ${end.afterMs / 1000} s`;
    case "finished":
      return "ended after its last word";
    case "over_budget":
      return "ended at the budget";
    case "output_cap":
      return `output over ${end.capBytes} bytes`;
    case "not_started":
      return end.message;
  }
}
