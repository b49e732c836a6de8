import type { CheckEnded } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import { succeeded } from "../domain/process-end.ts";
import { checkPassed, decisiveRun, failedByOwn } from "../domain/room/verdict.ts";
import type { SuperviseSettings } from "../domain/settings.ts";
import { decisiveOutput } from "../domain/room/set-ups.ts";
import { tellingOutput, type Attempt, type RunState } from "../domain/state.ts";
import { oneLine } from "../domain/steps/values.ts";
import { visible } from "../domain/text.ts";
import { stuckAfter } from "../domain/stuck.ts";
import type { Verdict } from "../domain/verdict.ts";
import { feedbackTexts, type FeedbackTexts } from "../i18n/feedback.ts";
import { stepWords } from "../i18n/step-words.ts";
import { reasonWords, roomLines } from "./room-feedback.ts";

/** A long command is quoted below its title. */
const MAX_TITLE = 80;

/** What is quoted from output. */
export interface Excerpts {
  /** Of the check that failed, if one did. */
  readonly check: readonly ExcerptLine[];
  /** Of the agent's own output, where the turn itself went wrong. */
  readonly agent: readonly ExcerptLine[];
}

export interface FeedbackInput<S = SuperviseSettings> {
  readonly state: RunState;
  readonly settings: S;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly excerpts: Excerpts;
}

/** What the next attempt is told. Bounded by its excerpts; foreign text is quoted line by line and cannot get out of the quote. */
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

/** A named agent is told in its prompt, every time. */
function protocolLines(settings: SuperviseSettings, text: FeedbackTexts): string[] {
  if (settings.prompt !== null) return [];
  return ["", `## ${text.protocolTitle}`, "", ...text.protocol(...markerNames(settings))];
}

function markerNames({ nonce }: SuperviseSettings): [string, string] {
  // With nonces the value changes every turn; what to write in the brackets is in the turn's environment.
  const suffix = nonce ? "[$GA_NONCE_1$GA_NONCE_2]" : "";
  return [`GA_STATUS${suffix}`, `GA_EVIDENCE${suffix}`];
}

function claimLines(attempt: Attempt, text: FeedbackTexts): string[] {
  const claim = attempt.turn?.claim;
  if (!claim || claim.status === null) return [];
  if (claim.status === "invalid") return [text.invalidStatus(visible(claim.statusText ?? ""))];
  return [text.claimed(claim.status, claim.evidence === null ? null : visible(claim.evidence))];
}

/** What the agent itself may not have noticed: denied calls, and that it changed what counts no longer. */
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

/** The agent's own words help it only where its process, not its work, went wrong. */
export function turnLines(input: FeedbackInput<unknown>, text: FeedbackTexts): string[] {
  const turn = input.attempt.turn;
  if (!turn || succeeded(turn.process.end)) return [];
  return [
    "",
    `## ${text.agentOutput}: ${text.end(turn.process.end)}`,
    ...outputLines(input.excerpts.agent, tellingOutput(turn), text),
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
