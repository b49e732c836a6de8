import { createHash } from "node:crypto";
import { LOST_KINDS, type LostFile } from "../../core/evidence/changes.ts";
import { LARGEST_PACKED } from "../../platform/git/pack.ts";
import { describeEntry, readEntry } from "../../platform/git/read-entry.ts";
import { lookAt } from "../../platform/git/stamps.ts";
import { changedSinceCommit } from "../../platform/git/git.ts";
import { gitSettings } from "../../platform/git/git-settings.ts";
import { excludesFileOf, untrackedIn } from "../../platform/git/tree-repository.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";
import type { PersonsWork, StartBase } from "../checks/rooms.ts";
import type { TreeFiles } from "./tree-files.ts";

/** Uncommitted files, which git cannot restore, and git's settings before the first turn. */
export function personsWork(
  root: string,
  files: TreeFiles["files"],
  commit: string | null,
  { machine, tree }: Pick<EvidenceContext, "machine" | "tree">,
): PersonsWork {
  const untracked =
    commit === null ? files.keys() : untrackedIn(root, tree.ignoring.excludesFile ?? excludesFileOf(root));
  const changed = commit === null ? [] : changedSinceCommit(root, commit, machine.container.wrap);
  const found = new Map([...(changed ?? [])].map(([path, id]) => [path, id ?? ""]));
  for (const path of untracked ?? []) found.set(path, "");
  return {
    uncommitted: new Map([...found].filter(([path]) => files.has(path))),
    git: gitSettings(root),
  };
}

/** Folders and files that tools create again. Caches and dependencies are not in the pack at all. */
const BUILT =
  /(?:^|\/)(?:dist|build|out|output|bin|obj|tmp|temp|logs?|cache|\.cache|\.next|\.nuxt|\.output|\.svelte-kit|\.turbo|\.parcel-cache|\.angular|[^/]+\.egg-info|\.eggs)\//;
const MADE =
  /\.(?:o|a|so|dylib|dll|exe|obj|class|py[cod]|log|tmp|pid|tsbuildinfo)$|(?:^|\/)(?:\.DS_Store|\.eslintcache)$/;
const SECRETS = /(?:^|\/)\.env[^/]*$/;

/**
 * The person's files that are gone or reset to their committed content. `lostBefore`: losses after an earlier turn count until the file has
 * its old content, even if the agent wrote a new one.
 */
export function lostFiles(
  { files, pack, surroundings: { uncommitted } }: StartBase,
  now: TreeFiles,
  wasLost: (path: string) => boolean,
): readonly LostFile[] {
  const arrived = new Set([...now.files].flatMap(([path, is]) => (files.has(path) ? [] : [is])));
  const isLost = (path: string, committed: string): boolean => {
    const was = files.get(path);
    const is = now.files.get(path);
    if (was === undefined || is === was) return false;
    if (wasLost(path)) return true;
    if (is === undefined) return !arrived.has(was) && isGone(now.root, path);
    return committed !== "" && isContent(committed, placeOf(now.root, path));
  };
  const found = [...uncommitted].flatMap(([path, committed]): LostFile[] =>
    isLost(path, committed)
      ? [{ path, was: committed === "" ? "untracked" : "modified", kept: pack.entries.has(path) }]
      : [],
  );
  // Secrets are in no commit, and an agent that copies an example over them loses them with good intentions.
  const isOverwritten = (path: string): boolean => {
    const [was, is] = [
      pack.entries.get(path),
      SECRETS.test(path) ? readEntry(placeOf(now.root, path), LARGEST_PACKED) : null,
    ];
    return was !== undefined && is !== null && describeEntry(is) !== `${was.kind} ${was.sha256}`;
  };
  const ignored = [...pack.entries.keys()]
    .filter((path) => !files.has(path) && ((isOwn(path) && isGone(now.root, path)) || isOverwritten(path)))
    .map((path): LostFile => ({ path, was: "ignored", kept: true }));
  const byPath = (a: LostFile, b: LostFile): number => (a.path < b.path ? -1 : 1);
  // Only the first ones are shown, so a person's edits come before files that tools can create again.
  const all = [...found, ...ignored].sort(byPath);
  return LOST_KINDS.flatMap((kind) => all.filter(({ was }) => was === kind));
}

function isOwn(path: string): boolean {
  return SECRETS.test(path) || (!BUILT.test(path) && !MADE.test(path));
}

function isGone(root: string, path: string): boolean {
  return lookAt(placeOf(root, path)) === undefined;
}

/** Whether a file has the content of this git id, possibly with other line ends. */
function isContent(id: string, place: string | Buffer): boolean {
  const entry = readEntry(place, LARGEST_PACKED);
  if (!entry) return false;
  const { bytes } = entry;
  return gitId(bytes, id.length) === id || gitId(withoutReturns(bytes), id.length) === id;
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** Longer ids come from SHA-256 repositories. */
function gitId(bytes: Buffer, length: number): string {
  const hash = createHash(length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
