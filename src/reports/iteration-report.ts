import { nameOnBoard } from "../board/names.ts";
import { globMatcher } from "../domain/board/globs.ts";
import { followsCutOff, iterationOf, reportIn, roleOf } from "../domain/board/iterations.ts";
import { hasRestoredTests } from "../domain/board/seen.ts";
import { lawfulTests, unlawfulPaths } from "../domain/board/tree-parts.ts";
import type { AttemptJudged, CheckEnded } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import type { Lang } from "../domain/settings.ts";
import { succeeded } from "../domain/process-end.ts";
import { changesOf, isFrozen } from "../domain/room/held.ts";
import { againstCheck, decisiveRun, endInEvidence, failedByOwn } from "../domain/room/verdict.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import { lacksIn, seenAs, type Seen } from "../domain/verdict-role.ts";
import { feedbackTexts } from "../i18n/feedback.ts";
import { iterationReportTexts, type IterationReportTexts } from "../i18n/iteration-report.ts";
import { lackText, reasonTexts } from "../i18n/reasons.ts";
import { roomTexts } from "../i18n/room.ts";
import { agentLines, quote } from "./feedback.ts";
import {
  changesText,
  messageLines,
  namedIn,
  namedTests,
  namesOf,
  namesText,
  nameText,
  ownRed,
} from "./room-words.ts";

const MAX_PATHS = 20;
const MAX_EXPLAINED = 5;

/** What is quoted: of every check, in order, and of the agent's final message. */
export interface IterationExcerpts {
  readonly checks: readonly (readonly ExcerptLine[])[];
  readonly said: readonly ExcerptLine[];
}

export type Judgement = Pick<AttemptJudged, "verdict" | "reasons" | "changedByChecks">;

export interface IterationInput {
  readonly state: RunState;
  readonly lang: Lang;
  readonly attempt: Attempt;
  readonly verdict: Judgement;
  readonly excerpts: IterationExcerpts;
}

/** What came of an iteration: the foreman's own results first, then the agent's word. */
export function iterationReport({ state, lang, attempt, verdict, excerpts }: IterationInput): string {
  const text = iterationReportTexts[lang];
  const { call } = attempt;
  const agent = call?.answer.nextAgent ?? "";
  const tasks = call?.tasks.join(", ") ?? "";
  const accepted = verdict.verdict === "accepted";
  const reasons = verdict.reasons.flatMap((reason) => [
    `- ${reasonTexts[lang][reason]} (${reason})`,
    ...(reason === "report_incomplete" ? lacksIn(attempt) : []).map(
      (lack) => `  - ${visible(lackText(lack, lang))}`,
    ),
  ]);
  const lines = [
    `# ${text.title(iterationOf(state, attempt.index), agent, tasks, accepted)}`,
    "",
    ...(reasons.length > 0 ? [`## ${text.reasons}`, "", ...reasons, ""] : []),
    `## ${text.foreman}`,
    "",
    ...(agent === "FINISH" ? [text.finalLook, ""] : []),
    ...checkLines(attempt, state, excerpts, lang),
    ...changedLines(verdict, text),
    ...treeLines(attempt, state, text),
    ...blockLines(attempt, verdict, state, text),
    ...candidateLines(state, attempt, lang),
    ...boardLines(attempt, state, text),
    ...agentLines(withoutBoard(attempt, state), feedbackTexts[lang], agent),
    ...(attempt.turn ? ["", `## ${text.said}`, "", ...saidLines(excerpts.said, lang)] : []),
    ...passedOn(attempt, lang),
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** Paths on the board that somebody else changed in the turn. */
function changedOnBoard({ turn }: Attempt, { settings }: RunState): readonly string[] {
  const boardDir = settings.mode === "orchestrate" ? settings.boardDir : "";
  return (turn?.changedInputs ?? []).filter((path) => nameOnBoard(path, boardDir) !== null);
}

function boardLines(attempt: Attempt, state: RunState, text: IterationReportTexts): readonly string[] {
  const paths = changedOnBoard(attempt, state).map((path) => visible(path));
  return paths.length === 0 ? [] : ["", text.meddled(paths)];
}

function withoutBoard(attempt: Attempt, state: RunState): Attempt {
  const { turn } = attempt;
  const onBoard = new Set(changedOnBoard(attempt, state));
  if (!turn || onBoard.size === 0) return attempt;
  return {
    ...attempt,
    turn: { ...turn, changedInputs: turn.changedInputs.filter((path) => !onBoard.has(path)) },
  };
}

function checkLines(
  attempt: Attempt,
  state: RunState,
  { checks }: IterationExcerpts,
  lang: Lang,
): readonly string[] {
  const text = iterationReportTexts[lang];
  const { order } = attempt.call ?? { order: null };
  const waiver = order?.redWaiver ?? null;
  const count = (seen: Seen): number =>
    attempt.checks.filter((check) => seenAs(endInEvidence(check)) === seen).length;
  if (attempt.checks.length === 0) return [text.nothingRun];
  return [
    text.ran(attempt.checks.length, count("green"), count("not_run")),
    ...(waiver !== null ? [text.waived(visible(waiver))] : []),
    ...(roleOf(attempt) === "TEST" && waiver === null
      ? [hasRestoredTests(state, attempt) ? text.redBefore : text.expectedRed]
      : []),
    "",
    ...attempt.checks.flatMap((check, index) => checkLine(check, checks[index] ?? [], lang)),
  ];
}

function checkLine(check: CheckEnded, output: readonly ExcerptLine[], lang: Lang): readonly string[] {
  const text = iterationReportTexts[lang];
  const { command, end } = decisiveRun(check).process;
  const against = againstCheck(check).map((reason) => reasonTexts[lang][reason]);
  const how = [feedbackTexts[lang].end(end), ...against].join("; ");
  const seen = { green: text.green, red: text.red(how), not_run: text.notRun(how) }[
    seenAs(endInEvidence(check))
  ];
  return [
    `${check.index}. \`${visible(command)}\` → ${seen}`,
    ...testLines(check, lang).map((line) => `   ${line}`),
    ...quote(output, feedbackTexts[lang]).map((line) => `   ${line}`),
  ];
}

/** What its tests showed, test by test; names stand behind a bar as output does. */
function testLines(check: CheckEnded, lang: Lang): readonly string[] {
  const { room } = check;
  const texts = roomTexts[lang];
  if (!room) return [];
  const { problem } = room;
  const { findings } = decisiveRun(check);
  const own = failedByOwn(check) ? null : ownRed(check);
  const named = [...namedTests({ ...room, findings }), ...namedIn(own?.findings ?? null)];
  return [
    ...(problem === null ? [] : [`| ${visible(problem)}`]),
    ...(findings ? [texts.counts(findings)] : []),
    ...(own ? [texts.own(feedbackTexts[lang].end(own.process.end))] : []),
    ...named.flatMap(({ kind, names, failures }) => [
      `| ${texts.kind[kind]}: ${namesText(names, texts, "; ")}`,
      ...names.some.slice(0, MAX_EXPLAINED).flatMap((name) => {
        const lines = messageLines(name, failures);
        return lines.length === 0 ? [] : [`|   ${nameText(name)}`, ...lines.map((line) => `|     ${line}`)];
      }),
    ]),
  ];
}

/** What of the tree the commands did not go by. */
function candidateLines(state: RunState, attempt: Attempt, lang: Lang): readonly string[] {
  const texts = roomTexts[lang];
  const { programs, hidden } = attempt.candidate?.taken ?? { programs: [], hidden: namesOf([]) };
  const changes = isFrozen(state, attempt) ? changesOf(attempt) : [];
  const isRed = attempt.checks.some((check) => !succeeded(endInEvidence(check)));
  return [
    ...(changes.length > 0 ? ["", texts.changed(changesText(changes, texts, ", ", MAX_PATHS))] : []),
    ...(programs.length > 0 ? ["", texts.programs(namesText(namesOf(programs), texts, ", "))] : []),
    ...(isRed && hidden.count > 0 ? ["", texts.hidden(namesText(hidden, texts, ", ", MAX_PATHS))] : []),
  ];
}

function changedLines(
  { changedByChecks: paths = [] }: Judgement,
  text: IterationReportTexts,
): readonly string[] {
  return paths.length === 0 ? [] : ["", text.changedByChecks(paths.map((path) => visible(path)))];
}

function treeLines(attempt: Attempt, state: RunState, text: IterationReportTexts): readonly string[] {
  const report = reportIn(attempt);
  if (!report) return [];
  const { changed, absentFiles, unrestored } = report;
  const isAfterCutOff = followsCutOff(state, attempt.index, attempt.turn?.turn ?? 0);
  return [
    ...(changed === null ? ["", text.notCompared] : []),
    ...(changed !== null && changed.length > 0
      ? ["", text.forbidden(changed.map((path) => visible(path))), ...(isAfterCutOff ? [text.cutOff] : [])]
      : []),
    ...(absentFiles.length > 0 ? ["", text.absent(absentFiles.map((path) => visible(path)))] : []),
    ...(unrestored.length > 0 ? ["", text.unrestored(unrestored.map((path) => visible(path)))] : []),
  ];
}

/** What lifts the block after a forbidden change of tests, if it lasts beyond this verdict. */
function blockLines(
  attempt: Attempt,
  verdict: Judgement,
  state: RunState,
  text: IterationReportTexts,
): readonly string[] {
  const before = state.attempts.filter(({ index }) => index < attempt.index);
  const after = { attempts: [...before, { ...attempt, judged: verdict }] };
  if (lawfulTests(after) === null) return [];
  const isTest = globMatcher(state.board?.env.testPaths ?? []);
  const named = [...(reportIn(attempt)?.unrestored ?? []), ...unlawfulPaths(after).filter(isTest)];
  const paths = [...new Set(named)].slice(0, MAX_PATHS).map((path) => visible(path));
  return paths.length === 0 ? [] : ["", text.liftedBy(paths)];
}

/** An excerpt may cut short what MAIN has to repeat as it is. */
function passedOn(attempt: Attempt, lang: Lang): readonly string[] {
  const said = reportIn(attempt)?.said;
  const text = iterationReportTexts[lang];
  const section = (title: string, words: string | null | undefined): readonly string[] =>
    words == null
      ? []
      : [
          "",
          `## ${title}`,
          "",
          ...quote(
            splitLines(words).map((line) => ({ text: visible(line) })),
            feedbackTexts[lang],
          ),
        ];
  return [
    ...section(text.testFeedback, said?.testFeedback),
    ...section(text.clarification, said?.clarification),
  ];
}

function saidLines(said: readonly ExcerptLine[], lang: Lang): readonly string[] {
  return said.length === 0 ? [iterationReportTexts[lang].saidNothing] : quote(said, feedbackTexts[lang]);
}
