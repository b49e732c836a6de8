import { posix } from "node:path";
import type { ProtectedKind } from "../../core/evidence/change.ts";
import { isTestPath } from "../protected/test-paths.ts";
import type { Declared } from "../protected/declared.ts";
import { protectedFilesOf, type ProtectedFiles } from "../protected/protected-files.ts";
import { folderOf, foldersAbove, inFolder } from "../../text/paths.ts";
import { digestOfFiles } from "../../platform/git/tree.ts";
import { textOf, type Standing } from "./compare-entry.ts";

export interface TreeToJudge {
  /** By path: the kind of entry and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  readonly entryAt: (path: string) => Standing;
  readonly commands: readonly string[];
  /** The working directory of the commands, below the root. */
  readonly folder: string;
  readonly declared: Declared;
}

/** The limit of Linux. */
const MOST_LINKS = 40;

/** The number of paths through folder links to look at. */
const MOST_LINKED_PATHS = 20_000;
const MOST_LINKED = 100;
const OF_PRODUCT = /(?:^|\/)(?:src|lib|app|pkg)(?:\/|$)/;

/** The protected files of a tree. If a link is protected, so is its target in the tree. */
export function protectedFilesOfTree({
  files,
  entryAt,
  commands,
  folder,
  declared,
}: TreeToJudge): ProtectedFiles {
  const behind = (path: string): string | null => endOf(path, files, entryAt);
  const folders = linkedFolders(files, entryAt);
  const ways = pathsThrough(folders, files);
  const { kindOf, kindOfNew, isDeclaredProduct, uses } = protectedFilesOf({
    files: [...files.keys(), ...ways.keys()],
    read: (path) => textAt(behind(ways.get(path) ?? path), entryAt),
    commands,
    cwd: folder,
    declared,
  });
  const linked = new Map<string, ProtectedKind>();
  for (const [path, file] of files) {
    const kind = file.startsWith("link ") ? kindOf(path) : null;
    const end = kind && behind(path);
    if (kind && end) linked.set(end, kind);
  }
  for (const [way, path] of ways) {
    const kind = kindOf(way);
    if (kind === null) continue;
    linked.set(path, linked.get(path) ?? kind);
    for (const link of folders.keys()) if (way.startsWith(`${link}/`)) linked.set(link, kind);
  }
  return {
    uses,
    isDeclaredProduct,
    kindOf: (path) => kindOf(path) ?? (isDeclaredProduct(path) ? null : (linked.get(path) ?? null)),
    kindOfNew: (path) =>
      [path, ...linkedPaths(path, folders)].map(kindOfNew).find((kind) => kind !== null) ?? null,
  };
}

/** Links to folders of the tree, with their targets. Among tests such a link leads to the product, and among dependencies to a package. */
function linkedFolders(
  files: ReadonlyMap<string, string>,
  entryAt: TreeToJudge["entryAt"],
): ReadonlyMap<string, string> {
  const links = [...files].flatMap(([path, file]) => (file.startsWith("link ") ? [path] : []));
  const found = new Map<string, string>();
  if (links.length === 0) return found;
  const folders = new Set([...files.keys()].flatMap(foldersAbove));
  for (const link of links.slice(0, MOST_LINKED)) {
    if (isTestPath(inFolder(folderOf(link), "x")) || /(?:^|\/)node_modules\//.test(link)) continue;
    const target = endOf(link, files, entryAt, folders);
    if (target === null || OF_PRODUCT.test(target)) continue;
    if (folders.has(target) && !link.startsWith(`${target}/`)) found.set(link, target);
  }
  return found;
}

/** The files of those folders, under their paths through the links. */
function pathsThrough(
  folders: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ways = new Map<string, string>();
  if (folders.size === 0) return ways;
  for (const path of files.keys())
    for (const way of linkedPaths(path, folders))
      if (ways.size < MOST_LINKED_PATHS && !files.has(way)) ways.set(way, path);
  return ways;
}

function linkedPaths(path: string, folders: ReadonlyMap<string, string>): string[] {
  return [...folders].flatMap(([link, target]) =>
    path.startsWith(`${target}/`) ? [`${link}${path.slice(target.length)}`] : [],
  );
}

/** A digest of the protected files as they are in the tree. */
export function protectedDigest(
  { kindOf }: ProtectedFiles,
  files: ReadonlyMap<string, string>,
): { readonly files: number; readonly sha256: string } {
  const decisive = new Map([...files].filter(([path]) => kindOf(path) !== null));
  return { files: decisive.size, sha256: digestOfFiles(decisive) };
}

/** The file that a path means, or one of these folders; null: not in the tree. */
function endOf(
  path: string,
  files: ReadonlyMap<string, string>,
  entryAt: TreeToJudge["entryAt"],
  folders: ReadonlySet<string> = new Set(),
): string | null {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const file = files.get(at);
    if (file === undefined) return at !== "" && folders.has(at) ? at : null;
    if (!file.startsWith("link ")) return at;
    const target = targetOf(at, entryAt);
    if (target === null) return null;
    at = target;
  }
  return null;
}

/** The target of a link; null: unknown, or outside the tree. */
function targetOf(link: string, entryAt: TreeToJudge["entryAt"]): string | null {
  const entry = entryAt(link);
  if (entry === null || entry === "unread") return null;
  const target = entry.bytes.toString("utf8");
  return target.startsWith("/") ? null : posix.join(posix.dirname(link), target).replace(/\/+$/, "");
}

function textAt(path: string | null, entryAt: TreeToJudge["entryAt"]): string | null {
  const entry = path === null ? null : entryAt(path);
  return entry === null || entry === "unread" || entry.kind === "link" ? null : textOf(entry.bytes);
}
