import { DEFAULT_TEST_PATHS } from "../domain/board/read-project-env.ts";
import { globMatcher } from "../domain/board/globs.ts";
import type { OracleChange, OracleKind } from "../domain/oracle/change.ts";
import type { CandidateConfirmed, CandidateTaken } from "../domain/room/event.ts";
import { isFrozen, mayAddTests } from "../domain/room/held.ts";
import type { RunState } from "../domain/state.ts";
import { lastAttempt } from "../domain/state.ts";
import { NAMES_TOLD, type Names } from "../domain/tests/findings.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { Failure } from "../domain/failure.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { readPacked } from "../workspace/base/pack.ts";
import { readEntry } from "../workspace/base/read-entry.ts";
import type { Laid } from "../workspace/room/room.ts";
import { knownBase } from "./base.ts";
import { compareEntry, LARGEST_TEXT } from "./compare-entry.ts";
import type { KnownBase, View } from "./rooms.ts";
import type { RunContext } from "./ports.ts";
import { besides, changedAround, changedProgramsNow, surroundingsNow, timesInRoom } from "./surroundings.ts";
import { treeFiles, type TreeFiles } from "./tree-files.ts";

const isTest = globMatcher(DEFAULT_TEST_PATHS);

function viewNow(state: RunState, context: RunContext): View {
  const base = knownBase(state, context);
  const now = treeFiles(state.settings, context);
  const attempt = lastAttempt(state);
  const frozen = attempt !== undefined && isFrozen(state, attempt);
  const isAllowed = globMatcher(state.settings.room?.allow ?? []);
  const differing = frozen ? comparedWith(base, now) : [];
  const laidOver = differing.filter(({ path }) => !isAllowed(path));
  const around = surroundingsNow(now.root, context);
  const surroundings = changedAround(base.surroundings, around);
  return {
    root: now.root,
    tree: now.sha256,
    files: now.files,
    changes: differing.flatMap(({ change }) => change ?? []),
    allowed: differing.filter(({ path }) => isAllowed(path)).map(({ path }) => path),
    newTests: [...now.files.keys()].filter((path) => !base.files.has(path) && isTest(path)),
    frozen,
    baseTested: [...base.files.keys()].some((path) => isDecisive(base.oracle.kindOf(path))),
    baseFolders: foldersOf(base.files.keys()),
    laid: laidOver.flatMap(({ laid }) => laid ?? []),
    unlaid: laidOver.filter(({ laid }) => laid === null).map(({ path }) => path),
    hidden: [...surroundings.hidden, ...context.tree.ours, ...compiledPaths(now.files.keys())],
    times: () => {
      const { touched, dated } = timesInRoom(now.root, now.files, base);
      return { touched, dated: [...dated, ...surroundings.renewed] };
    },
    worthTelling: surroundings.worthTelling,
    besides: () => besides(around, surroundings.hidden),
    programs: surroundings.programs,
  };
}

function isDecisive(kind: OracleKind | null): boolean {
  return kind === "test" || kind === "script";
}

function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

interface ComparedPath {
  readonly path: string;
  readonly change: OracleChange | null;
  readonly laid: Laid | null;
}

/** The oracle's files that are not as on the base, and new ones that would belong to it. */
function comparedWith(base: KnownBase, now: TreeFiles): readonly ComparedPath[] {
  const paths = new Set([...base.files.keys(), ...now.files.keys()]);
  return [...paths].sort().flatMap((path) => {
    const before = base.files.get(path);
    const after = now.files.get(path);
    if (before === after) return [];
    const kind = before === undefined ? base.oracle.kindOfNew(path) : base.oracle.kindOf(path);
    return kind === null ? [] : compared(path, kind, base, now);
  });
}

function compared(path: string, kind: OracleKind, base: KnownBase, now: TreeFiles): readonly ComparedPath[] {
  const before = base.files.has(path) ? (readPacked(base.pack, path) ?? "unread") : null;
  const after = now.files.has(path) ? (readEntry(placeOf(now.root, path), LARGEST_TEXT) ?? "unread") : null;
  const found = compareEntry({ path, kind }, before, after, base.oracle.uses);
  return found ? [{ path, change: found.change, laid: found.laid && { path, ...found.laid } }] : [];
}

/** What puts the base's product in the place of the candidate's, and leaves the tests as the candidate has them. */
export function withoutWork(view: View, state: RunState, context: RunContext): Pick<View, "laid" | "hidden"> {
  const base = knownBase(state, context);
  const isProduct = (path: string): boolean =>
    base.files.has(path)
      ? base.oracle.kindOf(path) === null
      : !isTest(path) && base.oracle.kindOfNew(path) === null;
  const paths = new Set([...base.files.keys(), ...view.files.keys()]);
  const changed = [...paths].filter(
    (path) => base.files.get(path) !== view.files.get(path) && isProduct(path),
  );
  const laid = changed.flatMap((path) => {
    const packed = base.files.has(path) ? readPacked(base.pack, path) : null;
    return packed ? [{ path, ...packed }] : [];
  });
  return { laid, hidden: changed.filter((path) => !base.files.has(path)) };
}

export function takeCandidate(attempt: number, state: RunState, context: RunContext): CandidateTaken {
  try {
    const view = viewNow(state, context);
    context.rooms.seen = { view, events: state.events };
    return candidateOf(attempt, view);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "tree_unknown") throw error;
    return { ...candidateOf(attempt, NOTHING), unreadable: true };
  }
}

const NOTHING: Candidate = {
  tree: digestOfFiles(new Map()),
  changes: [],
  allowed: [],
  newTests: [],
  worthTelling: [],
  programs: [],
};

type Candidate = Pick<View, "tree" | "changes" | "allowed" | "newTests" | "worthTelling" | "programs">;

/** Whoever changes thousands of files must not fill the journal with their names. */
export const MOST_CHANGES = 200;

export function candidateOf(attempt: number, view: Candidate): CandidateTaken {
  const isAllowed = new Set(view.allowed);
  const isHeld = (change: OracleChange): boolean => !isAllowed.has(change.path) && !mayAddTests(change);
  // What somebody has to decide about comes first: among many others it must not be what is left out.
  const changes = [...view.changes.filter(isHeld), ...view.changes.filter((change) => !isHeld(change))];
  const told = changes.slice(0, MOST_CHANGES);
  return {
    type: "candidate_taken",
    attempt,
    tree: view.tree,
    oracle: told,
    allowed: told.map(({ path }) => path).filter((path) => isAllowed.has(path)),
    newTests: namesOf(view.newTests),
    hidden: namesOf(view.worthTelling),
    programs: programsTold(view.programs),
  };
}

/** As it was seen a moment ago, where nothing has run since. */
export function viewForCheck(state: RunState, context: RunContext): View {
  const { seen } = context.rooms;
  return seen && seen.events + 1 === state.events ? seen.view : viewNow(state, context);
}

/** Whether the checks so far were of this tree, and of these programs. */
export function isAsTaken({ tree, programs }: Pick<View, "tree" | "programs">, state: RunState): boolean {
  const taken = lastAttempt(state)?.candidate?.taken;
  return taken?.tree === tree && taken.programs.join("\0") === programsTold(programs).join("\0");
}

function programsTold(programs: readonly string[]): readonly string[] {
  return programs.slice(0, NAMES_TOLD);
}

/** The acceptance is of the tree that was checked; of another one nothing is known, and it is looked at anew. */
export function confirmCandidate(
  attempt: number,
  state: RunState,
  context: RunContext,
): CandidateConfirmed | CandidateTaken {
  const { root, sha256: tree } = treeFiles(state.settings, context);
  const programs = changedProgramsNow(knownBase(state, context).surroundings, root);
  if (!isAsTaken({ tree, programs }, state)) return candidateOf(attempt, viewNow(state, context));
  return { type: "candidate_confirmed", attempt, tree };
}

function namesOf(names: readonly string[]): Names {
  return { count: names.length, some: names.slice(0, NAMES_TOLD) };
}
