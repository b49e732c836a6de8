import { TextDecoder } from "node:util";
import type { Lang } from "../core/settings.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { templateProblems, type PromptName } from "../text/prompt-template.ts";
import { readPlainFile } from "../platform/files/read-file.ts";
import { usageTexts } from "./words/usage.ts";

const MAX_PROMPT_BYTES = 64 * 1024;

/** Reads a project's own prompt or explains what is wrong with it. */
export function readPrompt(path: string, lang: Lang, prompt: PromptName): string {
  const { promptTooLarge, promptLacks, promptUnknown } = usageTexts[lang];
  const refuse = (why: string, cause?: unknown): Failure =>
    new Failure("prompt_invalid", { path, why, prompt }, { cause });
  let text: string;
  try {
    const bytes = readPlainFile(path, MAX_PROMPT_BYTES + 1);
    if (bytes.length > MAX_PROMPT_BYTES) throw refuse(promptTooLarge(MAX_PROMPT_BYTES));
    // The digest is of the bytes, so invalid text must not be changed silently.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw error instanceof Failure ? error : refuse(messageOf(error), error);
  }
  const [problem] = templateProblems(text, prompt);
  if (problem?.kind === "unknown") throw refuse(promptUnknown(problem.name, problem.line));
  if (problem) throw refuse(promptLacks(problem.name));
  return text;
}
