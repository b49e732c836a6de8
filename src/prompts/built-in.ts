import type { Lang } from "../domain/event.ts";
import superviseEn from "./supervise.en.md?raw";
import superviseZh from "./supervise.zh.md?raw";

/** The prompts that come with the program; a project may put its own in their place. */
export const SUPERVISE_PROMPT: Readonly<Record<Lang, string>> = { en: superviseEn, zh: superviseZh };
