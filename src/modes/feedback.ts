import type { Excerpts } from "../engine/feedback.ts";
import type { CheckEnded } from "../core/event.ts";
import type { ExcerptLine } from "../text/excerpt.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { decisiveRun, failedByCandidateTests } from "../evidence/verdict.ts";
import type { Settings } from "../core/settings.ts";
import { decisiveOutput } from "../evidence/set-ups.ts";
import { outputWithErrors, type Attempt, type RunState } from "../core/state.ts";
import { oneLine } from "../text/json/values.ts";
import { visible } from "../text/text.ts";
import type { Verdict } from "../core/verdict.ts";
import type { FeedbackTexts } from "../core/words/feedback.ts";

/** Longer commands are quoted below the title. */
const MAX_TITLE = 80;

export interface FeedbackInput<S extends Settings> {
  readonly state: RunState;
  readonly settings: S;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly excerpts: Excerpts;
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
  const title = failedByCandidateTests(check)
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
export function turnLines(input: FeedbackInput<Settings>, text: FeedbackTexts): string[] {
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
