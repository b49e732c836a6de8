import fs from "node:fs";
import { Failure, messageOf } from "../domain/failure.ts";
import { templateProblems } from "../domain/prompt-template.ts";

const MAX_PROMPT_BYTES = 64 * 1024;

/** A project's own prompt, or what is wrong with it. */
export function readPrompt(path: string): string {
  try {
    const text = fs.readFileSync(path, "utf8");
    if (Buffer.byteLength(text) > MAX_PROMPT_BYTES) throw new Error(`over ${MAX_PROMPT_BYTES} bytes`);
    const [problem] = templateProblems(text);
    if (problem?.kind === "unknown") throw new Error(`line ${problem.line}: {{${problem.name}}}?`);
    if (problem) throw new Error(`{{${problem.name}}} is missing`);
    return text;
  } catch (error) {
    throw new Failure("prompt_invalid", { path, why: messageOf(error) }, { cause: error });
  }
}
