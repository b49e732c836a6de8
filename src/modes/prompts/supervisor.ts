import type { Lang } from "../../core/settings.ts";
import supervisorEn from "./supervisor.en.md?raw";
import supervisorZh from "./supervisor.zh.md?raw";

/** The initial prompt that `chat init` writes for a project. */
export const STARTER_SUPERVISOR: Readonly<Record<Lang, string>> = { en: supervisorEn, zh: supervisorZh };
