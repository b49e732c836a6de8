import { reportIn, roleOf } from "../domain/board/iterations.ts";
import type {
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  MainEnded,
  ReviewEnded,
  TreeChange,
  TurnEnded,
  TurnInterrupted,
} from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import { succeeded, type Captured, type Leaked } from "../domain/process-end.ts";
import { decisiveOutput, isExplained } from "../domain/room/set-ups.ts";
import { checkPassed, checkResult, endInEvidence } from "../domain/room/verdict.ts";
import { tellingOutput, type Attempt, type RunState, type StepState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { isRed, seenAs } from "../domain/verdict-role.ts";
import type { CommandTexts } from "../i18n/commands.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { becameOf } from "../reports/chat-tasks.ts";
import { verificationError } from "../reports/step-error.ts";
import stringWidth from "fast-string-width";
import { agentFacts } from "../reporters/agent-wording.ts";
import { changedText, inputTexts } from "../reporters/board-inputs.ts";
import { detailText } from "../reporters/board-verdict.ts";
import { roleSaidText } from "../reporters/board-wording.ts";
import { duration } from "../domain/time-text.ts";
import { byteSize, cutToWidth, padToWidth } from "../reporters/format.ts";
import { usageText } from "../reporters/money.ts";
import { quotedText } from "../reporters/history.ts";
import { quoted } from "../reporters/output-lines.ts";
import type { Line } from "../reporters/page.ts";
import { resultText } from "../reporters/check-result.ts";
import { reasonText, testTexts } from "../reporters/room-wording.ts";
import { endText, saidText, stuckText } from "../reporters/wording.ts";

/** A kept file, compared with what the journal says of it. */
export type FileCondition = "same" | "gone" | "changed";

/** What a story looks up outside the journal. */
export interface Evidence {
  readonly conditionOf: (output: Captured) => FileCondition;
  readonly excerptOf: (output: Captured) => readonly ExcerptLine[];
  /** The first line that says something, made safe; empty: there is none, or the file is not what it was. */
  readonly firstLineOf: (text: Captured) => string;
}

export interface StoryView {
  readonly texts: CommandTexts["show"];
  readonly terms: TerminalTexts;
  /** Null: no terminal, and nothing is cut. */
  readonly columns: number | null;
  /** The later run that has gone on with the work. */
  readonly supersededBy?: string | null;
}

/** Under the attempt's number: `09:12  1 `. */
const INDENT = " ".repeat(9);
const MIN_QUOTE_WIDTH = 20;
const MAX_PROCESSES = 5;
const MAX_FAILURE_LINES = 3;

export function turnLines(
  event: TurnEnded,
  { lead, role = "" }: { readonly lead: string; readonly role?: string },
  attempt: Attempt | undefined,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { process, claim } = event;
  const { terms, texts } = view;
  const verdict = attempt?.judged?.verdict;
  const report = attempt && reportIn(attempt);
  const sign = verdict === undefined ? "-" : verdict === "accepted" ? "✓" : "✗";
  const facts = [
    duration(process.durationMs),
    usageText(event.agent?.usage ?? null, terms),
    endText(process.end, terms),
    ...agentFacts(event.agent, terms),
    claim && saidText(claim, terms),
    report ? roleSaidText(report.said, terms) : null,
  ].filter((fact) => fact !== null);
  const text = `${sign} ${role}${visible(event.agent?.name ?? texts.agent)}  ${facts.join("  ")}`;
  return [
    {
      lead,
      text: text + quotedEvidence(claim?.evidence ?? null, stringWidth(lead + text), view),
      ...(verdict !== undefined && { tone: verdict === "accepted" ? "good" : "bad" }),
    },
    ...quotedText(event.agent?.failure?.message ?? "", MAX_FAILURE_LINES, terms).map(indented),
    ...(report ? forbiddenLines(report.changed, role.trim(), event, state, view) : []),
    ...inputLines(event, state, view),
    ...(claim?.orderCertain === false ? [warning(texts.orderUncertain)] : []),
    ...processLines(process.leaked, view.terms.leakedEnded, view),
    ...conditionLines([event.stdout, event.stderr], evidence, view),
    ...(succeeded(process.end) ? [] : excerptLines(tellingOutput(event), evidence, view)),
  ];
}

/** A turn that somebody broke off, or that was lost with its foreman. */
export function interruptedText(
  { turn }: TurnInterrupted,
  { interruptedTurns }: RunState,
  { terms, texts }: StoryView,
): string {
  const { durationMs = null, lost = false } = interruptedTurns.find((one) => one.turn === turn) ?? {};
  const time = durationMs === null ? null : duration(durationMs);
  const shown = time === null ? [] : [lost ? texts.atLeast(time) : time];
  return [texts.agent, ...shown, terms.turnInterrupted].join("  ");
}

function forbiddenLines(
  changed: TreeChange,
  role: string,
  event: TurnEnded,
  state: RunState,
  { terms }: StoryView,
): Line[] {
  if (changed === null) return [warning(terms.board.notCompared)];
  return changed.length === 0 ? [] : [warning(changedText(role, changed, event, state, terms))];
}

/** What the agent claims, in quotation marks: nobody has checked it. */
function quotedEvidence(text: string | null, used: number, { columns }: StoryView): string {
  if (text === null) return "";
  const shown = visible(text);
  if (columns === null) return ` "${shown}"`;
  return ` "${cutToWidth(shown, Math.max(MIN_QUOTE_WIDTH, columns - used - 4))}"`;
}

const SIGNS = {
  passed: { sign: "✓", tone: "good" },
  failed: { sign: "✗", tone: "bad" },
  undecided: { sign: "?", tone: "ask" },
} as const;

export function checkLines(
  event: CheckEnded,
  attempt: Attempt | undefined,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { process, phase, output, room } = event;
  const { terms } = view;
  const result = checkResult(event, attempt, state);
  const end = endInEvidence(event);
  const isWanted = attempt !== undefined && roleOf(attempt) === "TEST" && isRed(end);
  const hasNotRun = phase === "acceptance" && seenAs(end) === "not_run";
  const kept = [room?.findings, room?.own?.findings].flatMap((findings) => findings?.kept ?? []);
  const facts = [
    visible(process.command),
    resultText(event, result, terms),
    duration(process.durationMs),
    ...(isWanted ? [terms.board.wanted] : []),
    ...(hasNotRun ? [terms.board.didNotRun] : []),
  ];
  return [
    {
      lead: phaseLead(phase, event.index, state, view),
      text: `${SIGNS[result].sign} ${facts.join("  ")}`,
      ...(isWanted ? {} : { tone: SIGNS[result].tone }),
    },
    ...(isWanted ? [] : testTexts(event, terms).map((text) => indented(quoted(text)))),
    ...processLines(process.leaked, terms.leakedEnded, view),
    ...conditionLines([output, ...(room?.own ? [room.own.output] : []), ...kept], evidence, view),
    ...(checkPassed(event) || isWanted ? [] : failedLines(event, evidence, view)),
  ];
}

export function verdictLines(
  event: AttemptJudged,
  attempt: Attempt | undefined,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const ranFull = attempt?.checks.some((check) => check.phase === "full") === true;
  const lacksFull = state.settings.mode === "supervise" && !ranFull;
  const accepted = event.verdict === "accepted";
  const stuck = attempt ? stuckText(attempt, state, terms) : null;
  const reasons = event.reasons.map((reason) => {
    const detail = attempt ? detailText(reason, attempt, terms) : "";
    return `${attempt ? reasonText(reason, attempt, terms) : reason}${detail}`;
  });
  const why = reasons.length === 0 ? "" : texts.detail(reasons.join(terms.partSeparator));
  const verdict = accepted ? `✓ ${terms.accepted}` : `✗ ${terms.rejected}`;
  const { bytes } = event.feedback;
  // In a conversation the feedback of the last review is written, but not sent.
  const isUnsent = state.chat !== null && (!attempt || becameOf(attempt, state) !== "feedback_sent");
  const feedback = bytes === 0 || isUnsent ? "" : `  ${texts.feedback(byteSize(bytes))}`;
  return [
    ...(lacksFull ? [{ lead: phaseLead("full", 1, state, view), text: `- ${texts.notRun}` }] : []),
    {
      lead: INDENT,
      text: `${verdict}${why}${feedback}`,
      tone: accepted ? "good" : "bad",
    },
    ...(stuck === null ? [] : [{ lead: INDENT, text: `! ${stuck}`, tone: "warn" as const }]),
    ...conditionLines([event.feedback], evidence, view),
  ];
}

/** The commands of a phase are numbered where there are several. */
function phaseLead(phase: CheckPhase, index: number, { settings }: RunState, { texts }: StoryView): string {
  if (settings.mode !== "supervise") return stepLead(texts.phase[phase], texts);
  const { testFast, testFull } = settings;
  const several = (phase === "fast" ? testFast : testFull).length > 1;
  const names = [texts.phase.fast, texts.phase.full].map((name) => stringWidth(name));
  const width = Math.max(...names) + (testFast.length > 1 || testFull.length > 1 ? 2 : 0);
  return `${INDENT}${padToWidth(several ? `${texts.phase[phase]} ${index}` : texts.phase[phase], width)} `;
}

export function stepLead(name: string, { phase, review }: CommandTexts["show"]): string {
  return `${INDENT}${padToWidth(name, Math.max(stringWidth(phase.unit), stringWidth(review)))} `;
}

/** The independent look at the work. */
export function reviewLines(
  event: ReviewEnded,
  step: StepState | undefined,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const { items, agent, process, readOnly } = event;
  const error = step ? verificationError(event, step, terms.lang) : "";
  const passed = items.filter((item) => item.passed).length;
  const facts = [
    duration(process.durationMs),
    usageText(agent.usage, terms),
    endText(process.end, terms),
    items.length > 0 ? texts.itemsPassed(passed, items.length) : null,
    readOnly ? texts.readOnly : null,
  ].filter((fact) => fact !== null);
  return [
    {
      lead: stepLead(texts.review, texts),
      text: `${error === "" ? "✓" : "✗"} ${visible(agent.name)}  ${facts.join("  ")}`,
      tone: error === "" ? "good" : "bad",
    },
    ...(error === "" ? [] : [indented(quoted(error))]),
    ...inputLines(event, state, view),
    ...processLines(process.leaked, terms.leakedEnded, view),
    ...conditionLines([event.stdout, event.stderr], evidence, view),
  ];
}

export function processLines(
  processes: readonly Leaked[],
  what: (count: number) => string,
  { terms }: StoryView,
): Line[] {
  if (processes.length === 0) return [];
  const left = processes.length - MAX_PROCESSES;
  const shown = processes.slice(0, MAX_PROCESSES).map(({ pid, command }) => `${pid} ${visible(command)}`);
  return [
    warning(what(processes.length)),
    ...[...shown, ...(left > 0 ? [terms.moreLines(left)] : [])].map((text) => indented(quoted(text))),
  ];
}

/** Where its tests say themselves why they failed, the rest of the output is named only. */
function failedLines(check: CheckEnded, evidence: Evidence, view: StoryView): Line[] {
  const output = decisiveOutput(check);
  return isExplained(check) ? [outputLine(output, view)] : excerptLines(output, evidence, view);
}

function outputLine({ path }: Captured, { terms }: StoryView): Line {
  return indented({ text: `  ${terms.allOutput(visible(path))}`, tone: "faint" });
}

export function excerptLines(output: Captured, evidence: Evidence, view: StoryView): Line[] {
  const { terms } = view;
  const lines = evidence.excerptOf(output);
  if (lines.length === 0) return [];
  return [
    ...lines.map((line) =>
      indented(quoted("text" in line ? visible(line.text) : terms.leftOut(line.leftOut))),
    ),
    outputLine(output, view),
  ];
}

export function inputLines(
  event: TurnEnded | ReviewEnded | MainEnded,
  { settings }: RunState,
  { terms }: StoryView,
): Line[] {
  if (settings.mode === "orchestrate") return inputTexts(event, settings, terms).map(warning);
  const changed = event.changedInputs.map((path) => visible(path));
  return changed.length === 0 ? [] : [warning(terms.inputsChanged(changed))];
}

export function conditionLines(
  outputs: readonly Captured[],
  evidence: Evidence,
  { texts }: StoryView,
): Line[] {
  return outputs.flatMap((output) => {
    const condition = evidence.conditionOf(output);
    return condition === "same" ? [] : [warning(texts.fileIs[condition](visible(output.path)))];
  });
}

export function warning(text: string): Line {
  return { lead: INDENT, text: `! ${text}`, tone: "warn" };
}

export function indented(line: Line): Line {
  return { ...line, text: INDENT + line.text };
}
