import fs from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { DEFAULT_TEST_PATHS } from "../protected/test-paths.ts";
import { globMatcher } from "../../text/globs.ts";
import type { ProtectedChange, ProtectedKind } from "../../core/evidence/change.ts";
import { inlineTests, mayHaveInlineTests } from "../protected/inline-tests.ts";
import type { CandidateConfirmed, CandidateTaken } from "../../core/evidence/event.ts";
import { mayAddTests } from "../held.ts";
import type { Settings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { lastAttempt } from "../../core/state.ts";
import { canHaveBeen } from "../../text/secret.ts";
import { firstNames, MAX_NAMES } from "../../core/evidence/findings.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { digestOfFiles } from "../../platform/git/tree.ts";
import { addedComments } from "./silencing.ts";
import { Failure } from "../../platform/failure.ts";
import { compiledPaths } from "../base/compiled.ts";
import { foldersOf } from "../base/folders.ts";
import { readPacked } from "../../platform/git/pack.ts";
import { readEntry } from "../../platform/git/read-entry.ts";
import type { Laid } from "../room/room.ts";
import { knownBase, startBase } from "../base/base.ts";
import { noLongerIgnored, restoredFiles } from "../base/ignored-files.ts";
import { compareEntry, LARGEST_TEXT, textOf } from "../base/compare-entry.ts";
import { isTestData, leftOutOfBaseTests } from "./new-tests.ts";
import { forgetFailedSetUps } from "./dependencies.ts";
import type { KnownBase, View } from "./rooms.ts";
import type { EvidenceContext } from "./evidence-context.ts";
import { lostNow, lostOf } from "../base/run-changes.ts";
import {
  besides,
  changedAround,
  changedProgramsNow,
  surroundingsNow,
  timesInRoom,
  type SurroundingsNow,
} from "../base/surroundings.ts";
import { treeFiles, type TreeFiles } from "../base/tree-files.ts";

export const isTest = globMatcher(DEFAULT_TEST_PATHS);

function viewNow(state: RunState, context: EvidenceContext): View {
  const base = knownBase(state, context);
  const now = treeFiles(state.settings, context);
  if (state.base?.taken.isRepository && !now.isRepository)
    throw new Failure("tree_unknown", { path: now.root });
  const attempt = lastAttempt(state);
  const frozen = attempt !== undefined && state.mode.protectsTests(state, attempt);
  const around = surroundingsNow(now.root, context, base.surroundings);
  const inputs = [base, around, frozen, context.tree.ours.join("\0"), state.settings.room?.allow];
  const last = lastViews.get(now);
  const known = last?.inputs.every((input, at) => input === inputs[at]) ? last.view : null;
  const view = known ?? viewOf({ base, now, around, frozen, ours: context.tree.ours }, state.settings);
  if (!known && !hasNewLinks(base, now)) lastViews.set(now, { inputs, view });
  const start = startBase(state, context);
  return { ...view, lost: start ? lostNow(state, start, now) : [] };
}

type Inside = Omit<View, "lost">;

/** Cached by file list and other inputs: after a turn without changes the view is the same. */
const lastViews = new WeakMap<TreeFiles, { readonly inputs: readonly unknown[]; readonly view: Inside }>();

/** Links may lead out of the tree, to files that change independently. */
function hasNewLinks(base: KnownBase, { files }: TreeFiles): boolean {
  return [...files].some(([path, file]) => file.startsWith("link ") && base.files.get(path) !== file);
}

interface Seen {
  readonly base: KnownBase;
  readonly now: TreeFiles;
  readonly around: SurroundingsNow;
  readonly frozen: boolean;
  readonly ours: readonly string[];
}

function viewOf({ base, now, around, frozen, ours }: Seen, { room }: Settings): Inside {
  const isAllowed = globMatcher(room?.allow ?? []);
  const cameOut = noLongerIgnored(base, now);
  const compared = frozen ? [...comparedWith(base, now, cameOut), ...cameOut.map(asNewFile)] : [];
  const laidOver = compared.filter(({ path }) => !isAllowed(path));
  const newTests = newTestsIn(base, now).filter((path) => !isAllowed(path));
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
    baseTested: [...base.files.keys()].some((path) => isDecisive(base.protectedFiles.kindOf(path))),
    baseFolders: foldersOf(base.files.keys()),
    laid: laidOver.flatMap(({ laid }) => laid ?? []),
    unlaid: laidOver.filter(({ laid }) => laid === null).map(({ path }) => path),
    hidden: [...surroundings.hidden, ...cameOut, ...ours, ...compiledPaths(now.files.keys())],
    restored: restoredFiles(base, now),
    times: onceOnly(() => {
      const { touched, dated } = timesInRoom(now.root, now.files, base);
      return { touched, dated: [...dated, ...surroundings.renewed] };
    }),
    shownHidden: surroundings.shownHidden,
    besides: () => besides(around, surroundings.hidden),
    programs: surroundings.programs,
    silenced: addedComments(base.protectedFiles.uses.tools, () => changedTexts(base, now)),
  };
}

/** Only comparable files. Without the original of a file, its added lines are unknown. */
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

/** A changed or new file that the product loads is part of the product, whatever its name. */
function newTestsIn(base: KnownBase, now: TreeFiles): readonly string[] {
  const paths = [...now.files.keys()];
  const { isDeclaredProduct } = base.protectedFiles;
  const named = paths.filter((path) => !base.files.has(path) && isTest(path) && !isDeclaredProduct(path));
  const product = paths.filter(
    (path) =>
      base.files.get(path) !== now.files.get(path) &&
      (!isTest(path) || isDeclaredProduct(path)) &&
      base.protectedFiles.kindOf(path) === null,
  );
  return leftOutOfBaseTests({
    paths: named,
    product,
    textOf: (path) => textNow(path, now),
    tests: () =>
      [...base.files.keys()]
        .filter((path) => isDecisive(base.protectedFiles.kindOf(path)))
        .flatMap((path) => textOnBase(path, base) ?? []),
    folders: foldersOf(base.files.keys()),
  });
}

function isDecisive(kind: ProtectedKind | null): boolean {
  return kind === "test" || kind === "script" || kind === "declared";
}

interface ComparedPath {
  readonly path: string;
  readonly change: ProtectedChange | null;
  readonly laid: Laid | null;
}

/** A file that was never checked before. */
function asNewFile(path: string): ComparedPath {
  return { path, change: { path, kind: "shadow", how: "changed", entries: [] }, laid: null };
}

function addedTest(path: string): ProtectedChange {
  return { path, kind: "test", how: "added", entries: [] };
}

/** Protected files that differ from the base, and new files that would be protected. */
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
    const known = before === undefined ? kindOfNew(path, base, now) : base.protectedFiles.kindOf(path);
    const kind = known ?? (leadsOut(path, now) ? "shadow" : hasTests(path, base) ? "test" : null);
    return kind === null ? [] : comparedAt(path, kind, base, now);
  });
}

function hasTests(path: string, base: KnownBase): boolean {
  if (!mayHaveInlineTests(path) || base.protectedFiles.isDeclaredProduct(path)) return false;
  return inlineTests(path, textOnBase(path, base)) !== null;
}

/** Files that tools look for in a folder, which a link to it provides. */
const WITHIN = ["__init__.py", "index.js", "package.json"];

/** A link may represent a folder with all its content. */
function kindOfNew(path: string, { protectedFiles }: KnownBase, { files }: TreeFiles): ProtectedKind | null {
  const isLink = files.get(path)?.startsWith("link ") === true;
  const names = isLink ? [path, ...WITHIN.map((name) => `${path}/${name}`)] : [path];
  return names.map(protectedFiles.kindOfNew).find((kind) => kind !== null) ?? null;
}

/** Files there are not part of the accepted work and may change at any time. */
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
  kind: ProtectedKind,
  base: KnownBase,
  now: TreeFiles,
): readonly ComparedPath[] {
  const before = base.files.has(path) ? (readPacked(base.pack, path) ?? "unread") : null;
  const after = now.files.has(path) ? (readEntry(placeOf(now.root, path), LARGEST_TEXT) ?? "unread") : null;
  const found = compareEntry({ path, kind }, before, after, base.protectedFiles.uses);
  return found ? [{ path, change: found.change, laid: found.laid && { path, ...found.laid } }] : [];
}

export function takeCandidate(attempt: number, state: RunState, context: EvidenceContext): CandidateTaken {
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
  shownHidden: [],
  programs: [],
  lost: [],
  silenced: [],
};

type Candidate = Pick<
  View,
  "tree" | "files" | "changes" | "allowed" | "newTests" | "shownHidden" | "programs" | "lost" | "silenced"
>;

/** Thousands of changes must not fill the journal with their names. */
export const MOST_CHANGES = 200;

export function candidateOf(attempt: number, view: Candidate): CandidateTaken {
  const isAllowed = new Set(view.allowed);
  const isHeld = (change: ProtectedChange): boolean => !isAllowed.has(change.path) && !mayAddTests(change);
  // Changes that need a decision come first, so that the limit never hides them.
  const changes = [...view.changes.filter(isHeld), ...view.changes.filter((change) => !isHeld(change))];
  const listed = changes.slice(0, MOST_CHANGES);
  return {
    type: "candidate_taken",
    attempt,
    tree: view.tree,
    protected: listed,
    allowed: listed.map(({ path }) => path).filter((path) => isAllowed.has(path)),
    changesSha256: digestOfFiles(
      new Map(
        changes.flatMap(({ path }) => (isAllowed.has(path) ? [] : [[path, view.files.get(path) ?? ""]])),
      ),
    ),
    newTests: firstNames(view.newTests),
    hidden: firstNames(view.shownHidden),
    programs: listedPrograms(view.programs),
    ...(view.lost.length > 0 && { lost: lostOf(view.lost) }),
    ...(view.silenced.length > 0 && { silenced: view.silenced }),
  };
}

/**
 * Reuses the last view if only contained checks ran since and the counted files are unchanged. Ignored files are not read again then, because
 * nothing has run that could change them.
 */
export function viewForCheck(state: RunState, context: EvidenceContext): View {
  const { seen, kind } = context.rooms;
  if (seen) {
    const since = state.events - seen.events - 1;
    if (since === 0) return seen.view;
    const { checks = [], runs = [] } = lastAttempt(state) ?? {};
    const onlyChecks = since === checks.length + runs.length;
    if (onlyChecks && kind === "overlay" && matchesCandidate(lookAgain(state, context), state))
      return seen.view;
  }
  return viewNow(state, context);
}

function lookAgain(state: RunState, context: EvidenceContext): Pick<View, "tree" | "programs"> {
  const { root, sha256: tree } = treeFiles(state.settings, context);
  return { tree, programs: changedProgramsNow(knownBase(state, context).surroundings, root) };
}

/** Whether the checks so far saw this tree and these programs. */
export function matchesCandidate(
  { tree, programs }: Pick<View, "tree" | "programs">,
  state: RunState,
): boolean {
  const taken = lastAttempt(state)?.candidate?.taken;
  const now = listedPrograms(programs);
  return (
    taken?.tree === tree &&
    taken.programs.length === now.length &&
    taken.programs.every((program, at) => canHaveBeen(program, now[at] ?? ""))
  );
}

function listedPrograms(programs: readonly string[]): readonly string[] {
  return programs.slice(0, MAX_NAMES);
}

/** Only the checked tree can be accepted. A changed one is taken and checked again. */
export function confirmCandidate(
  attempt: number,
  state: RunState,
  context: EvidenceContext,
): CandidateConfirmed | CandidateTaken {
  const now = lookAgain(state, context);
  if (!matchesCandidate(now, state)) return candidateOf(attempt, viewNow(state, context));
  return { type: "candidate_confirmed", attempt, tree: now.tree };
}
