import type { Lang } from "../../core/settings.ts";

export const noTerminal: Readonly<Record<Lang, string>> = {
  en: "there is no terminal to ask at, or CI is set",
  zh: "没有可供提问的终端，或设置了 CI",
};
