import type { CheckEnded } from "../domain/event.ts";
import type { OracleChange } from "../domain/oracle/change.ts";
import type { CheckInRoom, OwnRun, SetUp } from "../domain/room/event.ts";
import { readSetupProblem } from "../domain/room/setup-problem.ts";
import { againstCheck } from "../domain/room/verdict.ts";
import { oneLine } from "../domain/steps/values.ts";
import type { Names, TestFailure, TestFindings } from "../domain/tests/findings.ts";
import { splitLines, visible } from "../domain/text.ts";
import type { MissingSetUp, RoomTexts, TestKind } from "../i18n/room.ts";

/** A name that goes on for ever says no more. */
const MAX_NAME = 200;
const MAX_LISTED = 5;

export interface NamedTests {
  readonly kind: TestKind;
  readonly names: Names;
  /** Why they failed, where the runner said so. */
  readonly failures: readonly TestFailure[];
}

/** The tests that are to be told by their names; what passed as before is none of them. */
export function namedTests({ findings, flaky, lost, without }: CheckInRoom): readonly NamedTests[] {
  return [
    ...namedIn(findings),
    ...named("vanished", lost),
    ...named("unproven", without?.unproven),
    ...named("revived", without?.revived),
    ...named("flaky", flaky),
  ];
}

export function namedIn(findings: TestFindings | null): readonly NamedTests[] {
  const failures = findings?.failures ?? [];
  return [
    ...named("regressed", findings?.regressed, failures),
    ...named("new_failing", findings?.newFailing, failures),
    ...named("failing", findings?.failing, failures),
    ...named("vanished", findings?.vanished),
    ...named("skipped_now", findings?.skippedNow),
    ...named("already_failing", findings?.alreadyFailing, failures),
  ];
}

function named(
  kind: TestKind,
  names: Names | null | undefined,
  failures: readonly TestFailure[] = [],
): readonly NamedTests[] {
  return names != null && names.count > 0 ? [{ kind, names, failures }] : [];
}

/** The assertion of a failed test, a line each; empty where the runner did not say why it failed. */
export function messageLines(test: string, failures: readonly TestFailure[]): readonly string[] {
  const message = failures.find((failure) => failure.test === test)?.message ?? "";
  return splitLines(message).map(visible);
}

/** Why there was no room for a check. */
export function problemText(problem: string, words: RoomTexts): string {
  const setup = readSetupProblem(problem);
  return setup ? words.setupFailed(nameText(setup.command), setup.exit) : nameText(problem);
}

/** The run with the tests as the candidate has them, where it speaks against the work. */
export function ownRed(check: CheckEnded): OwnRun | null {
  return againstCheck(check).includes("own_tests_failed") ? (check.room?.own ?? null) : null;
}

/** A name that somebody else gave, in a line of ours. */
export function nameText(name: string): string {
  return visible(oneLine(name, MAX_NAME));
}

/** `a, b and 12 more` */
export function namesText(
  { count, some }: Names,
  texts: RoomTexts,
  separator: string,
  most = MAX_LISTED,
): string {
  const shown = some.slice(0, most);
  const left = count - shown.length;
  const text = shown.map(nameText).join(separator);
  return left > 0 ? `${text} ${texts.andMore(left)}`.trimStart() : text;
}

export function namesOf(all: readonly string[]): Names {
  return { count: all.length, some: all };
}

/** `package.json: scripts.test (changed)` */
export function changeText({ path, entries, how }: OracleChange, texts: RoomTexts): string {
  const which = entries.length === 0 ? "" : `: ${entries.join(", ")}`;
  return nameText(`${path}${which} (${texts.how[how]})`);
}

export function changesText(
  changes: readonly OracleChange[],
  texts: RoomTexts,
  separator: string,
  most = MAX_LISTED,
): string {
  return namesText(namesOf(changes.map((change) => changeText(change, texts))), texts, separator, most);
}

/** Why dependencies are missing, made safe. */
export function missingTexts({ command, problem, subject }: SetUp): MissingSetUp {
  return { command: nameText(command), problem: problem ?? "failed", subject: nameText(subject ?? "") };
}
