import { join } from "node:path";
import { compareFile } from "../domain/oracle/compare.ts";
import { oracleOf, type Oracle } from "../domain/oracle/oracle.ts";
import { textOf } from "../engine/base.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import type { VerifyCode } from "../i18n/verify.ts";
import type { Receipt, ReceiptDetails } from "../reports/receipt.ts";
import { filesOfCommit } from "../workspace/commit-files.ts";
import { isOurs } from "../workspace/git.ts";
import { digestOfFiles } from "../workspace/tree.ts";
import { short, type Seen } from "./verify-seen.ts";
import type { TreeNow } from "./verify-tree.ts";

/**
 * What decided about the tests, found again: in the tree itself, where nothing of it was touched, or else in the commit that the work
 * began with, if that was all there was. The tree is known to be the accepted one.
 */
export function lookAtOracle({ predicate }: Receipt, now: TreeNow): Seen {
  const details = predicate.agentForeman;
  const { oracle, base } = details;
  const here = derivedFrom(details, now.files, readIn(now));
  const about = { oracle: short(oracle.sha256), files: String(oracle.files) };
  if (here.sha256 === oracle.sha256) return said("ok", "oracle_same", about);
  const then = baseByCommit(details, now.root);
  if (!then) return said("unknown", "oracle_unknown");
  const commit = short(base.commit ?? "");
  if (then.sha256 !== oracle.sha256)
    return said("refused", "oracle_differs", { ...about, derived: short(then.sha256), commit });
  const told = new Set(oracle.changes.map(({ path }) => path));
  const untold = changedSince(then, now).filter((path) => !told.has(path));
  // In a conversation the person says what becomes of the tests, and nothing of that is on record; nor are more changes than so many.
  if (untold.length > 0 && details.mode !== "chat" && told.size < MOST_ON_RECORD)
    return said("refused", "oracle_undeclared", { commit, paths: untold.slice(0, MOST_TOLD).join(", ") });
  return said("ok", "oracle_by_commit", { ...about, commit, changes: String(oracle.changes.length) });
}

const MOST_TOLD = 5;
const MOST_ON_RECORD = 200;

interface Derived {
  readonly files: ReadonlyMap<string, string>;
  readonly oracle: Oracle;
  readonly read: (path: string) => string | null;
  readonly sha256: string;
}

function derivedFrom(
  { commands, tree }: ReceiptDetails,
  files: ReadonlyMap<string, string>,
  read: (path: string) => string | null,
): Derived {
  const used = [...new Set(commands.map(({ command }) => command))];
  const oracle = oracleOf({ files: [...files.keys()], read, commands: used, cwd: tree.folder });
  const decisive = [...files].filter(([path]) => oracle.kindOf(path) !== null);
  return { files, oracle, read, sha256: digestOfFiles(new Map(decisive)) };
}

function readIn({ root, files }: TreeNow): (path: string) => string | null {
  return (path) => (files.has(path) ? textOf(tryReadPlainFile(join(root, path))) : null);
}

/** Null where the base was something else than its commit, or was judged by commands that are not known here. */
function baseByCommit(details: ReceiptDetails, root: string): Derived | null {
  const { mode, base, tree } = details;
  // What tests a step or a task is written while it is worked at.
  const areKnown = mode === "supervise" || mode === "chat";
  const found = areKnown && base.commit !== null ? filesOfCommit(root, base.commit) : null;
  if (!found) return null;
  const isLeftOut = (path: string): boolean =>
    isOurs(path) || tree.left_out.some((place) => `${path}/`.startsWith(`${place}/`));
  const files = new Map([...found.files].filter(([path]) => !isLeftOut(path)));
  if (digestOfFiles(files) !== base.tree) return null;
  return derivedFrom(details, files, (path) => textOf(found.read(path)));
}

function changedSince({ files, oracle, read }: Derived, now: TreeNow): readonly string[] {
  const readNow = readIn(now);
  return [...new Set([...files.keys(), ...now.files.keys()])].filter((path) => {
    if (files.get(path) === now.files.get(path)) return false;
    const kind = files.has(path) ? oracle.kindOf(path) : oracle.kindOfNew(path);
    if (kind === null) return false;
    const [before, after] = [read(path), readNow(path)];
    // What is no text, or is as long as a text as it was, can only be another.
    return before === after || compareFile(path, kind, before, after, oracle.uses).change !== null;
  });
}

function said(level: Seen["level"], code: VerifyCode, about: Seen["about"] = {}): Seen {
  return { check: "oracle", level, code, about };
}
