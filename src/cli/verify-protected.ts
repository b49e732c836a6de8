import { modeOf } from "../modes/registry.ts";
import type { ProtectedFiles } from "../evidence/protected/protected-files.ts";
import { canBeAmong, isMarked } from "../text/secret.ts";
import { MOST_CHANGES } from "../evidence/checks/candidate.ts";
import { compareEntry, LARGEST_TEXT } from "../evidence/base/compare-entry.ts";
import { protectedDigest, protectedFilesOfTree, type TreeToJudge } from "../evidence/base/tree-protected.ts";
import type { Receipt, ReceiptDetails } from "../evidence/receipt/receipt.ts";
import { filesOfCommit } from "../platform/git/commit-files.ts";
import { isOurs } from "../platform/git/git.ts";
import { readEntry } from "../platform/git/read-entry.ts";
import { placeOf } from "../platform/git/tree-path.ts";
import { digestOfFiles } from "../platform/git/tree.ts";
import { saying, short, type Seen } from "./verify-seen.ts";
import type { TreeNow } from "./verify-tree.ts";

const said = saying("protected");

/**
 * Finds the protected files again: in the tree itself if they are unchanged, otherwise in the start commit if the base was exactly that. The caller
 * has checked that the tree is the accepted one.
 */
export function lookAtProtected(
  { predicate }: Receipt,
  now: TreeNow,
  redact: (text: string) => string,
): Seen {
  const details = predicate.agentForeman;
  const { protected: receipted, base } = details;
  const here = derivedFrom(details, treeHere(now));
  const about = { protected: short(receipted.sha256), files: String(receipted.files) };
  if (here.sha256 === receipted.sha256 && here.decisive === receipted.files)
    return said("ok", "protected_same", about);
  const then = baseByCommit(details, now.root);
  if (!then) return said("unknown", "protected_unknown");
  const commit = short(base.commit ?? "");
  if (then.sha256 !== receipted.sha256 || then.decisive !== receipted.files)
    return said("refused", "protected_differs", { ...about, derived: short(then.sha256), commit });
  const declared = new Set(receipted.changes.map(({ path }) => path));
  const redacted = [...declared].filter(isMarked);
  const undeclared = changedSince(then, now).filter(
    (path) => !declared.has(path) && !canBeAmong(redacted, path),
  );
  // In a conversation the person may change tests, which is not recorded. The receipt also lists only a limited number of changes.
  if (undeclared.length > 0 && modeOf(details)?.rules.hasPerson !== true && declared.size < MOST_CHANGES)
    return said("refused", "protected_undeclared", {
      commit,
      paths: redact(undeclared.slice(0, MOST_TOLD).join(", ")),
    });
  return said("ok", "protected_by_commit", { ...about, commit, changes: String(receipted.changes.length) });
}

const MOST_TOLD = 5;

interface Derived extends Pick<TreeToJudge, "files" | "entryAt"> {
  readonly protectedFiles: ProtectedFiles;
  /** The number of protected files and their digest. */
  readonly decisive: number;
  readonly sha256: string;
}

function derivedFrom(
  { commands, tree, room }: ReceiptDetails,
  found: Pick<TreeToJudge, "files" | "entryAt">,
): Derived {
  const setup = room.setup === null ? [] : [room.setup];
  const used = [...new Set([...setup, ...commands.map(({ command }) => command)])];
  const protectedFiles = protectedFilesOfTree({
    ...found,
    commands: used,
    folder: tree.folder,
    declared: room,
  });
  const { files: decisive, sha256 } = protectedDigest(protectedFiles, found.files);
  return { ...found, protectedFiles, decisive, sha256 };
}

function treeHere({ root, files }: TreeNow): Pick<TreeToJudge, "files" | "entryAt"> {
  return {
    files,
    entryAt: (path) => (files.has(path) ? (readEntry(placeOf(root, path), LARGEST_TEXT) ?? "unread") : null),
  };
}

/** Null if the base was not exactly its commit, or its test commands are unknown here. */
function baseByCommit(details: ReceiptDetails, root: string): Derived | null {
  const { base, tree } = details;
  // The tests of a step or a task are written during the work.
  const areKnown = modeOf(details)?.rules.knowsTestsAtStart === true;
  const committed = areKnown && base.commit !== null ? filesOfCommit(root, base.commit) : null;
  if (!committed) return null;
  const isLeftOut = (path: string): boolean =>
    isOurs(path) || tree.left_out.some((place) => `${path}/`.startsWith(`${place}/`));
  const files = new Map([...committed.files].filter(([path]) => !isLeftOut(path)));
  if (digestOfFiles(files) !== base.tree) return null;
  return derivedFrom(details, { files, entryAt: committed.entryAt });
}

function changedSince({ files, protectedFiles, entryAt }: Derived, now: TreeNow): readonly string[] {
  const { entryAt: entryNow } = treeHere(now);
  return [...new Set([...files.keys(), ...now.files.keys()])].filter((path) => {
    if (files.get(path) === now.files.get(path)) return false;
    const kind = files.has(path) ? protectedFiles.kindOf(path) : protectedFiles.kindOfNew(path);
    if (kind === null) return false;
    return compareEntry({ path, kind }, entryAt(path), entryNow(path), protectedFiles.uses)?.change != null;
  });
}
