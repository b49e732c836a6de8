import type { BoardRole } from "../../core/board/answer.ts";
import { oneLine, type BoardDecision } from "../../core/board/decisions.ts";
import type { OpenCall } from "./open-calls.ts";
import type { Broken } from "../../core/board/rule.ts";
import type { SelfCheck } from "./self-check.ts";
import { fillTemplate } from "../../text/prompt-template.ts";
import type { Lang, OrchestrateSettings } from "../../core/settings.ts";
import { splitLines, visible } from "../../text/text.ts";
import { boardPromptWords, type BoardPromptWords } from "./words/board-prompts.ts";
import { ruleText } from "./words/board-rules.ts";

export interface MainParts {
  readonly iteration: number;
  readonly maxIterations: number;
  readonly context: string;
  readonly environment: string;
  readonly tree: string;
  readonly history: string;
  /** From `situationText`. */
  readonly situation: string;
}

/** MAIN's prompt at the start of a session. */
export function mainPrompt(settings: OrchestrateSettings, parts: MainParts): string {
  const words = boardPromptWords[settings.lang];
  return fillTemplate<"main">(settings.prompts.main.text, {
    context: fenced(parts.context, words),
    environment: fenced(parts.environment, words),
    tree: fenced(parts.tree, words),
    history: fenced(parts.history, words),
    situation: parts.situation,
    protocol: words.mainProtocol.join("\n"),
    cwd: settings.cwd,
    iteration: String(parts.iteration),
    max_iterations: String(parts.maxIterations),
  });
}

export interface Situation {
  readonly iteration: number;
  readonly lastIteration: number;
  readonly plan: string;
  readonly report: string | null;
  readonly decisions: readonly BoardDecision[];
  /** The id of the current task. */
  readonly current: string | null;
  /** The current task has not been taken up yet. */
  readonly currentTodo: boolean;
  /** Rules that MAIN's previous answer broke. */
  readonly broken: readonly Broken[];
  /** Empty unless an answer was refused. */
  readonly openCalls: readonly OpenCall[];
  /** Whether the plan and the history of the refused answer count all the same. */
  readonly brokenPlanApplied: boolean;
  /** A person's comment, after they were asked about MAIN. */
  readonly comment: string | null;
  /** Null: no self-check is due in this iteration. */
  readonly selfCheck: readonly SelfCheck[] | null;
  /** Files of the board that others changed. */
  readonly changedBoard: readonly string[];
}

/** The part of the prompt that MAIN gets in every iteration, also in a continued session. */
export function situationText(lang: Lang, situation: Situation): string {
  const words = boardPromptWords[lang];
  const { iteration, lastIteration, plan, report, decisions, current, selfCheck, changedBoard } = situation;
  const parts = [
    `# ${words.iteration(iteration, lastIteration)}`,
    words.dataOnly,
    ...brokenParts(situation, lang, words),
    ...section(words.personSays, quoted(situation.comment)),
    `## ${words.plan}`,
    fenced(plan, words),
    current === null ? words.noCurrent : words.current(current),
    ...(situation.currentTodo ? [words.takeUp] : []),
    `## ${words.report}`,
    report === null ? words.noReport : fenced(report, words),
    `## ${words.decisions}`,
    decisions.length === 0 ? words.noDecisions : decisionLines(decisions, words).join("\n"),
    ...section(words.selfCheck, listed(selfCheckLines(selfCheck, words))),
    ...section(words.changedBoard, listed(changedBoard)),
  ];
  return parts.join("\n\n");
}

/** Reminds MAIN in a continued session how to answer. */
export function mainReminder(lang: Lang): string {
  return boardPromptWords[lang].mainReminder.join("\n");
}

export interface RoleParts {
  readonly iteration: number;
  readonly order: string;
  readonly environment: string;
  /** The id of the current task; null: the order names its tasks. */
  readonly task: string | null;
}

/** The prompt of TEST, DEV or REVIEW. */
export function rolePrompt(settings: OrchestrateSettings, role: BoardRole, parts: RoleParts): string {
  const words = boardPromptWords[settings.lang];
  return fillTemplate<"test" | "dev" | "review">(templateOf(settings, role).text, {
    order: fenced(parts.order, words),
    environment: fenced(parts.environment, words),
    protocol: words.roleProtocol[role].join("\n"),
    task: parts.task ?? words.asOrdered,
    cwd: settings.cwd,
    iteration: String(parts.iteration),
  });
}

function templateOf({ prompts }: OrchestrateSettings, role: BoardRole) {
  switch (role) {
    case "TEST":
      return prompts.test;
    case "DEV":
      return prompts.dev;
    case "REVIEW":
      return prompts.review;
  }
}

/** Quotes foreign text unchanged: the fence is longer than any run of backticks in the text, so the text cannot close it. */
function fenced(text: string, { nothing }: BoardPromptWords): string {
  if (text.trim() === "") return nothing;
  const lines = splitLines(text).map((line) => visible(line));
  const longest = lines.reduce((most, line) => Math.max(most, longestRun(line)), 2);
  const fence = "`".repeat(longest + 1);
  return [fence, ...lines, fence].join("\n");
}

function longestRun(line: string): number {
  return (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function section(title: string, body: string): readonly string[] {
  return body === "" ? [] : [`## ${title}`, body];
}

function listed(items: readonly string[]): string {
  return items.map((item) => `- ${visible(item)}`).join("\n");
}

function quoted(text: string | null): string {
  return splitLines(text?.trim() ?? "")
    .map((line) => `> ${visible(line)}`)
    .join("\n");
}

function brokenParts(
  { broken, brokenPlanApplied, openCalls }: Situation,
  lang: Lang,
  words: BoardPromptWords,
): readonly string[] {
  if (broken.length === 0) return [];
  const rules = listed(broken.map((each) => `${each.rule}: ${ruleText(each, lang)}`));
  return [
    `## ${words.broken}`,
    brokenPlanApplied ? words.planApplied : words.nothingApplied,
    rules,
    ...section(words.openCalls, listed(openCalls.map(words.openCall))),
  ];
}

const FULL_DECISIONS = 20;
const MAX_DECISION_LINES = 100;
/** Limits one value, because twenty of them are repeated in every iteration. */
const MAX_VALUE = 2000;
const MAX_SHORT_VALUE = 200;

/** The last decisions in full and the results of older ones. The oldest are left out. */
function decisionLines(decisions: readonly BoardDecision[], words: BoardPromptWords): readonly string[] {
  const full = decisions
    .slice(-FULL_DECISIONS)
    .flatMap((decision) => [
      `- ${words.decisionOf(decision.iteration)} ${inOneLine(decision.title)}`,
      `  ${words.asked} ${inOneLine(decision.question)}`,
      `  ${words.chosen} ${inOneLine(decision.option)}: ${inOneLine(decision.description)}`,
      ...(decision.comment === null ? [] : [`  ${words.comment} ${inOneLine(decision.comment)}`]),
    ]);
  const older = decisions.slice(0, -FULL_DECISIONS);
  const room = MAX_DECISION_LINES - full.length;
  const kept = older.length <= room ? older : older.slice(older.length - room + 1);
  const leftOut = older.length - kept.length;
  return [
    ...(leftOut > 0 ? [`- ${words.leftOut(leftOut)}`] : []),
    ...kept.map(
      ({ iteration, title, option }) =>
        `- ${words.decisionOf(iteration)} ${inOneLine(title, MAX_SHORT_VALUE)} → ${inOneLine(option, MAX_SHORT_VALUE)}`,
    ),
    ...full,
  ];
}

function inOneLine(text: string, limit = MAX_VALUE): string {
  const shown = visible(oneLine(text));
  return shown.length <= limit ? shown : `${shown.slice(0, limit)} ...`;
}

function selfCheckLines(noticed: Situation["selfCheck"], words: BoardPromptWords): readonly string[] {
  if (noticed === null) return [];
  return noticed.length === 0 ? [words.nothingFound] : noticed.map((check) => selfCheckText(check, words));
}

function selfCheckText(check: SelfCheck, words: BoardPromptWords): string {
  switch (check.kind) {
    case "long_doing":
      return words.longDoing(check.task, check.iterations);
    case "long_blocked":
      return words.longBlocked(check.task, check.iterations);
    case "unreviewed":
      return words.unreviewed(check.milestone);
    case "repeats":
      return words.repeats(check.calls, check.times);
  }
}
