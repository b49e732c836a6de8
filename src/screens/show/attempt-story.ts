import stringWidth from "fast-string-width";
import { reportIn, roleOf } from "../../core/board/iterations.ts";
import type {
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  MainEnded,
  ReviewEnded,
  TurnEnded,
  TurnInterrupted,
} from "../../core/event.ts";
import type { ExcerptLine } from "../../text/excerpt.ts";
import { succeeded, type Artifact } from "../../platform/process/process-end.ts";
import { decisiveOutput, isExplained } from "../../evidence/set-ups.ts";
import { checkPassed, checkResult, endInEvidence } from "../../evidence/verdict.ts";
import { tellingOutput, type Attempt, type QuestionAbout, type RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import { duration } from "../../text/time-text.ts";
import { isRed, seenAs } from "../../modes/orchestrate/verdict-role.ts";
import type { CommandTexts } from "../../ui/words/commands.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { changeStatements } from "../../modes/orchestrate/statements.ts";
import { detailText } from "../../modes/orchestrate/board-verdict.ts";
import { roleSaidText } from "../../modes/orchestrate/board-wording.ts";
import { resultText } from "../../ui/check-result.ts";
import { byteSize, cutToWidth, padToWidth } from "../../ui/format.ts";
import { excerptLines, quotedText } from "../../ui/history.ts";
import { viewOf } from "../../modes/registry.ts";
import { usageText } from "../../ui/money.ts";
import { quoted } from "../../ui/output-lines.ts";
import type { Line } from "../../ui/page.ts";
import { reasonText, testTexts } from "../../ui/room-wording.ts";
import { leakedStatements } from "../../ui/shared-history.ts";
import { warns, type Description, type Statement } from "../../ui/statement.ts";
import { endText, saidText, stuckText } from "../../ui/wording.ts";
import { verificationError } from "../../modes/steps/step-error.ts";
import { outcomeOfAttempt } from "../../modes/chat/chat-tasks.ts";

/** A kept file, compared with its journal entry. */
export type FileCondition = "same" | "gone" | "changed";

/** Data that a story looks up outside the journal. */
export interface Evidence {
  readonly conditionOf: (output: Artifact) => FileCondition;
  readonly excerptOf: (output: Artifact) => readonly ExcerptLine[];
  /** The first line with content, made safe; empty: there is none, or the file has changed. */
  readonly firstLineOf: (text: Artifact) => string;
}

export interface StoryView {
  readonly texts: CommandTexts["show"];
  readonly terms: TerminalTexts;
  /** Null: no terminal, and nothing is cut. */
  readonly columns: number | null;
  /** The later run that has continued the work. */
  readonly supersededBy?: string | null;
}

/** The context of an event in a finished story. */
export interface StoryContext extends StoryView {
  /** The state after the whole run, and so also after later events. */
  readonly state: RunState;
  readonly evidence: Evidence;
  /** When the event was recorded. */
  readonly now: number;
  /** The event's attempt. */
  readonly attempt: Attempt | undefined;
  /** The topic of the last question. */
  readonly about: QuestionAbout;
}

/** Under the attempt's number: `09:12  1 `. */
export const INDENT = " ".repeat(9);
const MIN_QUOTE_WIDTH = 20;
export const MAX_PROCESSES = 5;
const MAX_FAILURE_LINES = 3;

/** The agent's turn: its end and its claim. */
export function turnStory(event: TurnEnded, context: StoryContext): Description {
  const { claim, agent } = event;
  const { terms, texts, attempt, state } = context;
  const verdict = attempt?.judged?.verdict;
  const report = attempt && reportIn(attempt);
  const role = roleName(attempt);
  const facts = [
    ...turnFacts(event, context),
    ...(claim ? [saidText(claim, terms)] : []),
    ...(report ? [roleSaidText(report.said, terms)] : []),
  ];
  const text = `${role}${visible(agent?.name ?? texts.agent)}  ${facts.join("  ")}`;
  const said = state.chat && agent?.message ? context.evidence.firstLineOf(agent.message) : "";
  return [
    {
      subject: "agent",
      attempt: event.attempt,
      sign: verdict === undefined ? "-" : verdict === "accepted" ? "✓" : "✗",
      text: text + quotedEvidence(claim?.evidence ?? null, INDENT.length + 2 + stringWidth(text), context),
      tone: verdict && (verdict === "accepted" ? "good" : "bad"),
    },
    ...quotedText(agent?.failure?.message ?? "", MAX_FAILURE_LINES, terms),
    ...(report?.changed === null ? [warns("agent", terms.board.notCompared)] : []),
    ...(report ? changeStatements(role.trim(), report.changed, event, state, terms) : []),
    ...inputStory(event, context),
    ...(claim?.orderCertain === false ? [warns("agent", texts.orderUncertain)] : []),
    ...processStory(event, context),
    ...failedTurn(event, context),
    ...(said === "" ? [] : [quoted(said)]),
  ];
}

/** `18m40s  $0.12  exit 0  1 call denied` */
export function turnFacts(event: TurnEnded | MainEnded, { terms }: StoryView): readonly string[] {
  const { agent, process } = event;
  return [...timeAndCost(event, terms), endText(process.end, terms), ...agentFacts(agent, terms)];
}

export function timeAndCost(
  { agent, process }: TurnEnded | MainEnded | ReviewEnded,
  terms: TerminalTexts,
): readonly string[] {
  const cost = usageText(agent?.usage ?? null, terms);
  return [duration(process.durationMs), ...(cost === null ? [] : [cost])];
}

/** The role of the turn, in modes with roles. */
export function roleName(attempt: Attempt | undefined): string {
  const role = attempt && roleOf(attempt);
  return role ? `${role} ` : "";
}

/** A turn that was interrupted, or lost with its foreman. */
export function interruptedText(
  { turn }: TurnInterrupted,
  { state: { interruptedTurns }, terms, texts }: StoryContext,
): string {
  const { durationMs = null, lost = false } = interruptedTurns.find((one) => one.turn === turn) ?? {};
  const time = durationMs === null ? null : duration(durationMs);
  const shown = time === null ? [] : [lost ? texts.atLeast(time) : time];
  return [texts.agent, ...shown, terms.turnInterrupted].join("  ");
}

/** The agent's claim in quotation marks, because it is unchecked. */
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

export function checkStory(event: CheckEnded, context: StoryContext): Description {
  const { process, phase, output, room } = event;
  const { terms, attempt, state } = context;
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
      lead: phaseLead(phase, event.index, context),
      text: `${SIGNS[result].sign} ${facts.join("  ")}`,
      tone: isWanted ? undefined : SIGNS[result].tone,
    },
    ...(isWanted ? [] : testTexts(event, terms).map(quoted)),
    ...leakedStatements(process.leaked, terms, MAX_PROCESSES),
    ...conditions([output, ...(room?.own ? [room.own.output] : []), ...kept], context),
    ...(checkPassed(event) || isWanted ? [] : failedCheck(event, context)),
  ];
}

export function verdictStory(event: AttemptJudged, context: StoryContext): Description {
  const { terms, texts, attempt, state } = context;
  const ranFull = attempt?.checks.some((check) => check.phase === "full") === true;
  const lacksFull = "testFull" in state.settings && !ranFull;
  const accepted = event.verdict === "accepted";
  const stuck = attempt ? stuckText(viewOf(state).stuck(attempt, state), terms) : null;
  const reasons = event.reasons.map((reason) =>
    attempt ? reasonText(reason, attempt, terms) + detailText(reason, attempt, terms) : reason,
  );
  const why = reasons.length === 0 ? "" : texts.detail(reasons.join(terms.partSeparator));
  const { bytes } = event.feedback;
  // In a conversation the feedback of the last review is written but not sent.
  const isUnsent = state.chat !== null && (!attempt || outcomeOfAttempt(attempt, state) !== "feedback_sent");
  const feedback = bytes === 0 || isUnsent ? "" : `  ${texts.feedback(byteSize(bytes))}`;
  return [
    ...(lacksFull ? [{ lead: phaseLead("full", 1, context), text: `- ${texts.notRun}` }] : []),
    {
      subject: "verdict",
      sign: accepted ? "✓" : "✗",
      text: `${accepted ? terms.accepted : terms.rejected}${why}${feedback}`,
      tone: accepted ? "good" : "bad",
      isDetail: true,
    },
    ...(stuck === null ? [] : [warns("verdict", stuck)]),
    ...conditions([event.feedback], context),
  ];
}

/** The commands of a phase are numbered if there are several. */
function phaseLead(phase: CheckPhase, index: number, { state: { settings }, texts }: StoryContext): string {
  if (!("testFull" in settings)) return stepLead(texts.phase[phase], texts);
  const { testFast, testFull } = settings;
  const several = (phase === "fast" ? testFast : testFull).length > 1;
  const names = [texts.phase.fast, texts.phase.full].map((name) => stringWidth(name));
  const width = Math.max(...names) + (testFast.length > 1 || testFull.length > 1 ? 2 : 0);
  return `${INDENT}${padToWidth(several ? `${texts.phase[phase]} ${index}` : texts.phase[phase], width)} `;
}

export function stepLead(name: string, { phase, review }: CommandTexts["show"]): string {
  return `${INDENT}${padToWidth(name, Math.max(stringWidth(phase.unit), stringWidth(review)))} `;
}

/** The independent verification of a step's work. */
export function reviewStory(event: ReviewEnded, context: StoryContext): Description {
  const { terms, texts, state, attempt } = context;
  const { items, agent, process, readOnly } = event;
  const step = state.steps[(attempt?.step ?? 0) - 1];
  const error = step ? verificationError(event, step, terms.lang) : "";
  const passed = items.filter((item) => item.passed).length;
  const facts = [
    ...timeAndCost(event, terms),
    endText(process.end, terms),
    ...(items.length > 0 ? [texts.itemsPassed(passed, items.length)] : []),
    ...(readOnly ? [texts.readOnly] : []),
  ];
  return [
    {
      lead: stepLead(texts.review, texts),
      text: `${error === "" ? "✓" : "✗"} ${visible(agent.name)}  ${facts.join("  ")}`,
      tone: error === "" ? "good" : "bad",
    },
    ...(error === "" ? [] : [quoted(error)]),
    ...inputStory(event, context),
    ...processStory(event, context),
  ];
}

/** Processes that a turn left running, and changed or missing files of its output. */
export function processStory(
  { process, stdout, stderr }: TurnEnded | MainEnded | ReviewEnded,
  context: StoryContext,
): Description {
  return [
    ...leakedStatements(process.leaked, context.terms, MAX_PROCESSES),
    ...conditions([stdout, stderr], context),
  ];
}

export function failedTurn(event: TurnEnded | MainEnded, context: StoryContext): readonly Line[] {
  return succeeded(event.process.end) ? [] : excerpt(tellingOutput(event), context);
}

/** If its tests explain their failure, the rest of the output is only named. */
function failedCheck(check: CheckEnded, context: StoryContext): readonly Line[] {
  const output = decisiveOutput(check);
  return isExplained(check) ? allOutput(output.path, context) : excerpt(output, context);
}

function excerpt(output: Artifact, context: StoryContext): readonly Line[] {
  const lines = context.evidence.excerptOf(output);
  if (lines.length === 0) return [];
  return [...excerptLines(lines, context.terms), ...allOutput(output.path, context)];
}

function allOutput(path: string, { terms }: StoryView): readonly Line[] {
  return [{ text: `  ${terms.allOutput(visible(path))}`, tone: "faint" }];
}

export function inputStory(
  event: TurnEnded | ReviewEnded | MainEnded,
  context: StoryContext,
): readonly Statement[] {
  const { state, terms } = context;
  return viewOf(state)
    .changedInputs(event, state, terms)
    .map((text) => warns("agent", text));
}

export function conditions(
  outputs: readonly Artifact[],
  { evidence, texts }: StoryContext,
): readonly Statement[] {
  return outputs.flatMap((output) => {
    const condition = evidence.conditionOf(output);
    return condition === "same" ? [] : [warns("run", texts.fileIs[condition](visible(output.path)))];
  });
}
