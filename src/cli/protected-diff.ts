import { dirname, join } from "node:path";
import type { ProtectedChange } from "../core/evidence/change.ts";
import { isFixture } from "../evidence/protected/test-paths.ts";
import { heldChanges } from "../evidence/held.ts";
import { isMarked } from "../text/secret.ts";
import type { Lang } from "../core/settings.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { makeDirectories } from "../platform/files/directories.ts";
import { writeFileDurable } from "../platform/files/write-file.ts";
import type { DiffTexts } from "../evidence/words/room-diff.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { openPack, PackChanged, type Pack } from "../platform/git/pack.ts";
import { sideBefore, sideNow, type Side } from "../platform/git/text-diff-sides.ts";
import { textDiffs, type TextDiff } from "../platform/git/text-diff.ts";
import { rootOf } from "../platform/git/tree-repository.ts";

/** For all files together. No person reads more, and the diff is kept with the run. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Files compared at a time; bounds the memory. */
const GROUP_FILES = 64;
const GROUP_BYTES = 8 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);
/** Files that support tests but are no tests. */
const DATA =
  /\.(?:json|jsonl|txt|md|csv|tsv|xml|ya?ml|html?|svg|snap|golden|out|sql|png|gif|jpe?g|gz|zip|bin)$/i;

/** Lines that cannot steer a terminal. */
export interface ProtectedDiff {
  /** One part per file, title first; the most important files first. */
  readonly parts: readonly (readonly string[])[];
  /** The path of the complete diff; null: not stored. */
  readonly kept: string | null;
}

interface Compared {
  readonly path: string;
  readonly before: Side;
  readonly after: Side;
}

/** Removals come before additions, and tests before their data. */
export function byWeight(changes: readonly ProtectedChange[]): readonly ProtectedChange[] {
  return changes.toSorted((one, other) => weightOf(one) - weightOf(other));
}

function weightOf({ how, kind, path }: ProtectedChange): number {
  const adds = how === "extended" || how === "added";
  const isRun =
    kind === "script" || kind === "declared" || (kind === "test" && !isFixture(path) && !DATA.test(path));
  return (adds ? 2 : 0) + (isRun ? 0 : 1);
}

/** The changes in files that the open question is about, compared with the original version. */
export function protectedDiff(state: RunState, lang: Lang, redact: (line: string) => string): ProtectedDiff {
  const attempt = lastAttempt(state);
  if (!attempt || !state.base) return { parts: [], kept: null };
  const words = terminalTexts[lang].room.diff;
  const { pack: file } = state.base.taken;
  const changes = byWeight(heldChanges(state, attempt));
  const pack = openPack(file);
  const paths = changes.map(({ path }) =>
    pack && isMarked(path) ? pathsBehind(path, pack, redact) : [path],
  );
  const shown = pack && tryParts(pack, state, [...new Set(paths.flat())], { lang, redact });
  if (!shown) return { parts: [[words.baseGone]], kept: null };
  const unknown = changes.filter((_, at) => paths[at]?.length === 0);
  const parts = [...shown, ...unknown.map(({ path }) => [visible(titleOf(path, [words.secretPath]))])];
  return { parts, kept: tryKeep(join(runDirectory(file.path), "turns", String(state.turns)), parts) };
}

/** Secrets are redacted in the journal, so real paths come from the base. A new file is not in the base. */
function pathsBehind(
  redacted: string,
  { entries, leftOut }: Pack,
  redact: (text: string) => string,
): readonly string[] {
  return [...entries.keys(), ...leftOut].filter((path) => redact(path) === redacted);
}

/** Derives it from a pack's path, `base/<number>/pack`. */
function runDirectory(pack: string): string {
  return dirname(dirname(dirname(pack)));
}

/** The complete diff is only an aid, so the question is asked even if writing it fails. */
function tryKeep(dir: string, parts: ProtectedDiff["parts"]): string | null {
  const path = join(dir, "protected.diff");
  try {
    makeDirectories(dir, 0o700);
    writeFileDurable(path, parts.map((lines) => `${lines.join("\n")}\n`).join(""), 0o600);
    return path;
  } catch {
    return null;
  }
}

/** Null if the stored original version was altered. */
function tryParts(
  pack: Pack,
  state: RunState,
  paths: readonly string[],
  how: { readonly lang: Lang; readonly redact: (line: string) => string },
): ProtectedDiff["parts"] | null {
  const { room, moreLines } = terminalTexts[how.lang];
  const safe = (line: string): string => visible(how.redact(line));
  const parts: (readonly string[])[] = [];
  let left = MOST_BYTES;
  try {
    for (const group of inGroups(pack, rootOf(state.settings.cwd), paths)) {
      for (const lines of partsOf(group, room.diff)) {
        const whole = lines.map(safe);
        const fitting = fitInto(left, whole, moreLines);
        left = fitting === whole ? left - bytesOf(whole) : 0;
        parts.push(fitting);
      }
      if (left <= 0) break;
    }
  } catch (error) {
    if (error instanceof PackChanged) return null;
    throw error;
  }
  const rest = paths.slice(parts.length);
  return [...parts, ...rest.map((path) => [safe(titleOf(path, [room.diff.leftOut]))])];
}

function* inGroups(pack: Pack, root: string, paths: readonly string[]): Generator<Compared[]> {
  let group: Compared[] = [];
  let bytes = 0;
  for (const path of paths) {
    const [before, after] = [sideBefore(pack, path), sideNow(root, path)];
    group.push({ path, before, after });
    bytes += textOf(before).length + textOf(after).length;
    if (group.length < GROUP_FILES && bytes < GROUP_BYTES) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  yield group;
}

/** The title is always included. */
function fitInto(
  bytes: number,
  lines: readonly string[],
  moreLines: (count: number) => string,
): readonly string[] {
  let left = bytes;
  const end = lines.findIndex((line, at) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0 && at > 0;
  });
  return end < 0 ? lines : [...lines.slice(0, end), moreLines(lines.length - end)];
}

function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function partsOf(group: readonly Compared[], words: DiffTexts): readonly (readonly string[])[] {
  const diffs = textDiffs(
    group.map(({ before, after }) =>
      // If one side is unknown, the whole text would look new.
      isKnown(before) && isKnown(after)
        ? { before: textOf(before), after: textOf(after) }
        : { before: NOTHING, after: NOTHING },
    ),
  );
  return group.map((compared, at) => {
    const diff = diffs[at] ?? null;
    const lines = Array.isArray(diff) ? (diff as readonly string[]) : [];
    return [titleOf(compared.path, notesOf(compared, diff, words)), ...lines];
  });
}

function textOf(side: Side): Buffer {
  return side.is === "text" ? side.bytes : NOTHING;
}

function isKnown({ is }: Side): boolean {
  return is !== "large" && is !== "unread" && is !== "unkept";
}

/** `--- test/run.sh (mode 755 -> 644)` */
function titleOf(path: string, notes: readonly string[]): string {
  return notes.length === 0 ? `--- ${path}` : `--- ${path} (${notes.join("; ")})`;
}

/** Changes that the lines of a diff do not show. */
function notesOf({ before, after }: Compared, diff: TextDiff, words: DiffTexts): readonly string[] {
  const [was, is] = [sizeOf(before), sizeOf(after)];
  if ((before.is === "large" || after.is === "large") && was !== null && is !== null)
    return [words.tooLarge(was, is)];
  const notes = [...kindNotes(before, after, words)];
  if (diff === null) return before.is === "text" || after.is === "text" ? [...notes, words.noDiff] : notes;
  if (diff === "binary") notes.push(words.binary(was ?? 0, is ?? 0));
  else if (diff.length === 0 && notes.length === 0)
    notes.push(
      before.is === after.is ? words.same : words.became(sideText(before, words), sideText(after, words)),
    );
  return notes;
}

function kindNotes(before: Side, after: Side, words: DiffTexts): readonly string[] {
  if (before.is === "text" && after.is === "text")
    return before.program === after.program ? [] : [words.mode(modeOf(before), modeOf(after))];
  const isPlain = ({ is }: Side): boolean => is === "text" || is === "none";
  if (isPlain(before) && isPlain(after)) return [];
  const [was, is] = [sideText(before, words), sideText(after, words)];
  return was === is && isKnown(after) ? [words.same] : [words.became(was, is)];
}

/** Null if there is no file. */
function sizeOf(side: Side): number | null {
  if (side.is === "large") return side.size;
  return side.is === "text" || side.is === "none" ? textOf(side).length : null;
}

/** Like git, which keeps no more of a mode either. */
function modeOf({ program }: { readonly program: boolean }): string {
  return program ? "755" : "644";
}

function sideText(side: Side, words: DiffTexts): string {
  switch (side.is) {
    case "link":
      return words.link(side.to);
    case "behind":
      return words.behind(side.link, side.to);
    case "large":
      return words.large(side.size);
    case "text":
      return side.bytes.length === 0 ? words.side.empty : words.side.file;
    default:
      return words.side[side.is];
  }
}
