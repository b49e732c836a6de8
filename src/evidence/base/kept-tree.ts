import fs from "node:fs";
import { join } from "node:path";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { snapshotOf, type TreeSnapshot } from "../../platform/git/tree.ts";
import { writeArtifact } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "../checks/evidence-context.ts";

type Kept = Pick<EvidenceContext, "paths">;

function fileOf({ paths }: Kept): string {
  return join(paths.dir, "tree.json");
}

/** Keeps the list of files before a restricted turn. The journal has only its digest, and the foreman may be killed. */
export function keepTree({ files }: TreeSnapshot, context: EvidenceContext): void {
  writeArtifact(fileOf(context), context.redactor.text(JSON.stringify([...files])));
}

/** The last kept tree, if its digest matches the journal. Any process may have written the file. */
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
