import type { CheckEnded } from "../../core/event.ts";
import type { ProtectedChange } from "../../core/evidence/change.ts";
import type { Reason } from "../../core/reason.ts";
import type { OwnRun } from "../../core/evidence/event.ts";
import { missingDependencies } from "../set-ups.ts";
import { changesOf } from "../held.ts";
import { checkPassed, decisiveRun, failedByCandidateTests } from "../verdict.ts";
import type { Lang } from "../../core/settings.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { reportsTests, type TestFindings } from "../../core/evidence/findings.ts";
import { visible } from "../../text/text.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { roomFeedbackTexts } from "../words/room-feedback.ts";
import { roomTexts } from "../words/room.ts";
import {
  changeText,
  failedCandidateTests,
  messageLines,
  missingTexts,
  namedIn,
  namedTests,
  type NamedTests,
  namesOf,
  namesText,
  nameText,
  problemText,
} from "./room-words.ts";
import { shellWord } from "../../text/shell-quote.ts";

const MAX_PATHS = 20;
const SEPARATOR = ", ";
const COMMIT_LENGTH = 12;

/** Feedback for the agent on results beside exit codes. Bounded, because an event holds a limited number of names. */
export function roomLines(
  state: RunState,
  attempt: Attempt,
  { reasons, lang }: { readonly reasons: readonly Reason[]; readonly lang: Lang },
): readonly string[] {
  const blocks = attempt.checks.map((check) => testLines(check, lang));
  // A fast and a full test with the same command show the same.
  const tests = [...new Map(blocks.map((lines) => [lines.join("\n"), lines])).values()].flat();
  const tree = treeLines(state, attempt, reasons, lang);
  const quotes = [...tests, ...tree].some((line) => line.startsWith("| "));
  return [...(quotes ? ["", roomFeedbackTexts[lang].names] : []), ...tests, ...tree];
}

/** The tests of a check that failed, or passed only on a second try. */
function testLines(check: CheckEnded, lang: Lang): readonly string[] {
  const { room } = check;
  const words = roomFeedbackTexts[lang];
  if (!room || (checkPassed(check) && namedTests(room).length === 0 && !room.baseTests)) return [];
  const { baseTests, problem } = room;
  const { findings } = decisiveRun(check);
  const candidateTests = failedByCandidateTests(check) ? null : failedCandidateTests(check);
  const exitedBy = findings?.exitedBy ?? [];
  return [
    ...(problem === null ? [] : ["", words.noRoom(problemText(problem, roomTexts[lang]))]),
    ...missingDependencies(check).flatMap((setUp) => ["", words.missing(missingTexts(setUp))]),
    ...(exitedBy.length === 0 ? [] : ["", words.exitedBy(listed(exitedBy, lang))]),
    ...(room.rewritten.count === 0 ? [] : ["", words.rewritten(listed(room.rewritten.some, lang))]),
    ...(findings && reportsTests(findings) ? ["", countsLine(findings, lang)] : []),
    ...namedTests({ ...room, findings }).flatMap((named) => namedLines(named, lang)),
    ...(baseTests ? runLines(baseTests, words.withBaseTests, lang) : []),
    ...(candidateTests ? runLines(candidateTests, words.withCandidateTests, lang) : []),
  ];
}

function countsLine(findings: TestFindings, lang: Lang): string {
  return `## ${roomFeedbackTexts[lang].tests}: ${roomTexts[lang].counts(findings)}`;
}

function namedLines({ kind, names, failures }: NamedTests, lang: Lang): readonly string[] {
  const words = roomFeedbackTexts[lang];
  const left = names.count - names.some.length;
  return [
    "",
    `### ${words.kind[kind]}: ${names.count}`,
    "",
    ...names.some.flatMap((name) => [
      `| ${nameText(name)}`,
      ...messageLines(name, failures).map((line) => `|     ${line}`),
    ]),
    ...(left > 0 ? [words.leftOut(left)] : []),
  ];
}

/** The same command with the other version of the protected files. */
function runLines(
  { process, findings, output }: OwnRun,
  words: (how: string) => string,
  lang: Lang,
): readonly string[] {
  const text = feedbackTexts[lang];
  return [
    "",
    words(text.end(process.end)),
    ...namedIn(findings).flatMap((named) => namedLines(named, lang)),
    ...(output.bytes > 0 ? ["", text.fullOutput(output.path, output.bytes)] : []),
  ];
}

/** Parts of the tree that the checks ignored. */
function treeLines(
  state: RunState,
  attempt: Attempt,
  reasons: readonly Reason[],
  lang: Lang,
): readonly string[] {
  const words = roomFeedbackTexts[lang];
  const { programs = [], hidden = NONE, newTests = NONE } = attempt.candidate?.taken ?? {};
  const isRed = attempt.checks.some((check) => !checkPassed(check));
  return [
    ...protectedFilesLines(state, attempt, reasons, lang),
    ...(programs.length > 0 ? ["", words.programs(listed(programs, lang))] : []),
    ...(isRed && newTests.count > 0
      ? ["", words.newTests(namesText(newTests, roomTexts[lang], SEPARATOR, MAX_PATHS))]
      : []),
    ...(isRed && hidden.count > 0
      ? ["", words.hidden(namesText(hidden, roomTexts[lang], SEPARATOR, MAX_PATHS))]
      : []),
  ];
}

const NONE = namesOf([]);

function protectedFilesLines(
  state: RunState,
  attempt: Attempt,
  reasons: readonly Reason[],
  lang: Lang,
): readonly string[] {
  const changes = state.mode.protectsTests(state, attempt) ? changesOf(attempt) : [];
  const words = roomFeedbackTexts[lang];
  const commit = state.base?.taken.commit?.slice(0, COMMIT_LENGTH) ?? null;
  const isRefused = attempt.candidate?.decided === "refuse";
  const undo = [words.putBack(commit), ...(isRefused ? [] : [words.mayEdit])];
  const section = (title: string, some: readonly ProtectedChange[], todo: readonly string[]): string[] => [
    "",
    `## ${title}`,
    "",
    ...some.slice(0, MAX_PATHS).map((change) => `| ${changeText(change, roomTexts[lang])}`),
    ...(some.length > MAX_PATHS ? [words.leftOut(some.length - MAX_PATHS)] : []),
    "",
    attempt.checks.some(({ room }) => room?.baseTests) ? words.onlyWithYours : words.laidOver,
    ...(isRefused ? [words.refused] : []),
    ...(reasons.includes("oracle_changed") ? todo : []),
  ];
  const runIds = new Set(changes.map(({ path }) => changedBefore(path, state)));
  return [...runIds].flatMap((runId) => {
    const some = changes.filter(({ path }) => changedBefore(path, state) === runId);
    if (runId === null) return section(words.protected, some, undo);
    const paths = some.filter(({ how }) => how !== "added").map(({ path }) => shellWord(path));
    const restore = paths.length === 0 ? null : `agent-foreman restore ${runId} ${paths.join(" ")}`;
    const todo = words.undoInherited(visible(runId), restore && visible(restore));
    return section(words.inherited(visible(runId)), some, [todo]);
  });
}

/** The earlier unaccepted run that left a file changed; null: none did. */
function changedBefore(path: string, { base }: RunState): string | null {
  return base?.taken.inherited.some.find((file) => file.path === path)?.runId ?? null;
}

/** The reason of a rejection, for the agent. Changes of an earlier run are not blamed on it. */
export function reasonWords(reason: Reason, state: RunState, attempt: Attempt, lang: Lang): string {
  const words = roomFeedbackTexts[lang];
  if (reason !== "oracle_changed") return feedbackTexts[lang].reason[reason];
  if (changesOf(attempt).every(({ path }) => changedBefore(path, state) !== null)) return words.onlyInherited;
  return attempt.candidate?.decided === "refuse" ? words.refusedReason : feedbackTexts[lang].reason[reason];
}

function listed(paths: readonly string[], lang: Lang): string {
  return namesText(namesOf(paths), roomTexts[lang], SEPARATOR, MAX_PATHS);
}
