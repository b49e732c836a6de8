import type { CheckEnded } from "../../core/event.ts";
import type { ProtectedChange } from "../../core/evidence/change.ts";
import type { CheckInRoom, OwnRun, SetUp } from "../../core/evidence/event.ts";
import { readSetupProblem } from "../setup-problem.ts";
import { reasonsAgainstCheck } from "../verdict.ts";
import { oneLine } from "../../text/json/values.ts";
import type { Names, TestFailure, TestFindings } from "../../core/evidence/findings.ts";
import { splitLines, visible } from "../../text/text.ts";
import type { MissingSetUp, RoomTexts, TestKind } from "../words/room.ts";

/** The rest of a longer name adds nothing. */
const MAX_NAME = 200;
const MAX_LISTED = 5;

export interface NamedTests {
  readonly kind: TestKind;
  readonly names: Names;
  /** Their error messages, if the runner gave any. */
  readonly failures: readonly TestFailure[];
}

/** The tests to list by name; tests that passed as before are left out. */
export function namedTests({ findings, flaky, lost, baseProduct }: CheckInRoom): readonly NamedTests[] {
  return [
    ...namedIn(findings),
    ...named("vanished", lost),
    ...named("unproven", baseProduct?.unproven),
    ...named("revived", baseProduct?.revived),
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

/** The assertion of a failed test, one line each; empty without a message of the runner. */
export function messageLines(test: string, failures: readonly TestFailure[]): readonly string[] {
  const message = failures.find((failure) => failure.test === test)?.message ?? "";
  return splitLines(message).map(visible);
}

/** Why there was no room for a check. */
export function problemText(problem: string, words: RoomTexts): string {
  const setup = readSetupProblem(problem);
  return setup ? words.setupFailed(nameText(setup.command), setup.exit) : nameText(problem);
}

/** The run with the agent's tests, if it is a reason to reject the work. */
export function failedCandidateTests(check: CheckEnded): OwnRun | null {
  return reasonsAgainstCheck(check).includes("own_tests_failed")
    ? (check.room?.candidateTests ?? null)
    : null;
}

/** An external name made safe for a line of ours. */
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
export function changeText({ path, entries, how }: ProtectedChange, texts: RoomTexts): string {
  const which = entries.length === 0 ? "" : `: ${entries.join(", ")}`;
  return nameText(`${path}${which} (${texts.how[how]})`);
}

export function changesText(
  changes: readonly ProtectedChange[],
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
