import { createHash } from "node:crypto";
import fs from "node:fs";
import { Failure, messageOf } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";

/** Puts a text of ours beside the transcripts of a turn. */
export function keep(path: string, text: string): Captured {
  try {
    fs.writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
  return { path, bytes: Buffer.byteLength(text), sha256: createHash("sha256").update(text).digest("hex") };
}
