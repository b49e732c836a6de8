import type { Excerpts } from "../engine/feedback.ts";
import type { CheckEnded } from "../core/event.ts";
import type { ExcerptLine } from "../text/excerpt.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { checkPassed, decisiveRun, failedByOwn } from "../evidence/verdict.ts";
import type { SuperviseSettings } from "../core/settings.ts";
import { decisiveOutput } from "../evidence/set-ups.ts";
import { outputWithErrors, type Attempt, type RunState } from "../core/state.ts";
import { oneLine } from "../text/json/values.ts";
import { visible } from "../text/text.ts";
import { stuckAfter } from "../evidence/stuck.ts";
import type { Verdict } from "../core/verdict.ts";
import { feedbackTexts, type FeedbackTexts } from "../core/words/feedback.ts";
import { stepWords } from "./steps/words/step-words.ts";
import { reasonWords, roomLines } from "../evidence/report/room-feedback.ts";

/** Longer commands are quoted below the title. */
const MAX_TITLE = 80;
export interface FeedbackInput<S = SuperviseSettings> {
  readonly state: RunState;
  readonly settings: S;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly excerpts: Excerpts;
}

/** Builds the feedback for the next attempt. Excerpts bound its size. Foreign text is quoted line by line and cannot break out of the quote. */
export function feedbackMarkdown(input: FeedbackInput): string {
  const { state, settings, attempt, verdict, excerpts } = input;
  const text = feedbackTexts[settings.lang];
  const failed = attempt.checks.find((check) => !checkPassed(check));
  const stuck = stuckAfter(state.attempts, attempt, verdict);
  const lines = [
    `# ${text.title(attempt.index, state.maxLoops, verdict.verdict === "accepted")}`,
    "",
    ...claimLines(attempt, text),
    ...(verdict.reasons.length > 0 ? ["", `## ${text.reasons}`, ""] : []),
    ...verdict.reasons.map((reason) => `- ${reasonWords(reason, state, attempt, settings.lang)} (${reason})`),
    ...(stuck ? ["", stepWords[settings.lang].stuck(stuck)] : []),
    ...agentLines(attempt, text),
    ...(verdict.verdict === "accepted"
      ? []
      : roomLines(state, attempt, { reasons: verdict.reasons, lang: settings.lang })),
    ...(failed ? failedCheckLines(failed, excerpts.check, text) : []),
    ...turnLines(input, text),
    ...protocolLines(settings, text),
    ...(fullTestsWaited(input) ? ["", text.fullNotRun] : []),
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** A named agent gets the protocol in its prompt, every time. */
function protocolLines(settings: SuperviseSettings, text: FeedbackTexts): string[] {
  if (settings.prompt !== null) return [];
  return ["", `## ${text.protocolTitle}`, "", ...text.protocol(...markerNames(settings))];
}

function markerNames({ nonce }: SuperviseSettings): [string, string] {
  // With nonces the value changes every turn. The turn's environment says what to write in the brackets.
  const suffix = nonce ? "[$GA_NONCE_1$GA_NONCE_2]" : "";
  return [`GA_STATUS${suffix}`, `GA_EVIDENCE${suffix}`];
}

function claimLines(attempt: Attempt, text: FeedbackTexts): string[] {
  const claim = attempt.turn?.claim;
  if (!claim || claim.status === null) return [];
  if (claim.status === "invalid") return [text.invalidStatus(visible(claim.statusText ?? ""))];
  return [text.claimed(claim.status, claim.evidence === null ? null : visible(claim.evidence))];
}

/** Lists facts that the agent may have missed: denied calls and changes that do not count. */
export function agentLines({ turn }: Attempt, text: FeedbackTexts, role: string | null = null): string[] {
  const denied = (turn?.agent?.denials ?? []).map(({ tool, about }) => visible(`${tool} ${about}`.trim()));
  const changed = (turn?.changedInputs ?? []).map((path) => visible(path));
  const failure = turn?.agent?.failure;
  return [
    ...(failure ? ["", text.agentError(visible(failure.message), role)] : []),
    ...(denied.length > 0 ? ["", text.denied(denied, role)] : []),
    ...(changed.length > 0 ? ["", text.inputsChanged(changed)] : []),
  ];
}

export function failedCheckLines(
  check: CheckEnded,
  lines: readonly ExcerptLine[],
  text: FeedbackTexts,
): string[] {
  const { command, end } = decisiveRun(check).process;
  const title = failedByOwn(check)
    ? text.ownTestsFailed(visible(oneLine(command, MAX_TITLE)))
    : text.testFailed(check.phase, check.index);
  return [
    "",
    `## ${title}: ${text.end(end)}`,
    "",
    `${text.command}:`,
    ...quote(
      command.split("\n").map((line) => ({ text: visible(line) })),
      text,
    ),
    ...outputLines(lines, decisiveOutput(check), text),
  ];
}

/** Quotes the agent's own words only if its process failed, because they do not help when the work failed. */
export function turnLines(input: FeedbackInput<unknown>, text: FeedbackTexts): string[] {
  const turn = input.attempt.turn;
  if (!turn || succeeded(turn.process.end)) return [];
  return [
    "",
    `## ${text.agentOutput}: ${text.end(turn.process.end)}`,
    ...outputLines(input.excerpts.agent, outputWithErrors(turn), text),
  ];
}

function outputLines(
  lines: readonly ExcerptLine[],
  output: { readonly path: string; readonly bytes: number },
  text: FeedbackTexts,
): string[] {
  if (output.bytes === 0) return ["", text.noOutput];
  const quoted = lines.length === 0 ? [] : [text.quoted, "", ...quote(lines, text), ""];
  return ["", ...quoted, text.fullOutput(output.path, output.bytes)];
}

export function quote(lines: readonly ExcerptLine[], text: FeedbackTexts): string[] {
  return lines.map((line) => ("text" in line ? `| ${line.text}` : text.leftOut(line.leftOut)));
}

function fullTestsWaited({ attempt, settings }: FeedbackInput): boolean {
  const ran = attempt.checks.some((check) => check.phase === "full");
  return !ran && settings.testFull.length > 0;
}
