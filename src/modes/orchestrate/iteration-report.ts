import { nameOnBoard } from "./disk/names.ts";
import { globMatcher } from "../../text/globs.ts";
import { followsCutOff, iterationOf, reportIn, roleOf } from "../../core/board/iterations.ts";
import { hasRestoredTests } from "./task-evidence.ts";
import { lawfulTests, offendingPaths } from "./tree-parts.ts";
import type { CheckEnded } from "../../core/event.ts";
import type { ExcerptLine, ExcerptLimits } from "../../text/excerpt.ts";
import type { Lang } from "../../core/settings.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { changesOf } from "../../evidence/held.ts";
import type { Judgement } from "../../core/verdict.ts";
import {
  reasonsAgainstCheck,
  decisiveRun,
  endInEvidence,
  failedByCandidateTests,
  checkPassed,
} from "../../evidence/verdict.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { splitLines, visible } from "../../text/text.ts";
import { lacksIn, seenAs, type Seen } from "./verdict-role.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { iterationReportTexts, type IterationReportTexts, lackText } from "./words/iteration-report.ts";
import { reasonTexts } from "../../evidence/words/reasons.ts";
import { roomTexts } from "../../evidence/words/room.ts";
import { agentLines, quote } from "../feedback.ts";
import {
  changesText,
  failedCandidateTests,
  messageLines,
  namedIn,
  namedTests,
  namesOf,
  namesText,
  nameText,
} from "../../evidence/report/room-words.ts";
import { decisiveOutput } from "../../evidence/set-ups.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { readExcerpt } from "../../platform/process/read-output.ts";

const MAX_PATHS = 20;
const MAX_EXPLAINED = 5;

/** Excerpts of every check, in order, and of the agent's final message. */
export interface IterationExcerpts {
  readonly checks: readonly (readonly ExcerptLine[])[];
  readonly said: readonly ExcerptLine[];
}

export interface IterationInput {
  readonly state: RunState;
  readonly lang: Lang;
  readonly attempt: Attempt;
  readonly verdict: Judgement;
  readonly excerpts: IterationExcerpts;
}

/** The result of an iteration: the foreman's own evidence first, then the agent's claim. */
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
    ...pathsLine(verdict.changedByChecks ?? [], text.changedByChecks),
    ...treeLines(attempt, state, text),
    ...blockLines(attempt, verdict, state, text),
    ...candidateLines(state, attempt, lang),
    ...pathsLine(changedOnBoard(attempt, state), text.meddled),
    ...agentLines(withoutBoard(attempt, state), feedbackTexts[lang], agent),
    ...(attempt.turn ? ["", `## ${text.said}`, "", ...saidLines(excerpts.said, lang)] : []),
    ...passedOn(attempt, lang),
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** Paths on the board that others changed in the turn. */
function changedOnBoard({ turn }: Attempt, { settings }: RunState): readonly string[] {
  const boardDir = settings.mode === "orchestrate" ? settings.boardDir : "";
  return (turn?.changedInputs ?? []).filter((path) => nameOnBoard(path, boardDir) !== null);
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
  const against = reasonsAgainstCheck(check).map((reason) => reasonTexts[lang][reason]);
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

/** Results of each test. Names are behind a bar, as output is. */
function testLines(check: CheckEnded, lang: Lang): readonly string[] {
  const { room } = check;
  const texts = roomTexts[lang];
  if (!room) return [];
  const { problem } = room;
  const { findings } = decisiveRun(check);
  const candidateTests = failedByCandidateTests(check) ? null : failedCandidateTests(check);
  const named = [...namedTests({ ...room, findings }), ...namedIn(candidateTests?.findings ?? null)];
  return [
    ...(problem === null ? [] : [`| ${visible(problem)}`]),
    ...(findings ? [texts.counts(findings)] : []),
    ...(candidateTests
      ? [texts.withCandidateTests(feedbackTexts[lang].end(candidateTests.process.end))]
      : []),
    ...named.flatMap(({ kind, names, failures }) => [
      `| ${texts.kind[kind]}: ${namesText(names, texts, "; ")}`,
      ...names.some.slice(0, MAX_EXPLAINED).flatMap((name) => {
        const lines = messageLines(name, failures);
        return lines.length === 0 ? [] : [`|   ${nameText(name)}`, ...lines.map((line) => `|     ${line}`)];
      }),
    ]),
  ];
}

/** Parts of the tree that the commands did not use. */
function candidateLines(state: RunState, attempt: Attempt, lang: Lang): readonly string[] {
  const texts = roomTexts[lang];
  const { programs, hidden } = attempt.candidate?.taken ?? { programs: [], hidden: namesOf([]) };
  const changes = state.mode.protectsTests(state, attempt) ? changesOf(attempt) : [];
  const isRed = attempt.checks.some((check) => !succeeded(endInEvidence(check)));
  return [
    ...(changes.length > 0 ? ["", texts.changed(changesText(changes, texts, ", ", MAX_PATHS))] : []),
    ...(programs.length > 0 ? ["", texts.programs(namesText(namesOf(programs), texts, ", "))] : []),
    ...(isRed && hidden.count > 0 ? ["", texts.hidden(namesText(hidden, texts, ", ", MAX_PATHS))] : []),
  ];
}

function treeLines(attempt: Attempt, state: RunState, text: IterationReportTexts): readonly string[] {
  const report = reportIn(attempt);
  if (!report) return [];
  const forbidden = pathsLine(report.changed ?? [], text.forbidden);
  const isAfterCutOff = followsCutOff(state, attempt.index, attempt.turn?.turn ?? 0);
  return [
    ...(report.changed === null ? ["", text.notCompared] : []),
    ...forbidden,
    ...(forbidden.length > 0 && isAfterCutOff ? [text.cutOff] : []),
    ...pathsLine(report.absentFiles, text.absent),
    ...pathsLine(report.unrestored, text.unrestored),
  ];
}

function pathsLine(paths: readonly string[], say: (paths: readonly string[]) => string): readonly string[] {
  return paths.length === 0 ? [] : ["", say(paths.map((path) => visible(path)))];
}

/** The way out of the block after a forbidden change of tests, if the block outlasts this verdict. */
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
  const named = [...(reportIn(attempt)?.unrestored ?? []), ...offendingPaths(after).filter(isTest)];
  return pathsLine([...new Set(named)].slice(0, MAX_PATHS), text.liftedBy);
}

/** An excerpt could shorten text that MAIN has to repeat literally. */
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

/** Many commands may fail at once. */
const CHECK_EXCERPT: ExcerptLimits = { tailLines: 15, errorLines: 5, bytes: 2000 };
const MESSAGE_EXCERPT: ExcerptLimits = { tailLines: 200, errorLines: 0, bytes: 8000 };

export const writeIterationReport: WriteFeedback = (state, attempt, verdict, safe) => {
  const { checks, turn } = attempt;
  const message = turn?.agent?.message;
  const excerpts = {
    checks: safe
      ? checks.map((check) =>
          checkPassed(check) ? [] : readExcerpt(decisiveOutput(check), CHECK_EXCERPT, safe),
        )
      : [],
    said: safe && message ? readExcerpt(message, MESSAGE_EXCERPT, safe) : [],
  };
  return iterationReport({ state, lang: state.settings.lang, attempt, verdict, excerpts });
};
