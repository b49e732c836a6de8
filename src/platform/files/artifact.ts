import fs from "node:fs";
import { dirname } from "node:path";
import { Failure, messageOf } from "../failure.ts";
import { makeDirectories } from "./directories.ts";
import type { Artifact } from "../process/process-end.ts";
import { sha256Of } from "./sha256.ts";

export function makeKeptDirectory(path: string): void {
  try {
    makeDirectories(path, 0o700);
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}

/** Writes one of our own texts next to the transcripts of a turn. */
export function writeArtifact(path: string, text: string): Artifact {
  try {
    makeDirectories(dirname(path), 0o700);
    fs.writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
  return { path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) };
}
