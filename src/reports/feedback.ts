import type { CheckEnded } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import { succeeded } from "../domain/process-end.ts";
import { tellingOutput, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { Verdict } from "../domain/verdict.ts";
import { feedbackTexts, type FeedbackTexts } from "../i18n/feedback.ts";

export interface FeedbackInput {
  readonly state: RunState;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  /** Of the check that failed, if one did. */
  readonly checkExcerpt: readonly ExcerptLine[];
  /** Of the agent's own output, where the turn itself went wrong. */
  readonly agentExcerpt: readonly ExcerptLine[];
}

/** What the next attempt is told. Bounded by its excerpts; foreign text is quoted line by line and cannot get out of the quote. */
export function feedbackMarkdown(input: FeedbackInput): string {
  const { state, attempt, verdict } = input;
  const text = feedbackTexts[state.settings.lang];
  const failed = attempt.checks.find((check) => !succeeded(check.process.end));
  const lines = [
    `# ${text.title(attempt.index, state.maxLoops, verdict.verdict === "accepted")}`,
    "",
    ...claimLines(attempt, text),
    ...(verdict.reasons.length > 0 ? ["", `## ${text.reasons}`, ""] : []),
    ...verdict.reasons.map((reason) => `- ${text.reason[reason]} (${reason})`),
    ...agentLines(attempt, text),
    ...(failed ? failedCheckLines(failed, input.checkExcerpt, text) : []),
    ...turnLines(input, text),
    ...protocolLines(state, text),
    ...(fullTestsWaited(input) ? ["", text.fullNotRun] : []),
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** A named agent is told in its prompt, every time. */
function protocolLines(state: RunState, text: FeedbackTexts): string[] {
  if (state.settings.prompt !== null) return [];
  return ["", `## ${text.protocolTitle}`, "", ...text.protocol(...markerNames(state))];
}

function markerNames(state: RunState): [string, string] {
  // With nonces the value changes every turn; what to write in the brackets is in the turn's environment.
  const suffix = state.settings.nonce ? "[$GA_NONCE_1$GA_NONCE_2]" : "";
  return [`GA_STATUS${suffix}`, `GA_EVIDENCE${suffix}`];
}

function claimLines(attempt: Attempt, text: FeedbackTexts): string[] {
  const claim = attempt.turn?.claim;
  if (!claim || claim.status === null) return [];
  if (claim.status === "invalid") return [text.invalidStatus(visible(claim.statusText ?? ""))];
  return [text.claimed(claim.status, claim.evidence === null ? null : visible(claim.evidence))];
}

/** What the agent itself may not have noticed: denied calls, and that it changed what counts no longer. */
function agentLines({ turn }: Attempt, text: FeedbackTexts): string[] {
  const denied = (turn?.agent?.denials ?? []).map(({ tool, about }) => visible(`${tool} ${about}`.trim()));
  const changed = (turn?.changedInputs ?? []).map((path) => visible(path));
  const failure = turn?.agent?.failure;
  return [
    ...(failure ? ["", text.agentError(visible(failure.message))] : []),
    ...(denied.length > 0 ? ["", text.denied(denied)] : []),
    ...(changed.length > 0 ? ["", text.inputsChanged(changed)] : []),
  ];
}

function failedCheckLines(check: CheckEnded, lines: readonly ExcerptLine[], text: FeedbackTexts): string[] {
  const { command, end } = check.process;
  return [
    "",
    `## ${text.testFailed(check.phase, check.index)}: ${text.end(end)}`,
    "",
    `${text.command}:`,
    ...quote(
      command.split("\n").map((line) => ({ text: visible(line) })),
      text,
    ),
    ...outputLines(lines, check.output, text),
  ];
}

/** The agent's own words help it only where its process, not its work, went wrong. */
function turnLines(input: FeedbackInput, text: FeedbackTexts): string[] {
  const turn = input.attempt.turn;
  if (!turn || succeeded(turn.process.end)) return [];
  return [
    "",
    `## ${text.agentOutput}: ${text.end(turn.process.end)}`,
    ...outputLines(input.agentExcerpt, tellingOutput(turn), text),
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

function quote(lines: readonly ExcerptLine[], text: FeedbackTexts): string[] {
  return lines.map((line) => ("text" in line ? `| ${line.text}` : text.leftOut(line.leftOut)));
}

function fullTestsWaited({ attempt, state }: FeedbackInput): boolean {
  const ran = attempt.checks.some((check) => check.phase === "full");
  return !ran && state.settings.testFull.length > 0;
}
