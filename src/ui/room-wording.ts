import { relative } from "node:path";
import stringWidth from "fast-string-width";
import type { CheckEnded } from "../core/event.ts";
import type { Reason } from "../core/reason.ts";
import type {
  BaseChecked,
  BaseTaken,
  CandidateTaken,
  InheritedFile,
  OwnRun,
} from "../core/evidence/event.ts";
import { changesOf, mayAddTests } from "../evidence/held.ts";
import { missingDependencies } from "../evidence/set-ups.ts";
import {
  reasonsAgainstCheck,
  checkPassed,
  decisiveRun,
  failedByCandidateTests,
  passedOnlyWithAgentTests,
} from "../evidence/verdict.ts";
import type { Lang } from "../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../core/state.ts";
import { reportsTests, type TestFailure, type TestFindings } from "../core/evidence/findings.ts";
import { visible } from "../text/text.ts";
import { terminalTexts, type TerminalTexts } from "./words/terminal.ts";
import {
  changesText,
  failedCandidateTests,
  messageLines,
  missingTexts,
  namedIn,
  namedTests,
  namesOf,
  namesText,
  nameText,
  problemText,
} from "../evidence/report/room-words.ts";
import { shellWord } from "../text/shell-quote.ts";
import { lostText } from "./change-wording.ts";
import { padToWidth } from "./format.ts";
import { endText } from "./wording.ts";

const MAX_NAMES = 5;
const MAX_MESSAGE_LINES = 5;

/** `214 passed (3 new), 0 skipped`; null: it is unknown which tests ran. */
export function countsText(check: CheckEnded, texts: TerminalTexts): string | null {
  const { room } = check;
  // New tests are visible only in a run with all of the candidate's tests.
  const all = failedCandidateTests(check) ? null : room?.candidateTests?.findings;
  const { findings } = all ? { findings: all } : decisiveRun(check);
  return findings && reportsTests(findings) ? texts.room.counts(findings) : null;
}

/** The end of a check and the results of its tests: `exit 1, 212 passed, 2 failed, 0 skipped`. */
export function endedText(check: CheckEnded, texts: TerminalTexts): string {
  const counts = countsText(check, texts);
  const { end } = decisiveRun(check).process;
  const how = [endText(end, texts), ...(counts === null ? [] : [counts])].join(texts.listSeparator);
  return failedByCandidateTests(check) ? texts.room.withCandidateTests(how) : how;
}

/** The same, with other problems of the check. */
export function shownText(check: CheckEnded, texts: TerminalTexts): string {
  const against = reasonsAgainstCheck(check)
    .filter((reason) => reason !== "own_tests_failed" || !failedByCandidateTests(check))
    .map((reason) => withDetail(reason, [check], texts));
  return [endedText(check, texts), ...against].join(texts.listSeparator);
}

/** In fewer words if tests failed: `2 of 214 failed`. */
export function failureOf(check: CheckEnded, texts: TerminalTexts, otherwise = shownText): string {
  const { findings } = decisiveRun(check);
  if (!findings || findings.failed === 0) return otherwise(check, texts);
  const how = texts.room.failedOf(findings.failed, allOf(findings));
  return failedByCandidateTests(check) ? texts.room.withCandidateTests(how) : how;
}

function allOf({ passed, failed, skipped }: TestFindings): number {
  return passed + failed + skipped;
}

/** `regressed  api > deletes a user`, one line per test: those with an unexpected result, and flaky ones. */
export function testTexts(check: CheckEnded, texts: TerminalTexts): readonly string[] {
  const { room, process } = check;
  if (!room) return [];
  const { flaky } = room;
  const { findings } = decisiveRun(check);
  const candidateTests = failedByCandidateTests(check) ? null : failedCandidateTests(check);
  const once = flaky?.count === 0 ? namesOf([`${process.command}${texts.colon}${texts.room.flaky}`]) : flaky;
  const installed = room.setUps?.filter((setUp) => setUp.problem === null) ?? [];
  const commands = installed.map(({ command }) => nameText(command)).join(texts.listSeparator);
  return [
    ...(installed.length === 0 ? [] : [texts.room.installed(commands)]),
    ...(room.baseTests ? bothVersionsTexts(check, texts) : []),
    ...rows(namedTests({ ...room, findings, flaky: once }), texts),
    ...(candidateTests
      ? [
          texts.room.withCandidateTests(runText(candidateTests, texts)),
          ...rows(namedIn(candidateTests.findings), texts),
        ]
      : []),
  ];
}

function rows(named: ReturnType<typeof namedTests>, texts: TerminalTexts): readonly string[] {
  const { kind: words, andMore } = texts.room;
  const width = Math.max(0, ...named.map(({ kind }) => stringWidth(words[kind])));
  return named.flatMap(({ kind, names: { count, some }, failures }) => {
    const row = (text: string): string => `${padToWidth(words[kind], width)}  ${text}`;
    const shown = some.slice(0, MAX_NAMES);
    const left = count - shown.length;
    return [
      ...shown.flatMap((name) => [row(nameText(name)), ...messageTexts(name, failures, texts)]),
      ...(left > 0 ? [row(andMore(left))] : []),
    ];
  });
}

function messageTexts(
  test: string,
  failures: readonly TestFailure[],
  texts: TerminalTexts,
): readonly string[] {
  const lines = messageLines(test, failures);
  const left = lines.length - MAX_MESSAGE_LINES;
  const shown = [...lines.slice(0, MAX_MESSAGE_LINES), ...(left > 0 ? [texts.moreLines(left)] : [])];
  return shown.map((line) => `    ${line}`);
}

/** `npm test: with the original tests: exit 0, 3 passed, 0 skipped`, and the same with the agent's tests if they ran. */
function bothVersionsTexts({ room, process, output }: CheckEnded, texts: TerminalTexts): readonly string[] {
  if (!room?.candidateTests) return [];
  const line = (text: string): string => `${nameText(process.command)}${texts.colon}${text}`;
  const { candidateTests, baseTests, findings } = room;
  return [
    line(texts.room.withBaseTests(runText(baseTests ?? { process, output, findings }, texts))),
    ...(baseTests ? rows(namedIn(baseTests.findings), texts) : []),
    line(texts.room.withCandidateTests(runText(candidateTests, texts))),
  ];
}

/** Why the tests of the last attempt failed, for a person who has to decide whether it counts. */
export function failedTests(state: RunState, lang: Lang): readonly string[] {
  const attempt = lastAttempt(state);
  const texts = terminalTexts[lang];
  const decisive =
    attempt?.checks.filter((check) => !checkPassed(check) || passedOnlyWithAgentTests(check, attempt)) ?? [];
  return [...new Set(decisive.flatMap((check) => testTexts(check, texts)))];
}

/** Facts about a check for a person who has to allow or refuse changed protected files. */
export function heldTexts(check: CheckEnded, texts: TerminalTexts): readonly string[] {
  return [...new Set([...testTexts(check, texts), ...bothVersionsTexts(check, texts)])];
}

export function runText({ process, findings }: OwnRun, texts: TerminalTexts): string {
  const counts = findings ? [texts.room.counts(findings)] : [];
  return [endText(process.end, texts), ...counts].join(texts.listSeparator);
}

/** Reasons that no check shows by itself. They occur only in judged attempts. */
const ABOUT_TREE = new Set<Reason>([
  "oracle_changed",
  "programs_changed",
  "tree_changed_in_checks",
  "nothing_changed",
]);

/** Problems of the tree that an attempt left. Its checks may all be green. */
export function treeFacts(attempt: Attempt, texts: TerminalTexts): readonly string[] {
  return (attempt.judged?.reasons ?? [])
    .filter((reason) => ABOUT_TREE.has(reason))
    .map((reason) => reasonWords(reason, attempt, texts));
}

/** `fast tests failed (fast_test_failed)`: the words, their details, and the code for a search. */
export function reasonText(reason: Reason, attempt: Attempt, texts: TerminalTexts): string {
  return `${reasonWords(reason, attempt, texts)} (${reason})`;
}

export function reasonWords(
  reason: Reason,
  attempt: Attempt,
  texts: TerminalTexts,
  detail = detailOf(reason, attempt, texts),
): string {
  const isRefused = reason === "oracle_changed" && attempt.candidate?.decided === "refuse";
  return (isRefused ? texts.room.refused : texts.reason[reason]) + detail;
}

/** `: test/api.test.ts (changed)`: the files, tests or programs that a reason is about; empty if it needs none. */
export function detailOf(reason: Reason, attempt: Attempt, texts: TerminalTexts): string {
  const { programs = [] } = attempt.candidate?.taken ?? {};
  switch (reason) {
    case "oracle_changed":
      return after(changesText(changesOf(attempt), texts.room, texts.listSeparator), texts);
    case "programs_changed":
      return after(namesText(namesOf(programs), texts.room, texts.listSeparator), texts);
    default:
      return after(inChecks(reason, attempt.checks, texts), texts);
  }
}

function withDetail(reason: Reason, checks: readonly CheckEnded[], texts: TerminalTexts): string {
  return texts.reason[reason] + after(inChecks(reason, checks, texts), texts);
}

function inChecks(reason: Reason, checks: readonly CheckEnded[], texts: TerminalTexts): string {
  const { room: words, listSeparator, partSeparator } = texts;
  const rooms = checks.flatMap(({ room }) => room ?? []);
  const listed = (files: readonly string[]): string =>
    namesText(namesOf(distinct(files)), words, listSeparator);
  switch (reason) {
    case "room_failed": {
      const problems = rooms.flatMap(({ problem }) => problem ?? []);
      return problems.map((problem) => problemText(problem, words)).join(partSeparator);
    }
    case "dependencies_missing": {
      const missing = checks.flatMap(missingDependencies);
      return missing.map((setUp) => words.missing(missingTexts(setUp))).join(partSeparator);
    }
    case "exited_by_product":
      return listed(rooms.flatMap(({ findings }) => findings?.exitedBy ?? []));
    case "tests_rewritten":
      return listed(rooms.flatMap(({ rewritten }) => rewritten.some));
    case "own_tests_failed": {
      const red = checks.flatMap((check) => failedCandidateTests(check) ?? []);
      return red.map((run) => runText(run, texts)).join(partSeparator);
    }
    default:
      return "";
  }
}

function after(detail: string, { colon }: TerminalTexts): string {
  return detail === "" ? "" : colon + detail;
}

/** The result of a test command on the base: `214 tests, 2 fail already`; `exit 1` if it named no tests. */
export function baseText(event: BaseChecked, texts: TerminalTexts): string {
  const { process, tests, from, notStarted } = event;
  if (notStarted?.why === "setup_failed") return texts.room.notRunAfterSetup;
  const known = from === undefined ? [] : [texts.room.baseKnown(visible(from))];
  if (!tests) return [endText(process.end, texts), ...known].join(texts.listSeparator);
  const ended = [...(process.end.kind === "exited" ? [] : [endText(process.end, texts)]), ...known];
  const { passed, failed, skipped } = tests;
  return [texts.room.baseTests(passed + failed + skipped, failed, skipped), ...ended].join(
    texts.listSeparator,
  );
}

/** `npm test: 214 tests, 2 fail already` */
export function baseCommandText(event: BaseChecked, texts: TerminalTexts): string {
  return `${visible(event.process.command)}${texts.colon}${baseText(event, texts)}`;
}

/** `base a1b2c3d`, or `base` without any commit. */
export function baseName({ base }: RunState, texts: TerminalTexts): string {
  const commit = base?.taken.commit;
  return commit ? `${texts.room.base} ${visible(commit.slice(0, 7))}` : texts.room.base;
}

/** Warnings about a base before the work begins. */
export function baseWarnings(event: BaseTaken, texts: TerminalTexts): readonly string[] {
  return [...inheritedTexts(event, texts), ...event.weak.map((weakness) => texts.room.weak[weakness])];
}

function inheritedTexts(
  { inherited: { count, some }, folder }: BaseTaken,
  { room, listSeparator }: TerminalTexts,
): readonly string[] {
  if (count === 0) return [];
  const words = (files: readonly InheritedFile[]): string =>
    files.map(({ path }) => shellWord(relative(folder, path))).join(" ");
  const added = some.filter((file) => file.added && !file.restores);
  const restored = some.filter((file) => file.restores);
  const commands = [
    ...distinct(restored.map(({ runId }) => runId)).map((runId) => {
      const files = restored.filter((file) => file.runId === runId);
      return `agent-foreman restore ${runId} ${words(files)}`;
    }),
    ...(added.length === 0 ? [] : [`rm ${words(added)}`]),
  ];
  return [
    ...distinct(some.map(({ runId }) => runId)).map((runId) => {
      const paths = some.filter((file) => file.runId === runId).map(({ path }) => path);
      const names = { count: paths.length + count - some.length, some: paths };
      return room.inherited(visible(runId), namesText(names, room, listSeparator));
    }),
    room.inheritedWayOut(commands.map(visible)),
  ];
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

export interface TreeNews {
  readonly text: string;
  readonly isWarning: boolean;
}

/** News about the tree that a turn left; `all`: also changes that the checks merely do not see. */
export function treeNews(
  event: CandidateTaken,
  attempt: Attempt | undefined,
  state: RunState,
  texts: TerminalTexts,
  all: boolean,
): readonly TreeNews[] {
  const { room, listSeparator } = texts;
  const changes =
    attempt && state.mode.protectsTests(state, attempt)
      ? changesOf({ ...attempt, candidate: asTaken(event) })
      : [];
  const onlyMore = changes.every(mayAddTests);
  const files = changesText(changes, room, listSeparator);
  const listed = (paths: readonly string[]): string => namesText(namesOf(paths), room, listSeparator);
  return [
    ...(changes.length === 0
      ? []
      : [{ text: onlyMore ? room.extended(files) : room.changed(files), isWarning: !onlyMore }]),
    ...(event.allowed.length === 0 ? [] : [{ text: room.allowed(listed(event.allowed)), isWarning: false }]),
    ...(event.programs.length === 0
      ? []
      : [{ text: room.programs(listed(event.programs)), isWarning: true }]),
    ...(event.lost && isNews(event, state)
      ? [{ text: texts.changes.lost(lostText(event.lost, texts)), isWarning: true }]
      : []),
    ...(all && event.hidden.count > 0
      ? [{ text: room.hidden(namesText(event.hidden, room, listSeparator)), isWarning: false }]
      : []),
  ];
}

/** A loss in an earlier attempt was reported there. */
function isNews({ attempt, lost }: CandidateTaken, { attempts }: RunState): boolean {
  const before = attempts.find(({ index }) => index === attempt - 1)?.candidate?.taken.lost;
  return lost?.some.some(({ path }) => !before?.some.some((file) => file.path === path)) === true;
}

/** A story shows the tree of the event, which may have been taken again since. */
function asTaken(taken: CandidateTaken): Attempt["candidate"] {
  return { taken, times: 1, confirmed: false, decided: null };
}
