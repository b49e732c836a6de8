import { join } from "node:path";
import { globMatcher } from "../domain/board/globs.ts";
import type { Decision } from "../domain/decision.ts";
import type { CheckEnded, RunEvent } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { succeeded, type Captured } from "../domain/process-end.ts";
import type { BaseChecked, CheckInRoom, OwnRun } from "../domain/room/event.ts";
import { changesOf } from "../domain/room/held.ts";
import { canBeAmong } from "../domain/secret.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { against } from "../domain/tests/against.ts";
import { compareTests } from "../domain/tests/compare-tests.ts";
import { NAMES_TOLD, type TestFindings } from "../domain/tests/findings.ts";
import { parseResults } from "../domain/tests/kept-results.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { knownBase } from "./base.ts";
import { BASE_STALL_MS } from "./check-base.ts";
import { candidateOf, isAsTaken, namesOf, viewForCheck } from "./candidate.ts";
import { asOnBase } from "./put-back.ts";
import { evidenceDir } from "./evidence-dir.ts";
import { isNamed } from "./new-tests.ts";
import type { RunContext } from "./ports.ts";
import { NO_OWN_TESTS, withOwnTests } from "./own-tests.ts";
import {
  failingIn,
  isFailure,
  ownRun,
  passed,
  SILENCE,
  withoutAssertions,
  type CheckSpec,
  type Ran,
  type Runs,
  type WhoseTests,
} from "./ran.ts";
import type { View } from "./rooms.ts";
import { endedByProduct, markTests, needsBase, type MarkedTests } from "./test-ends.ts";
import { endsFile, runInRoom, type RoomRequest } from "./run-in-room.ts";
import { isWatched, keepResults } from "./tests-seen.ts";
import { readKept } from "./turn-files.ts";

/** Collects the evidence of one test command. A tree that has become another one since it was taken is taken anew. */
export async function checkInRoom(
  decision: Decision & { do: "run_check" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const { attempt, phase, index, command } = decision;
  const view = viewForCheck(state, context);
  if (!isAsTaken(view, state)) return candidateOf(attempt, view);
  // The same again would show the same.
  const seen = lastAttempt(state)?.checks.find((check) => check.process.command === command);
  if (seen) return { ...seen, phase, index };
  const name = join(evidenceDir(state, context), `${phase}-${index}`);
  const evidence = await new CheckRuns({ command, view, name }, state, context).all();
  return evidence && { type: "check_ended", attempt, phase, index, ...evidence };
}

type Evidence = Pick<CheckEnded, "process" | "output"> & { readonly room: CheckInRoom };

/** Tests that hung on the base are not waited for as long again. */
const STALL_AGAIN_MS = 5000;

/**
 * The runs of one check. The run with the original protected files decides; it is repeated where it may have failed by chance. A run
 * with the agent's own files follows where these differ, and one of them on the original product where tests failed there. The last run
 * is on the original files, if the command failed on them before. Null, anywhere: the run was cut short and shows nothing.
 */
class CheckRuns implements Runs {
  readonly spec: CheckSpec;
  readonly state: RunState;
  readonly context: RunContext;
  readonly onBase: BaseChecked | undefined;
  readonly base: TestReport | null;
  /** Tests that the base does not have could silence those that it has. */
  readonly #newTests: readonly string[];
  /** Whether the agent changed protected files. */
  readonly #isEdited: boolean;

  constructor(spec: CheckSpec, state: RunState, context: RunContext) {
    this.spec = spec;
    this.state = state;
    this.context = context;
    this.onBase = state.base?.checks.find(({ process }) => process.command === spec.command);
    this.base = this.onBase?.tests ? parseResults(keptResults(this.onBase.tests.kept)) : null;
    // Where the base has no tests, or nobody knows them, or the command asks for the new ones, they are all there is to see.
    const { tests } = this.onBase ?? {};
    const hasTests =
      this.onBase !== undefined && (tests ? tests.passed + tests.failed > 0 : spec.view.baseTested);
    const folder = state.base?.taken.folder ?? "";
    const mayHide = hasTests && spec.view.frozen;
    this.#newTests = mayHide
      ? spec.view.newTests.filter((path) => !isNamed(path, folder, spec.command, spec.view.baseFolders))
      : [];
    const changes = changesOf(lastAttempt(state) ?? { candidate: null });
    this.#isEdited = changes.length > 0;
  }

  async all(): Promise<Evidence | null> {
    const first = await this.#frozen("");
    if (!first) return null;
    const again = this.#mayBeChance(first) ? await this.#frozen(".again") : first;
    if (!again) return null;
    const byChance = again !== first && passed(again);
    const decisive = byChance ? again : first;
    const mayPass = passed(decisive) || this.#mayPassByOwn(decisive);
    const edits = mayPass
      ? await withOwnTests(this, decisive, {
          isEdited: this.#isEdited,
          hasNewTests: this.#newTests.length > 0,
        })
      : NO_OWN_TESTS;
    if (!edits) return null;
    const flaky = byChance ? failingIn(first.findings) : null;
    const { own, lost, without } = edits;
    const mayCount = passed(decisive) && (own === null || passed(own));
    const ended = mayCount ? await this.#endedByProduct() : [];
    if (!ended) return null;
    const byOwn = !passed(decisive) && own !== null && passed(own) && this.#rewrittenIn(own).length === 0;
    const { run, findings } = byOwn ? own : this.#blaming(decisive, ended);
    const { process, stdout: output } = run.result;
    const frozen = byOwn ? ownRun(decisive) : null;
    const { problem } = run;
    const control = passed({ run, findings }) ? await this.#control() : null;
    if (control === undefined) return null;
    return {
      process,
      output,
      room: {
        findings,
        flaky,
        frozen,
        own: own && ownRun(own),
        lost,
        without,
        control,
        rewritten: namesOf(this.#rewrittenIn(byOwn ? own : decisive)),
        problem,
      },
    };
  }

  /**
   * With the agent's tests it may pass: then it is a person's to decide. And where every test of the base passed as it did there,
   * something else that the command looks at may be missing without the new ones: a share of the code that has to be tested, say, or a
   * test for each module.
   */
  #mayPassByOwn({ run, findings }: Ran): boolean {
    const { end } = run.result.process;
    if (run.problem !== null || !isFailure(end)) return false;
    if (this.#isEdited) return true;
    // On the base it came so far, or failed by tests that are told.
    const { process: before, tests } = this.onBase ?? {};
    const isKnown = before !== undefined && (succeeded(before.end) || (tests?.failed ?? 0) > 0);
    return isKnown && findings?.failed === 0 && against(findings, end).length === 0;
  }

  /**
   * The tree as it was, here and now: where the command failed on it, it has to fail still. Undefined: it was cut short. By chance a test
   * passes once, but as a rule not twice.
   */
  async #control(): Promise<OwnRun | null | undefined> {
    const put = asOnBase(this.spec.view, this.state, this.context);
    if (!put || this.onBase === undefined || succeeded(this.onBase.process.end)) return null;
    const hidden = [...this.spec.view.hidden, ...put.hidden];
    const stallMs = this.onBase.process.end.kind === "exited" ? BASE_STALL_MS : STALL_AGAIN_MS;
    let ran = await this.run(".control", "base", put.laid, hidden, stallMs);
    if (ran && succeeded(ran.run.result.process.end))
      ran = await this.run(".control", "base", put.laid, hidden, stallMs);
    return ran ? ownRun(ran) : undefined;
  }

  /** Tests that nobody but their exit code speaks for, and that did not come to their end. Where the marks are in the way, nothing is known. */
  async #endedByProduct(): Promise<readonly string[] | null> {
    const { view, command } = this.spec;
    const base = knownBase(this.state, this.context);
    const tests = markTests(view, base, command, endsFile(view.root, this.state, this.context));
    if (tests === null) return [];
    const now = await this.#marked(".ends", tests, this.#inFrozen());
    if (now === null) return null;
    const put = asOnBase(view, this.state, this.context);
    if (!passed(now) || !needsBase(tests, now.run.ends) || !put) return [];
    const hidden = [...view.hidden, ...put.hidden];
    const before = await this.#marked(".ends-base", tests, { laid: put.laid, hidden }, BASE_STALL_MS);
    const isGreen = this.onBase !== undefined && succeeded(this.onBase.process.end);
    return before && endedByProduct(tests, { now: now.run.ends, base: before.run.ends }, isGreen);
  }

  #marked(
    ending: string,
    tests: MarkedTests,
    { laid, hidden }: Pick<View, "laid" | "hidden">,
    stallMs?: number,
  ): Promise<Ran | null> {
    const paths = new Set(tests.laid.map(({ path }) => path));
    const others = laid.filter(({ path }) => !paths.has(path));
    return this.run(ending, "base", [...others, ...tests.laid], hidden, stallMs, tests.command);
  }

  #blaming({ run, findings }: Ran, tests: readonly string[]): Ran {
    const isAllowed = globMatcher(this.state.settings.room?.allow ?? []);
    const files = tests.filter((path) => !isAllowed(path));
    if (files.length === 0) return { run, findings };
    const report = run.report ?? SILENCE;
    const blamed = { ...report, exitedBy: [...report.exitedBy, ...files].slice(0, NAMES_TOLD) };
    return { run, findings: this.#findings(blamed, `${this.spec.name}.tests`, "base") };
  }

  /** With the tests as the base has them. */
  #frozen(ending: string): Promise<Ran | null> {
    const { laid, hidden } = this.#inFrozen();
    return this.run(ending, "base", laid, hidden);
  }

  #inFrozen(): Pick<View, "laid" | "hidden"> {
    const { laid, hidden, unlaid } = this.spec.view;
    return { laid, hidden: [...hidden, ...unlaid, ...this.#newTests] };
  }

  async run(
    ending: string,
    whose: WhoseTests,
    laid: RoomRequest["view"]["laid"],
    hidden: readonly string[],
    stallMs?: number,
    command = this.spec.command,
  ): Promise<Ran | null> {
    const { view, name } = this.spec;
    const seen = {
      root: view.root,
      tracked: view.files,
      files: () => [...view.files.keys(), ...view.besides()],
      laid: [...laid, ...view.restored],
      hidden: [...new Set(hidden)],
      ...view.times(),
    };
    const output = `${name}${ending}.log`;
    const { oracle, files } = knownBase(this.state, this.context);
    // The tests of the candidate may not make the rest of the tree fit either.
    const watched = (): readonly string[] =>
      [...view.files.keys()].filter((path) => (whose === "own" ? files.has(path) : isWatched(path, oracle)));
    const run = await runInRoom(
      { command, view: seen, watched, output, ...(stallMs !== undefined && { stallMs }) },
      this.state,
      this.context,
    );
    if (!run) return null;
    // Where the base told its tests, silence says that none of them ran.
    const report = run.report ?? (this.base && SILENCE);
    return { run, findings: report && this.#findings(report, `${name}${ending}.tests`, whose) };
  }

  #findings(report: TestReport, path: string, whose: WhoseTests): TestFindings {
    const isAllowed = globMatcher(this.state.settings.room?.allow ?? []);
    const changed = new Set(this.spec.view.changes.map((change) => change.path));
    const isAsOnBase = (suite: string): boolean => whose === "base" || !changed.has(suite);
    // Where protected files were changed, lost tests are no failure: they are a question for a person.
    const mayBeGone = whose === "own" && this.#isEdited ? () => true : isAllowed;
    const told = whose === "own" ? withoutAssertions(report) : report;
    const found = compareTests(this.base, told, mayBeGone, isAsOnBase, this.#mayBeNew(whose));
    return { ...found, kept: keepResults(path, report, this.context) };
  }

  /** Which suites may have tests that the base does not have. Some runners name no files: there any suite may, if new test files ran. */
  #mayBeNew(whose: WhoseTests): (suite: string) => boolean {
    const { changes, files: now, newTests } = this.spec.view;
    const { files } = knownBase(this.state, this.context);
    const changed = new Set(changes.map(({ path }) => path));
    if (whose === "own") return (suite) => !files.has(suite) || changed.has(suite);
    const someRan = newTests.length > this.#newTests.length;
    return (suite) => !files.has(suite) && (someRan || now.has(suite));
  }

  /** Where nobody knows what the tests of the base write themselves, that is not held against anybody. */
  #rewrittenIn({ run }: Ran): readonly string[] {
    const usual = this.onBase?.rewritten;
    const isAllowed = globMatcher(this.state.settings.room?.allow ?? []);
    return usual ? run.rewritten.filter((path) => !canBeAmong(usual, path) && !isAllowed(path)) : [];
  }

  /** It failed, and not by what the base fails by already. */
  #mayBeChance({ run, findings }: Ran): boolean {
    if (run.problem !== null || !isFailure(run.result.process.end)) return false;
    if (findings && findings.failed > 0) return findings.alreadyFailing.count === 0;
    return this.onBase !== undefined && succeeded(this.onBase.process.end);
  }
}

/** Without them nobody would miss a test: whoever made away with them is not to gain by it. */
function keptResults(kept: Captured): string {
  const text = readKept(kept);
  if (text === undefined) throw new Failure("base_changed", { path: kept.path });
  return text;
}
