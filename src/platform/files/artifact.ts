import fs from "node:fs";
import { dirname } from "node:path";
import { writeState } from "./write-state.ts";
import { makeDirectories } from "./directories.ts";
import type { Artifact } from "../process/process-end.ts";
import { sha256Of } from "./sha256.ts";

export function makeKeptDirectory(path: string): void {
  writeState(path, () => makeDirectories(path, 0o700));
}

/** Writes one of our own texts next to the transcripts of a turn. */
export function writeArtifact(path: string, text: string): Artifact {
  writeState(path, () => {
    makeDirectories(dirname(path), 0o700);
    fs.writeFileSync(path, text, { mode: 0o600 });
  });
  return { path, bytes: Buffer.byteLength(text), sha256: sha256Of(text) };
}
