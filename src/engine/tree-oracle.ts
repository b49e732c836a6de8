import { posix } from "node:path";
import type { OracleKind } from "../domain/oracle/change.ts";
import { oracleOf, type Oracle } from "../domain/oracle/oracle.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { textOf, type Standing } from "./compare-entry.ts";

export interface TreeToJudge {
  /** By path: what kind of thing it is, and the digest of its content. */
  readonly files: ReadonlyMap<string, string>;
  readonly entryAt: (path: string) => Standing;
  readonly commands: readonly string[];
  /** Where they run, below the root. */
  readonly folder: string;
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** What decides about the tests of a tree. What a link of it leads to, within the tree, decides as much as the link. */
export function oracleOfTree({ files, entryAt, commands, folder }: TreeToJudge): Oracle {
  const behind = (path: string): string | null => endOf(path, files, entryAt);
  const { kindOf, ...oracle } = oracleOf({
    files: [...files.keys()],
    read: (path) => textAt(behind(path), entryAt),
    commands,
    cwd: folder,
  });
  const linked = new Map<string, OracleKind>();
  for (const [path, file] of files) {
    const kind = file.startsWith("link ") ? kindOf(path) : null;
    const end = kind && behind(path);
    if (kind && end) linked.set(end, kind);
  }
  return { ...oracle, kindOf: (path) => kindOf(path) ?? linked.get(path) ?? null };
}

/** Of the files that decide, as they are in the tree. */
export function oracleDigest(
  { kindOf }: Oracle,
  files: ReadonlyMap<string, string>,
): { readonly files: number; readonly sha256: string } {
  const decisive = new Map([...files].filter(([path]) => kindOf(path) !== null));
  return { files: decisive.size, sha256: digestOfFiles(decisive) };
}

/** The file that is meant by a path; null: it is not in the tree. */
function endOf(
  path: string,
  files: ReadonlyMap<string, string>,
  entryAt: TreeToJudge["entryAt"],
): string | null {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const file = files.get(at);
    if (file === undefined) return null;
    if (!file.startsWith("link ")) return at;
    const entry = entryAt(at);
    if (entry === null || entry === "unread") return null;
    const target = entry.bytes.toString("utf8");
    if (target.startsWith("/")) return null;
    at = posix.join(posix.dirname(at), target);
  }
  return null;
}

function textAt(path: string | null, entryAt: TreeToJudge["entryAt"]): string | null {
  const entry = path === null ? null : entryAt(path);
  return entry === null || entry === "unread" || entry.kind === "link" ? null : textOf(entry.bytes);
}
