import { join } from "node:path";
import { globMatcher } from "../../text/globs.ts";
import type { Decision } from "../../core/decision.ts";
import type { RunEvent } from "../../core/event.ts";
import { Failure } from "../../platform/failure.ts";
import { succeeded, type Artifact } from "../../platform/process/process-end.ts";
import { baseResult, checkSoFar } from "../check.ts";
import type { BaseChecked, TestRun, TestRunEnded } from "../../core/evidence/event.ts";
import {
  BASE_PRODUCT,
  CANDIDATE_TESTS,
  knownBefore,
  MARKED_CONTROL,
  MARKED_TESTS,
  nextRun,
  type CheckSoFar,
} from "../plan.ts";
import { readRuns, sameRun } from "../runs.ts";
import { canBeAmong } from "../../text/secret.ts";
import type { RunState } from "../../core/state.ts";
import { compareTests } from "../results/compare-tests.ts";
import { firstNames, MAX_NAMES, type TestFindings } from "../../core/evidence/findings.ts";
import { parseResults } from "../results/kept-results.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { readKept } from "../../platform/files/kept.ts";
import { knownBase } from "../base/base.ts";
import { candidateOf, matchesCandidate, viewForCheck } from "./candidate.ts";
import { BASE_STALL_MS } from "../base/check-base.ts";
import { evidenceDir } from "./evidence-dir.ts";
import { writeArtifact } from "../../platform/files/artifact.ts";
import { isNamed } from "./new-tests.ts";
import { lostTestsIn, proofIn } from "./own-tests.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import { wholeBase, withoutWork } from "./put-back.ts";
import type { View } from "./rooms.ts";
import { endsFile, runInRoom, type RoomRun } from "./run-in-room.ts";
import { endedByProduct, markTests, needsBase, type MarkedTests } from "./test-ends.ts";
import { isWatched, keepResults } from "./tests-seen.ts";

/** Makes one run of a check. If the tree has changed since it was taken, takes it again and discards the old results. */
export async function runTests(
  decision: Decision & { do: "run_tests" },
  state: RunState,
  context: EvidenceContext,
): Promise<RunEvent | null> {
  const view = viewForCheck(state, context);
  if (matchesCandidate(view, state)) return new TestRunner(decision, view, state, context).run(decision.run);
  context.rooms.seen = { view, events: state.events };
  return candidateOf(decision.attempt, view);
}

/** Tests that hung on the base get less time. */
const STALL_AGAIN_MS = 5000;

/** The report of a run without any test. */
const SILENCE: TestReport = { runners: [], results: [], complete: true, exitedBy: [] };

/** The view of a run, and its name. */
interface Scene extends Pick<View, "laid" | "hidden"> {
  /** The suffix of its file names. */
  readonly ending: string;
  readonly command?: string;
  readonly stallMs?: number | undefined;
}

type Extras = Pick<TestRunEnded, "lost" | "proof" | "unfinished" | "blamed">;

class TestRunner {
  readonly #decision: Decision & { do: "run_tests" };
  readonly #view: View;
  readonly #state: RunState;
  readonly #context: EvidenceContext;
  /** The path of output and results, without a suffix. */
  readonly #name: string;
  readonly #check: CheckSoFar;
  readonly #onBase: BaseChecked | undefined;
  readonly #base: TestReport | null;
  /** Tests that are new since the base could silence the original ones. */
  readonly #newTests: readonly string[];

  constructor(
    decision: Decision & { do: "run_tests" },
    view: View,
    state: RunState,
    context: EvidenceContext,
  ) {
    const { phase, index, command } = decision;
    this.#decision = decision;
    this.#view = view;
    this.#state = state;
    this.#context = context;
    this.#name = join(evidenceDir(state, context), `${phase}-${index}`);
    this.#check = checkSoFar(state, decision);
    this.#onBase = baseResult(state, command);
    this.#base = this.#onBase?.tests ? reportIn(this.#onBase.tests.kept) : null;
    // If the base has no known tests, or the command names the new ones, the new ones are the only ones to run.
    const { tests } = this.#onBase ?? {};
    const hasTests =
      this.#onBase !== undefined && (tests ? tests.passed + tests.failed > 0 : view.baseTested);
    const folder = state.base?.taken.folder ?? "";
    const mayHide = hasTests && view.frozen;
    this.#newTests = mayHide
      ? view.newTests.filter((path) => !isNamed(path, folder, command, view.baseFolders))
      : [];
  }

  /** Null: the run was cut short and shows nothing. */
  async run(run: TestRun): Promise<TestRunEnded | null> {
    const scene = this.#sceneOf(run);
    const ran = await this.#inRoom(run, scene);
    if (!ran) return null;
    const { attempt, phase, index, command } = this.#decision;
    const { setUps } = ran;
    // If the base reported its tests, silence means that none of them ran.
    const report = ran.report ?? (this.#base && SILENCE);
    const event: TestRunEnded = {
      type: "test_run_ended",
      attempt,
      phase,
      index,
      tests: run.tests,
      product: run.product,
      marked: run.marked,
      process: { ...ran.result.process, command },
      output: ran.result.stdout,
      findings: report && this.#findings(report, `${this.#name}${scene.ending}.tests`, run),
      rewritten: firstNames(this.#rewrittenIn(ran)),
      problem: ran.problem,
      ruledOut: [],
      ...(setUps.length > 0 && { setUps }),
      ...this.#extrasOf(run, ran),
    };
    return this.#withRuledOut(event);
  }

  /** Looks ahead, so that no run starts that could show nothing new. */
  #withRuledOut(event: TestRunEnded): TestRunEnded {
    const { runs } = this.#check;
    const next = nextRun({ ...this.#check, runs: [...runs, event] }, this.#onBase);
    if (next === "done" || this.#isOfUse(next)) return event;
    return this.#withRuledOut({ ...event, ruledOut: [...event.ruledOut, next] });
  }

  #isOfUse(run: TestRun): boolean {
    if (sameRun(run, MARKED_TESTS)) return this.#marks() !== null;
    if (sameRun(run, CANDIDATE_TESTS))
      return this.#check.isEdited || this.#check.provesTests || this.#newTests.length > 0;
    return run.product === "candidate" || run.tests === "candidate" || this.#original() !== null;
  }

  #sceneOf(run: TestRun): Scene {
    const { laid, hidden } = this.#view;
    const { first, original, controls } = readRuns(this.#check.runs);
    if (sameRun(run, CANDIDATE_TESTS)) {
      // If the original tests fail, these runs only inform a person's decision, so they are ended early if they hang.
      const stallMs = original?.passed === true ? undefined : BASE_STALL_MS;
      return { ending: ".own", laid: [], hidden, stallMs };
    }
    if (sameRun(run, BASE_PRODUCT)) {
      const put = withoutWork(this.#view, this.#state, this.#context);
      return { ending: ".without", laid: put.laid, hidden: [...hidden, ...put.hidden] };
    }
    const isControl = run.product === "base";
    const put = isControl ? this.#original() : { laid, hidden: [...this.#view.unlaid, ...this.#newTests] };
    if (!put) throw new Error("the original files were not kept");
    const scene = { laid: put.laid, hidden: [...hidden, ...put.hidden] };
    if (run.marked) return this.#marked(scene, isControl);
    if (!isControl) return { ...scene, ending: first ? ".again" : "" };
    const hung = this.#onBase && this.#onBase.process.end.kind !== "exited";
    const ending = controls.length > 0 ? ".control-again" : ".control";
    return { ...scene, ending, stallMs: hung ? STALL_AGAIN_MS : BASE_STALL_MS };
  }

  #marked({ laid, hidden }: Pick<View, "laid" | "hidden">, isControl: boolean): Scene {
    const tests = this.#marks();
    if (!tests) throw new Error("there is nothing to mark");
    const paths = new Set(tests.laid.map(({ path }) => path));
    const others = laid.filter(({ path }) => !paths.has(path));
    return {
      ending: isControl ? ".ends-base" : ".ends",
      laid: [...others, ...tests.laid],
      hidden,
      command: tests.command,
      ...(isControl && { stallMs: BASE_STALL_MS }),
    };
  }

  #marks(): MarkedTests | null {
    const ends = endsFile(this.#view.root, this.#state, this.#context);
    return markTests(this.#view, knownBase(this.#state, this.#context), this.#decision.command, ends);
  }

  /** Null: not all original files were kept. */
  #original(): Pick<View, "laid" | "hidden"> | null {
    return wholeBase(this.#view, this.#state, this.#context);
  }

  #inRoom(run: TestRun, scene: Scene): ReturnType<typeof runInRoom> {
    const view = this.#view;
    const { laid, hidden, ending, command = this.#decision.command, stallMs } = scene;
    const seen = {
      root: view.root,
      tracked: view.files,
      files: () => [...view.files.keys(), ...view.besides()],
      laid: [...laid, ...view.restored],
      hidden: [...new Set(hidden)],
      ...view.times(),
    };
    const output = `${this.#name}${ending}.log`;
    const { protectedFiles, files } = knownBase(this.#state, this.#context);
    // The candidate's tests may not adapt the rest of the tree either.
    const isKept = (path: string): boolean =>
      run.tests === "candidate" ? files.has(path) : isWatched(path, protectedFiles);
    const watched = (): readonly string[] => [...view.files.keys()].filter(isKept);
    return runInRoom(
      { command, view: seen, watched, output, ...(stallMs !== undefined && { stallMs }) },
      this.#state,
      this.#context,
    );
  }

  #extrasOf(run: TestRun, ran: RoomRun): Extras {
    if (sameRun(run, CANDIDATE_TESTS) && this.#check.isEdited) return { lost: this.#lostIn(ran) };
    if (sameRun(run, BASE_PRODUCT)) return { proof: this.#proofIn(ran) };
    if (sameRun(run, MARKED_TESTS)) return this.#unfinishedIn(ran);
    return sameRun(run, MARKED_CONTROL) ? this.#blamedBy(ran) : {};
  }

  #lostIn({ report }: RoomRun): Extras["lost"] & object {
    const { original } = readRuns(this.#check.runs);
    const ofOriginal = original?.passed === true ? reportOf(original) : null;
    return lostTestsIn(report ?? SILENCE, {
      view: this.#view,
      base: knownBase(this.#state, this.#context),
      originals: ofOriginal ?? this.#base,
      isWhole: ofOriginal === null,
      isAllowed: this.#isAllowed(),
    });
  }

  #proofIn({ report, result }: RoomRun): Extras["proof"] & object {
    const { own, controls } = readRuns(this.#check.runs);
    const [control] = this.#onBase ? [] : controls;
    return proofIn(report, {
      before: control ? reportOf(control) : this.#base,
      own: own ? reportOf(own) : null,
      command: this.#decision.command,
      // The command's exit code alone would not show that the work is missing.
      isBlind: !knownBefore(this.#check, this.#onBase).succeeded && succeeded(result.process.end),
      provesTests: this.#check.provesTests,
    });
  }

  #unfinishedIn({ ends }: RoomRun): Extras {
    const tests = this.#marks();
    if (!tests || !needsBase(tests, ends)) return {};
    return { unfinished: writeArtifact(`${this.#name}.ends.marks`, ends) };
  }

  #blamedBy({ ends }: RoomRun): Extras {
    const tests = this.#marks();
    const { original, marked } = readRuns(this.#check.runs);
    if (!tests || !original || !marked?.unfinished) return {};
    const isGreen = this.#onBase !== undefined && succeeded(this.#onBase.process.end);
    const isAllowed = this.#isAllowed();
    const files = endedByProduct(tests, { now: textOf(marked.unfinished), base: ends }, isGreen).filter(
      (path) => !isAllowed(path),
    );
    if (files.length === 0) return {};
    const report = reportOf(original) ?? SILENCE;
    const blamed = { ...report, exitedBy: [...report.exitedBy, ...files].slice(0, MAX_NAMES) };
    return { blamed: this.#findings(blamed, `${this.#name}.blamed.tests`, original) };
  }

  #findings(report: TestReport, path: string, { tests }: Pick<TestRun, "tests">): TestFindings {
    const isOwn = tests === "candidate";
    const changed = new Set(this.#view.changes.map((change) => change.path));
    const isAsOnBase = (suite: string): boolean => !isOwn || !changed.has(suite);
    // If protected files were changed, lost tests are not a failure but a question for a person.
    const mayBeGone = isOwn && this.#check.isEdited ? () => true : this.#isAllowed();
    const seen = isOwn ? withoutAssertions(report) : report;
    const found = compareTests(this.#base, seen, mayBeGone, isAsOnBase, this.#mayBeNew(isOwn));
    return { ...found, kept: keepResults(path, report, this.#context) };
  }

  /** Which suites may have tests that are new since the base. For runners that name no files, any suite may if new test files ran. */
  #mayBeNew(isOwn: boolean): (suite: string) => boolean {
    const { changes, files: now, newTests } = this.#view;
    const { files } = knownBase(this.#state, this.#context);
    const changed = new Set(changes.map(({ path }) => path));
    if (isOwn) return (suite) => !files.has(suite) || changed.has(suite);
    const someRan = newTests.length > this.#newTests.length;
    return (suite) => !files.has(suite) && (someRan || now.has(suite));
  }

  /** If it is unknown which files the base's tests rewrite, rewritten files do not count against the work. */
  #rewrittenIn({ rewritten }: RoomRun): readonly string[] {
    const usual = this.#onBase?.rewritten;
    const isAllowed = this.#isAllowed();
    return usual ? rewritten.filter((path) => !canBeAmong(usual, path) && !isAllowed(path)) : [];
  }

  #isAllowed(): (path: string) => boolean {
    return globMatcher(this.#state.settings.room?.allow ?? []);
  }
}

/** Tests may replace Node's functions. The run with the base's tests shows whether the product did. */
function withoutAssertions(report: TestReport): TestReport {
  return { ...report, exitedBy: report.exitedBy.filter((file) => !file.startsWith("node:")) };
}

/** Null: it reported nothing. */
function reportOf({ findings }: TestRunEnded): TestReport | null {
  const report = findings && reportIn(findings.kept);
  return report && (report.runners.length > 0 || report.exitedBy.length > 0) ? report : null;
}

/** Without the stored results no missing test would be noticed, so an agent must not gain by removing them. */
function reportIn(kept: Artifact): TestReport | null {
  return parseResults(textOf(kept));
}

function textOf(kept: Artifact): string {
  const text = readKept(kept);
  if (text === undefined) throw new Failure("base_changed", { path: kept.path });
  return text;
}
