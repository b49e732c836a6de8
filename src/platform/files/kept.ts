import fs from "node:fs";
import type { Artifact } from "../process/process-end.ts";
import { tryReadPlainFile } from "./read-file.ts";
import { sha256Of } from "./sha256.ts";

/** A person writes the plan, so it is small. A run refuses to start with a larger one. */
export const MAX_PLAN_BYTES = 16 * 1024 * 1024;

interface KeptFile {
  readonly path: string;
  /** Null: the file did not exist. */
  readonly sha256: string | null;
}

export function isAsItWas({ path, sha256 }: KeptFile): boolean {
  if (sha256 === null) return fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const bytes = tryReadPlainFile(path, MAX_PLAN_BYTES);
  return bytes !== undefined && sha256Of(bytes) === sha256;
}

/** Reads one of our texts, if its digest still matches. */
export function readKept(file: Artifact): string | undefined {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || sha256Of(bytes) !== file.sha256) return undefined;
  return bytes.toString("utf8");
}
