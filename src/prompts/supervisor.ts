import type { Lang } from "../domain/settings.ts";
import supervisorEn from "./supervisor.en.md?raw";
import supervisorZh from "./supervisor.zh.md?raw";

/** What `chat init` gives a project to start from. */
export const STARTER_SUPERVISOR: Readonly<Record<Lang, string>> = { en: supervisorEn, zh: supervisorZh };
