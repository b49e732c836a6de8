import type { Oracle } from "../domain/oracle/oracle.ts";
import { canBeAmong, isMarked } from "../domain/secret.ts";
import { MOST_CHANGES } from "../engine/candidate.ts";
import { compareEntry, LARGEST_TEXT } from "../engine/compare-entry.ts";
import { oracleDigest, oracleOfTree, type TreeToJudge } from "../engine/tree-oracle.ts";
import type { Receipt, ReceiptDetails } from "../reports/receipt.ts";
import { filesOfCommit } from "../workspace/commit-files.ts";
import { isOurs } from "../workspace/git.ts";
import { readEntry } from "../workspace/base/read-entry.ts";
import { placeOf } from "../workspace/tree-path.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { saying, short, type Seen } from "./verify-seen.ts";
import type { TreeNow } from "./verify-tree.ts";

const said = saying("oracle");

/**
 * What decided about the tests, found again: in the tree itself, where nothing of it was touched, or else in the commit that the work
 * began with, if that was all there was. The tree is known to be the accepted one.
 */
export function lookAtOracle({ predicate }: Receipt, now: TreeNow, redact: (text: string) => string): Seen {
  const details = predicate.agentForeman;
  const { oracle, base } = details;
  const here = derivedFrom(details, treeHere(now));
  const about = { oracle: short(oracle.sha256), files: String(oracle.files) };
  if (here.sha256 === oracle.sha256 && here.decisive === oracle.files)
    return said("ok", "oracle_same", about);
  const then = baseByCommit(details, now.root);
  if (!then) return said("unknown", "oracle_unknown");
  const commit = short(base.commit ?? "");
  if (then.sha256 !== oracle.sha256 || then.decisive !== oracle.files)
    return said("refused", "oracle_differs", { ...about, derived: short(then.sha256), commit });
  const told = new Set(oracle.changes.map(({ path }) => path));
  const redacted = [...told].filter(isMarked);
  const untold = changedSince(then, now).filter((path) => !told.has(path) && !canBeAmong(redacted, path));
  // In a conversation the person says what becomes of the tests, and nothing of that is on record; nor are more changes than so many.
  if (untold.length > 0 && details.mode !== "chat" && told.size < MOST_CHANGES)
    return said("refused", "oracle_undeclared", {
      commit,
      paths: redact(untold.slice(0, MOST_TOLD).join(", ")),
    });
  return said("ok", "oracle_by_commit", { ...about, commit, changes: String(oracle.changes.length) });
}

const MOST_TOLD = 5;

interface Derived extends Pick<TreeToJudge, "files" | "entryAt"> {
  readonly oracle: Oracle;
  /** How many files decide, and what they hold. */
  readonly decisive: number;
  readonly sha256: string;
}

function derivedFrom(
  { commands, tree, room }: ReceiptDetails,
  found: Pick<TreeToJudge, "files" | "entryAt">,
): Derived {
  const setup = room.setup === null ? [] : [room.setup];
  const used = [...new Set([...setup, ...commands.map(({ command }) => command)])];
  const oracle = oracleOfTree({ ...found, commands: used, folder: tree.folder });
  const { files: decisive, sha256 } = oracleDigest(oracle, found.files);
  return { ...found, oracle, decisive, sha256 };
}

function treeHere({ root, files }: TreeNow): Pick<TreeToJudge, "files" | "entryAt"> {
  return {
    files,
    entryAt: (path) => (files.has(path) ? (readEntry(placeOf(root, path), LARGEST_TEXT) ?? "unread") : null),
  };
}

/** Null where the base was something else than its commit, or was judged by commands that are not known here. */
function baseByCommit(details: ReceiptDetails, root: string): Derived | null {
  const { mode, base, tree } = details;
  // What tests a step or a task is written while it is worked at.
  const areKnown = mode === "supervise" || mode === "chat";
  const committed = areKnown && base.commit !== null ? filesOfCommit(root, base.commit) : null;
  if (!committed) return null;
  const isLeftOut = (path: string): boolean =>
    isOurs(path) || tree.left_out.some((place) => `${path}/`.startsWith(`${place}/`));
  const files = new Map([...committed.files].filter(([path]) => !isLeftOut(path)));
  if (digestOfFiles(files) !== base.tree) return null;
  return derivedFrom(details, { files, entryAt: committed.entryAt });
}

function changedSince({ files, oracle, entryAt }: Derived, now: TreeNow): readonly string[] {
  const { entryAt: entryNow } = treeHere(now);
  return [...new Set([...files.keys(), ...now.files.keys()])].filter((path) => {
    if (files.get(path) === now.files.get(path)) return false;
    const kind = files.has(path) ? oracle.kindOf(path) : oracle.kindOfNew(path);
    if (kind === null) return false;
    return compareEntry({ path, kind }, entryAt(path), entryNow(path), oracle.uses)?.change != null;
  });
}
