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
  "prompts.supervise": prompt("supervise", "What an agent is told in `supervise`"),
  "prompts.implement": prompt("implement", "What an agent is told that implements a step of `run`"),
  "prompts.verify": prompt("verify", "What an agent is told that verifies a step of `run`"),
  "prompts.analyze": prompt("analyze", "What an agent is told in `analyze`"),
  "prompts.main": prompt("main", "What MAIN is told in `orchestrate` where its session begins"),
  "prompts.test": prompt("test", "What TEST is told in `orchestrate`"),
  "prompts.dev": prompt("dev", "What DEV is told in `orchestrate`"),
  "prompts.review": prompt("review", "What REVIEW is told in `orchestrate`"),
} satisfies Record<`prompts.${PromptName}`, unknown>;
