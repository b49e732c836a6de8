import fs from "node:fs";
import { errorCode, messageOf } from "../../../platform/failure.ts";
import { readStep } from "../read-step.ts";
import type { StepProblem } from "../../../text/json/problem.ts";
import type { Step } from "../../../core/step.ts";
import { readPlainFile } from "../../../platform/files/read-file.ts";
import { sha256Of } from "../../../platform/files/sha256.ts";

export const MAX_BYTES = 1024 * 1024;

/** A step and its source text, byte order mark included. */
export interface StepText {
  readonly step: Step;
  readonly text: string;
  readonly mode: number;
}

export function readStepFile(
  path: string,
  file: string,
): StepText | { readonly problems: readonly StepProblem[] } {
  try {
    // A link could lead out of the directory. A write would replace the link and not its target.
    const stat = fs.lstatSync(path);
    if (!stat.isFile()) return { problems: [{ kind: "not_a_file", file }] };
    const bytes = readPlainFile(path, MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) return { problems: [{ kind: "too_large", file, limit: MAX_BYTES }] };
    const text = decoded(bytes);
    if (text === null) return { problems: [{ kind: "not_utf8", file }] };
    const read = readStep(file, text, sha256Of(bytes));
    return "problems" in read ? read : { step: read.step, text, mode: stat.mode };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { problems: [{ kind: "gone", file }] };
    return { problems: [{ kind: "unreadable", file, why: messageOf(error) }] };
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
