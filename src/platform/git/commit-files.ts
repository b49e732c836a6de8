import type { Entry, EntryKind } from "./read-entry.ts";
import { pathOf } from "./tree-path.ts";
import { ask } from "./tree-repository.ts";
import { sha256Of } from "../files/sha256.ts";

export interface CommitFiles {
  /** Kind and content digest of each file by path, as a work tree lists them. */
  readonly files: ReadonlyMap<string, string>;
  readonly entryAt: (path: string) => Entry | null;
}

/** Kinds of entries by git's file mode. */
const KINDS: Readonly<Record<string, EntryKind>> = {
  "100644": "file",
  "100755": "program",
  "120000": "link",
};

export function knowsCommit(root: string, commit: string): boolean {
  return ask(root, ["cat-file", "-e", `${commit}^{commit}`]) !== undefined;
}

/**
 * The files of a commit as an unconverted checkout would have them. Null: the commit is missing, contains other repositories,
 * or is too large for a quick look (64 MiB).
 */
export function filesOfCommit(root: string, commit: string): CommitFiles | null {
  const listed = ask(root, ["ls-tree", "-r", "-z", "--full-tree", commit])?.toString("latin1");
  if (listed === undefined) return null;
  const entries = listed.split("\0").slice(0, -1).map(entryIn);
  if (!entries.every((entry) => entry !== null)) return null;
  const ids = entries.map(({ id }) => `${id}\n`).join("");
  const output = ask(root, ["cat-file", "--batch"], ids);
  const contents = output && contentsIn(output, entries.length);
  if (!contents) return null;
  const found = new Map(
    entries.map(({ path, kind }, index) => [path, { kind, bytes: contents[index] ?? Buffer.alloc(0) }]),
  );
  const files = [...found].map(([path, { kind, bytes }]) => [path, `${kind} ${sha256Of(bytes)}`] as const);
  return { files: new Map(files), entryAt: (path) => found.get(path) ?? null };
}

/** Mode and id of each path in a commit; empty without such a commit. */
export function entriesOfCommit(root: string, commit: string | null): ReadonlyMap<string, string> {
  const listed = commit === null ? undefined : ask(root, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  const lines = listed?.toString("latin1").split("\0").slice(0, -1) ?? [];
  return new Map(
    lines.map((line) => {
      const tab = line.indexOf("\t");
      return [pathOf(Buffer.from(line.slice(tab + 1), "latin1")), line.slice(0, tab)];
    }),
  );
}

interface Listed {
  readonly kind: EntryKind;
  readonly id: string;
  readonly path: string;
}

/** `<mode> blob <id>\t<path>`. */
function entryIn(line: string): Listed | null {
  const [, mode = "", id = "", name = ""] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
  const kind = KINDS[mode];
  return kind === undefined ? null : { kind, id, path: pathOf(Buffer.from(name, "latin1")) };
}

/** `<id> blob <size>\n<content>\n`, repeated. */
function contentsIn(bytes: Buffer, count: number): readonly Buffer[] | null {
  const contents: Buffer[] = [];
  for (let from = 0; contents.length < count;) {
    const end = bytes.indexOf(0x0a, from);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(bytes.toString("latin1", from, Math.max(from, end)))?.[1];
    if (size === undefined) return null;
    contents.push(bytes.subarray(end + 1, end + 1 + Number(size)));
    from = end + 1 + Number(size) + 1;
  }
  return contents;
}
