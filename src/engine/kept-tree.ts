import fs from "node:fs";
import { join } from "node:path";
import { tryReadPlainFile } from "../files/read-file.ts";
import { snapshotOf, type TreeSnapshot } from "../workspace/tree.ts";
import { keep } from "./keep.ts";
import type { RunContext } from "./ports.ts";

type Kept = Pick<RunContext, "paths">;

function fileOf({ paths }: Kept): string {
  return join(paths.dir, "tree.json");
}

/** Keeps the list of files before a turn that may not change all of them: the journal has only its digest, and the foreman may be killed. */
export function keepTree({ files }: TreeSnapshot, context: RunContext): void {
  keep(fileOf(context), context.redactor.text(JSON.stringify([...files])));
}

/** The tree that was kept last, if its digest is the one on record: anybody may have written the file. */
export function keptTree(
  root: string,
  recorded: string,
  digestOf: (snapshot: TreeSnapshot) => string | null,
  context: Kept,
): TreeSnapshot | null {
  try {
    const text = tryReadPlainFile(fileOf(context))?.toString("utf8") ?? "";
    const snapshot = snapshotOf(root, new Map(JSON.parse(text) as [string, string][]));
    return digestOf(snapshot) === recorded ? snapshot : null;
  } catch {
    return null;
  }
}

export function forgetTree(context: Kept): void {
  fs.rmSync(fileOf(context), { force: true });
}
