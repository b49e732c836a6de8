import type { PromptName } from "../../text/prompt-template.ts";
import { configured, type ConfiguredSetting } from "./setting.ts";
import { file } from "./value-types.ts";

const prompt = (name: PromptName, about: string): ConfiguredSetting<string, string | null> =>
  configured(`prompts.${name}`, {
    about: `${about}: a file, relative to this one`,
    type: file,
    default: null as string | null,
    empty: "builtIn",
  });

/** Absolute paths; null: the built-in prompt. */
export const promptSettings = {
  "prompts.supervise": prompt("supervise", "The prompt of `supervise`"),
  "prompts.implement": prompt("implement", "The prompt of `run` for an agent that implements a step"),
  "prompts.verify": prompt("verify", "The prompt of `run` for an agent that verifies a step"),
  "prompts.analyze": prompt("analyze", "The prompt of `analyze`"),
  "prompts.main": prompt("main", "The prompt of `orchestrate` that starts a session of MAIN"),
  "prompts.test": prompt("test", "The prompt of `orchestrate` for TEST"),
  "prompts.dev": prompt("dev", "The prompt of `orchestrate` for DEV"),
  "prompts.review": prompt("review", "The prompt of `orchestrate` for REVIEW"),
} satisfies Record<`prompts.${PromptName}`, unknown>;
