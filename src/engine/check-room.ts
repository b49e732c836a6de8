import { join, posix } from "node:path";
import { globMatcher } from "../domain/board/globs.ts";
import type { Decision } from "../domain/decision.ts";
import type { CheckEnded, RunEvent } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { succeeded, type Captured, type ProcessEnd } from "../domain/process-end.ts";
import type { BaseChecked, CheckInRoom, OwnRun } from "../domain/room/event.ts";
import { changesOf, mayAddTests, mayTakeAnew } from "../domain/room/held.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { compareTests } from "../domain/tests/compare-tests.ts";
import type { Names, TestFindings } from "../domain/tests/findings.ts";
import { parseResults, writeResults } from "../domain/tests/kept-results.ts";
import { proofOf } from "../domain/tests/proof.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { takeBase } from "./base.ts";
import { candidateOf, isAsTaken, viewForCheck, withoutWork } from "./candidate.ts";
import { evidenceDir } from "./evidence-dir.ts";
import { keep, makeKeptDirectory } from "./keep.ts";
import type { RunContext } from "./ports.ts";
import type { View } from "./rooms.ts";
import { runInRoom, type RoomRequest, type RoomRun } from "./run-in-room.ts";
import { besides, surroundingsNow } from "./surroundings.ts";
import { treeFiles } from "./tree-files.ts";
import { readKept } from "./turn-files.ts";

/** Tests that hang until somebody mends the product are not waited for: what they show there is that they fail. */
const BASE_STALL_MS = 20_000;

/** Runs a test command on the tree as it is before anybody works. A tree that has become another one since is taken anew. */
export async function checkBase(
  { phase, index, command }: Decision & { do: "check_base" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const now = treeFiles(state.settings, context);
  if (now.sha256 !== state.base?.taken.tree && mayTakeAnew(state)) return takeBase(state, context);
  const dir = join(context.paths.dir, "base", "checks");
  makeKeptDirectory(dir);
  const files = (): readonly string[] => [
    ...now.files.keys(),
    ...besides(surroundingsNow(now.root, context), []),
  ];
  const view = { root: now.root, files, laid: [], hidden: compiledPaths(now.files.keys()) };
  const output = join(dir, `${phase}-${index}.log`);
  const ran = await runInRoom({ command, view, output, stallMs: BASE_STALL_MS }, state, context);
  if (!ran) return null;
  // What nobody could run has no tests, and none would be missed later.
  if (ran.problem !== null) throw new Failure("room_impossible", { why: ran.problem });
  const tests = ran.report && {
    ...countsOf(ran.report),
    runners: ran.report.runners,
    kept: keepResults(join(dir, `${phase}-${index}.tests`), ran.report, context),
  };
  const { process, stdout } = ran.result;
  return { type: "base_checked", phase, index, process, output: stdout, tests } satisfies BaseChecked;
}

/** Collects the evidence of one test command. A tree that has become another one since it was taken is taken anew. */
export async function checkInRoom(
  decision: Decision & { do: "run_check" },
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const { attempt, phase, index, command } = decision;
  const view = viewForCheck(state, context);
  if (!isAsTaken(view, state)) return candidateOf(attempt, view);
  const name = join(evidenceDir(state, context), `${phase}-${index}`);
  const evidence = await new CheckRuns({ command, view, name }, state, context).all();
  return evidence && { type: "check_ended", attempt, phase, index, ...evidence };
}

type Evidence = Pick<CheckEnded, "process" | "output"> & { readonly room: CheckInRoom };

interface CheckSpec {
  readonly command: string;
  readonly view: View;
  /** Where output and results are kept, without an ending. */
  readonly name: string;
}

const SILENCE: TestReport = { runners: [], results: [], complete: true, exitedBy: [] };

/** As the base has them, or as the candidate has. */
type WhoseTests = "base" | "own";

interface Ran {
  readonly run: RoomRun;
  readonly findings: TestFindings | null;
}

/**
 * The runs of one check: with the base's tests and what decides about them; once more where it may only have failed by chance; with the
 * candidate's own tests, where there are any; and with these on the base's product, where somebody has to know whether they would notice.
 * Null, anywhere: it was cut short, and says nothing.
 */
class CheckRuns {
  readonly #spec: CheckSpec;
  readonly #state: RunState;
  readonly #context: RunContext;
  readonly #onBase: BaseChecked | undefined;
  readonly #base: TestReport | null;
  /** Tests that the base does not have could silence those that it has. */
  readonly #newTests: readonly string[];
  readonly #changed: "not" | "grown" | "otherwise";

  constructor(spec: CheckSpec, state: RunState, context: RunContext) {
    this.#spec = spec;
    this.#state = state;
    this.#context = context;
    this.#onBase = state.base?.checks.find(({ process }) => process.command === spec.command);
    this.#base = this.#onBase?.tests ? parseResults(keptResults(this.#onBase.tests.kept)) : null;
    // Where the base has no tests, or nobody knows them, or the command asks for the new ones, they are all there is to see.
    const { tests } = this.#onBase ?? {};
    const hasTests =
      this.#onBase !== undefined && (tests ? tests.passed + tests.failed > 0 : spec.view.baseTested);
    const folder = state.base?.taken.folder ?? "";
    const mayHide = hasTests && spec.view.frozen;
    this.#newTests = mayHide ? spec.view.newTests.filter((path) => !isNamed(path, spec, folder)) : [];
    const changes = changesOf(lastAttempt(state) ?? { candidate: null });
    this.#changed = changes.length === 0 ? "not" : changes.every(mayAddTests) ? "grown" : "otherwise";
  }

  async all(): Promise<Evidence | null> {
    const first = await this.#frozen("");
    if (!first) return null;
    const again = this.#mayBeChance(first) ? await this.#frozen(".again") : first;
    if (!again) return null;
    const byChance = again !== first && passed(again);
    const decisive = byChance ? again : first;
    const added = passed(decisive) ? await this.#added() : { own: null, without: null };
    if (!added) return null;
    const { process, stdout: output } = decisive.run.result;
    const flaky = byChance ? failingIn(first.findings) : null;
    const { problem } = decisive.run;
    return { process, output, room: { findings: decisive.findings, flaky, ...added, problem } };
  }

  /** With the tests as the base has them. */
  #frozen(ending: string): Promise<Ran | null> {
    const { view } = this.#spec;
    return this.#run(ending, "base", view.laid, [...view.hidden, ...view.unlaid, ...this.#newTests]);
  }

  async #added(): Promise<Pick<CheckInRoom, "own" | "without"> | null> {
    const { view, command } = this.#spec;
    const grown = this.#changed === "grown";
    const isAsked = this.#state.settings.room?.proveTests === true;
    const hasNew = this.#newTests.length > 0 || (isAsked && view.newTests.length > 0);
    if (!grown && !this.#isForPerson() && !(this.#changed === "not" && hasNew))
      return { own: null, without: null };
    const own = await this.#run(".own", "own", [], view.hidden);
    if (!own) return null;
    if (!passed(own) || !(grown || isAsked)) return { own: ownRun(own), without: null };
    const { laid, hidden } = withoutWork(view, this.#state, this.#context);
    const ran = await this.#run(".without", "own", laid, [...view.hidden, ...hidden]);
    if (!ran) return null;
    const proof = proofOf(this.#base, own.run.report, ran.run.report);
    // A command that is green on the base without telling of tests is no test of the work.
    const failedOnBase = this.#onBase !== undefined && !succeeded(this.#onBase.process.end);
    const blind = failedOnBase && ran.run.report === null && succeeded(ran.run.result.process.end);
    const unproven = blind ? { count: 1, some: [command] } : proof.unproven;
    const asked = isAsked ? unproven : { count: 0, some: [] };
    return { own: ownRun(own), without: { ...ownRun(ran), revived: proof.revived, unproven: asked } };
  }

  /** Whoever is asked to allow what became of the tests has to know that they pass. */
  #isForPerson(): boolean {
    return this.#changed === "otherwise" && this.#state.interactive;
  }

  async #run(
    ending: string,
    whose: WhoseTests,
    laid: RoomRequest["view"]["laid"],
    hidden: readonly string[],
  ): Promise<Ran | null> {
    const { command, view, name } = this.#spec;
    const files = (): readonly string[] => [...view.files.keys(), ...view.besides()];
    const seen = { root: view.root, files, laid, hidden: [...new Set(hidden)], ...view.times() };
    const output = `${name}${ending}.log`;
    const run = await runInRoom({ command, view: seen, output }, this.#state, this.#context);
    if (!run) return null;
    // Where the base told its tests, silence says that none of them ran.
    const report = run.report ?? (this.#base && SILENCE);
    return { run, findings: report && this.#findings(report, `${name}${ending}.tests`, whose) };
  }

  #findings(report: TestReport, path: string, whose: WhoseTests): TestFindings {
    const isAllowed = globMatcher(this.#state.settings.room?.allow ?? []);
    const changed = new Set(this.#spec.view.changes.map((change) => change.path));
    const isAsOnBase = (suite: string): boolean => whose === "base" || !changed.has(suite);
    // Which of them are gone is what the person is asked about.
    const mayBeGone = whose === "own" && this.#isForPerson() ? () => true : isAllowed;
    const found = compareTests(this.#base, report, mayBeGone, isAsOnBase);
    return { ...found, kept: keepResults(path, report, this.#context) };
  }

  /** It failed, and not by what the base fails by already. */
  #mayBeChance({ run, findings }: Ran): boolean {
    if (run.problem !== null || !isFailure(run.result.process.end)) return false;
    if (findings && findings.failed > 0) return findings.alreadyFailing.count === 0;
    return this.#onBase !== undefined && succeeded(this.#onBase.process.end);
  }
}

/** Without them nobody would miss a test: whoever made away with them is not to gain by it. */
function keptResults(kept: Captured): string {
  const text = readKept(kept);
  if (text === undefined) throw new Failure("base_changed", { path: kept.path });
  return text;
}

/** Whether the command asks for this test, and not for a folder in which the base has some. */
function isNamed(path: string, { command, view }: CheckSpec, folder: string): boolean {
  return command.split(/[\s'"=]+/).some((word) => {
    const named = posix.join(folder, word.replace(/\/$/, ""));
    if (path === named || (word.includes(".") && path.endsWith(`/${word}`))) return true;
    return path.startsWith(`${named}/`) && !view.baseFolders.has(named);
  });
}

function passed({ run, findings }: Ran): boolean {
  const { process, stdout: output } = run.result;
  const room = { findings, flaky: null, own: null, without: null, problem: run.problem };
  return checkPassed({ type: "check_ended", attempt: 0, phase: "full", index: 1, process, output, room });
}

/** Not one that hung, or was killed. */
function isFailure(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code !== 0;
}

function failingIn(findings: TestFindings | null): Names {
  if (!findings) return { count: 0, some: [] };
  const { regressed, newFailing } = findings;
  return { count: regressed.count + newFailing.count, some: [...regressed.some, ...newFailing.some] };
}

/** Names of tests are others' words. */
function keepResults(path: string, report: TestReport, { redactor }: RunContext): Captured {
  return keep(path, redactor.text(writeResults(report)));
}

function ownRun({ run, findings }: Ran): OwnRun {
  const { process, stdout: output } = run.result;
  return { process, output, findings };
}

function countsOf({ results }: TestReport): { passed: number; failed: number; skipped: number } {
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}
