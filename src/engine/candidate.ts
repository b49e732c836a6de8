import fs from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { DEFAULT_TEST_PATHS } from "../domain/board/read-project-env.ts";
import { globMatcher } from "../domain/board/globs.ts";
import type { OracleChange, OracleKind } from "../domain/oracle/change.ts";
import { inlineTests, mayHaveInlineTests } from "../domain/oracle/inline-tests.ts";
import type { CandidateConfirmed, CandidateTaken } from "../domain/room/event.ts";
import { isFrozen, mayAddTests } from "../domain/room/held.ts";
import type { RunState } from "../domain/state.ts";
import { lastAttempt } from "../domain/state.ts";
import { canHaveBeen } from "../domain/secret.ts";
import { NAMES_TOLD, type Names } from "../domain/tests/findings.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { addedComments } from "../domain/silencing.ts";
import { Failure } from "../domain/failure.ts";
import { compiledPaths } from "../workspace/base/compiled.ts";
import { foldersOf } from "../workspace/base/folders.ts";
import { readPacked } from "../workspace/base/pack.ts";
import { readEntry } from "../workspace/base/read-entry.ts";
import type { Laid } from "../workspace/room/room.ts";
import { knownBase, startBase } from "./base.ts";
import { noLongerIgnored, restoredFiles } from "./ignored-files.ts";
import { compareEntry, LARGEST_TEXT, textOf } from "./compare-entry.ts";
import { isTestData, leftOutOfBaseTests } from "./new-tests.ts";
import { forgetFailedSetUps } from "./dependencies.ts";
import type { KnownBase, View } from "./rooms.ts";
import type { RunContext } from "./ports.ts";
import { lostNow, lostOf } from "./run-changes.ts";
import { besides, changedAround, changedProgramsNow, surroundingsNow, timesInRoom } from "./surroundings.ts";
import { treeFiles, type TreeFiles } from "./tree-files.ts";

export const isTest = globMatcher(DEFAULT_TEST_PATHS);

function viewNow(state: RunState, context: RunContext): View {
  const base = knownBase(state, context);
  const now = treeFiles(state.settings, context);
  if (state.base?.taken.isRepository && !now.isRepository)
    throw new Failure("tree_unknown", { path: now.root });
  const attempt = lastAttempt(state);
  const frozen = attempt !== undefined && isFrozen(state, attempt);
  const isAllowed = globMatcher(state.settings.room?.allow ?? []);
  const cameOut = noLongerIgnored(base, now);
  const compared = frozen ? [...comparedWith(base, now, cameOut), ...cameOut.map(broughtIn)] : [];
  const laidOver = compared.filter(({ path }) => !isAllowed(path));
  const newTests = newTestsIn(base, now).filter((path) => !isAllowed(path));
  const around = surroundingsNow(now.root, context, base.surroundings);
  const start = startBase(state, context);
  const surroundings = changedAround(base.surroundings, around);
  if (surroundings.isUnknown) throw new Failure("tree_unknown", { path: now.root });
  return {
    root: now.root,
    tree: now.sha256,
    files: now.files,
    changes: [
      ...compared.flatMap(({ change }) => change ?? []),
      ...(frozen ? newTests.filter(isTestData).map(addedTest) : []),
    ],
    allowed: compared.filter(({ path }) => isAllowed(path)).map(({ path }) => path),
    newTests,
    frozen,
    baseTested: [...base.files.keys()].some((path) => isDecisive(base.oracle.kindOf(path))),
    baseFolders: foldersOf(base.files.keys()),
    laid: laidOver.flatMap(({ laid }) => laid ?? []),
    unlaid: laidOver.filter(({ laid }) => laid === null).map(({ path }) => path),
    hidden: [...surroundings.hidden, ...cameOut, ...context.tree.ours, ...compiledPaths(now.files.keys())],
    restored: restoredFiles(base, now),
    times: onceOnly(() => {
      const { touched, dated } = timesInRoom(now.root, now.files, base);
      return { touched, dated: [...dated, ...surroundings.renewed] };
    }),
    worthTelling: surroundings.worthTelling,
    besides: () => besides(around, surroundings.hidden),
    programs: surroundings.programs,
    lost: start ? lostNow(state, start, now) : [],
    silenced: addedComments(base.oracle.uses.tools, () => changedTexts(base, now)),
  };
}

/** Files that can be compared: what was not kept of the base says nothing about what was added. */
function changedTexts(
  base: KnownBase,
  now: TreeFiles,
): { path: string; before: string | null; after: string }[] {
  return [...now.files.keys()].flatMap((path) => {
    if (base.files.get(path) === now.files.get(path)) return [];
    const after = textNow(path, now);
    const before = base.files.has(path) ? textOnBase(path, base) : null;
    return after === null || (before === null && base.files.has(path)) ? [] : [{ path, before, after }];
  });
}

export function textOnBase(path: string, base: KnownBase): string | null {
  return textOf(readPacked(base.pack, path)?.bytes);
}

export function textNow(path: string, now: Pick<TreeFiles, "root">): string | null {
  const entry = readEntry(placeOf(now.root, path), LARGEST_TEXT);
  return entry && entry.kind !== "link" ? textOf(entry.bytes) : null;
}

function onceOnly<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What a file changed since, or new, of the product loads is the product's, whatever its name. */
function newTestsIn(base: KnownBase, now: TreeFiles): readonly string[] {
  const paths = [...now.files.keys()];
  const named = paths.filter((path) => !base.files.has(path) && isTest(path));
  const product = paths.filter(
    (path) =>
      base.files.get(path) !== now.files.get(path) && !isTest(path) && base.oracle.kindOf(path) === null,
  );
  return leftOutOfBaseTests({
    paths: named,
    product,
    textOf: (path) => textNow(path, now),
    tests: () =>
      [...base.files.keys()]
        .filter((path) => isDecisive(base.oracle.kindOf(path)))
        .flatMap((path) => textOnBase(path, base) ?? []),
    folders: foldersOf(base.files.keys()),
  });
}

function isDecisive(kind: OracleKind | null): boolean {
  return kind === "test" || kind === "script";
}

interface ComparedPath {
  readonly path: string;
  readonly change: OracleChange | null;
  readonly laid: Laid | null;
}

/** A file that nobody has looked at before. */
function broughtIn(path: string): ComparedPath {
  return { path, change: { path, kind: "shadow", how: "changed", entries: [] }, laid: null };
}

function addedTest(path: string): OracleChange {
  return { path, kind: "test", how: "added", entries: [] };
}

/** The oracle's files that are not as on the base, and new ones that would belong to it. */
export function comparedWith(
  base: KnownBase,
  now: TreeFiles,
  cameOut: readonly string[],
): readonly ComparedPath[] {
  const paths = new Set([...base.files.keys(), ...now.files.keys()]);
  for (const path of cameOut) paths.delete(path);
  return [...paths].sort().flatMap((path) => {
    const before = base.files.get(path);
    const after = now.files.get(path);
    if (before === after) return [];
    const known = before === undefined ? kindOfNew(path, base, now) : base.oracle.kindOf(path);
    const kind = known ?? (leadsOut(path, now) ? "shadow" : hasTests(path, base) ? "test" : null);
    return kind === null ? [] : comparedAt(path, kind, base, now);
  });
}

function hasTests(path: string, base: KnownBase): boolean {
  return mayHaveInlineTests(path) && inlineTests(path, textOnBase(path, base)) !== null;
}

/** What a link may lead to, by names that are looked for in a folder. */
const WITHIN = ["__init__.py", "index.js", "package.json"];

/** A link may stand for a folder, with whatever is in it. */
function kindOfNew(path: string, { oracle }: KnownBase, { files }: TreeFiles): OracleKind | null {
  const isLink = files.get(path)?.startsWith("link ") === true;
  const names = isLink ? [path, ...WITHIN.map((name) => `${path}/${name}`)] : [path];
  return names.map(oracle.kindOfNew).find((kind) => kind !== null) ?? null;
}

/** What lies there is no part of what is accepted, and may be another at any time. */
function leadsOut(path: string, { root, files }: TreeFiles): boolean {
  if (files.get(path)?.startsWith("link ") !== true) return false;
  const link = readEntry(placeOf(root, path), LARGEST_TEXT);
  const target = link?.kind === "link" ? link.bytes.toString("utf8") : "";
  const end = resolve(root, dirname(path), target);
  const way = relative(root, end);
  return (way === ".." || way.startsWith(`..${sep}`)) && fs.existsSync(end);
}

function comparedAt(
  path: string,
  kind: OracleKind,
  base: KnownBase,
  now: TreeFiles,
): readonly ComparedPath[] {
  const before = base.files.has(path) ? (readPacked(base.pack, path) ?? "unread") : null;
  const after = now.files.has(path) ? (readEntry(placeOf(now.root, path), LARGEST_TEXT) ?? "unread") : null;
  const found = compareEntry({ path, kind }, before, after, base.oracle.uses);
  return found ? [{ path, change: found.change, laid: found.laid && { path, ...found.laid } }] : [];
}

export function takeCandidate(attempt: number, state: RunState, context: RunContext): CandidateTaken {
  try {
    const view = viewNow(state, context);
    context.rooms.seen = { view, events: state.events };
    forgetFailedSetUps(context);
    return candidateOf(attempt, view);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "tree_unknown") throw error;
    return { ...candidateOf(attempt, NOTHING), unreadable: true };
  }
}

const NOTHING: Candidate = {
  tree: digestOfFiles(new Map()),
  files: new Map(),
  changes: [],
  allowed: [],
  newTests: [],
  worthTelling: [],
  programs: [],
  lost: [],
  silenced: [],
};

type Candidate = Pick<
  View,
  "tree" | "files" | "changes" | "allowed" | "newTests" | "worthTelling" | "programs" | "lost" | "silenced"
>;

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
    changesSha256: digestOfFiles(
      new Map(
        changes.flatMap(({ path }) => (isAllowed.has(path) ? [] : [[path, view.files.get(path) ?? ""]])),
      ),
    ),
    newTests: namesOf(view.newTests),
    hidden: namesOf(view.worthTelling),
    programs: programsTold(view.programs),
    ...(view.lost.length > 0 && { lost: lostOf(view.lost) }),
    ...(view.silenced.length > 0 && { silenced: view.silenced }),
  };
}

/**
 * As it was seen a moment ago, where nothing has run since but checks that cannot reach the tree, and the files that count are still the same.
 * What git ignores is not looked at again then: nobody is left who would change it.
 */
export function viewForCheck(state: RunState, context: RunContext): View {
  const { seen, kind } = context.rooms;
  if (seen) {
    const since = state.events - seen.events - 1;
    if (since === 0) return seen.view;
    const onlyChecks = since === lastAttempt(state)?.checks.length;
    if (onlyChecks && kind === "overlay" && isAsTaken(lookAgain(state, context), state)) return seen.view;
  }
  return viewNow(state, context);
}

function lookAgain(state: RunState, context: RunContext): Pick<View, "tree" | "programs"> {
  const { root, sha256: tree } = treeFiles(state.settings, context);
  return { tree, programs: changedProgramsNow(knownBase(state, context).surroundings, root) };
}

/** Whether the checks so far were of this tree, and of these programs. */
export function isAsTaken({ tree, programs }: Pick<View, "tree" | "programs">, state: RunState): boolean {
  const taken = lastAttempt(state)?.candidate?.taken;
  const now = programsTold(programs);
  return (
    taken?.tree === tree &&
    taken.programs.length === now.length &&
    taken.programs.every((program, at) => canHaveBeen(program, now[at] ?? ""))
  );
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
  const now = lookAgain(state, context);
  if (!isAsTaken(now, state)) return candidateOf(attempt, viewNow(state, context));
  return { type: "candidate_confirmed", attempt, tree: now.tree };
}

export function namesOf(names: readonly string[]): Names {
  return { count: names.length, some: names.slice(0, NAMES_TOLD) };
}
