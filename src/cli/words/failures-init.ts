import type { FailureCode } from "../../platform/failure.ts";
import type { Lang } from "../../core/settings.ts";
import type { About, FailureText } from "./failure-text.ts";
import { noTerminal } from "../../ui/words/no-terminal.ts";

type InitFailureCode = Extract<FailureCode, `init_${string}`>;

export const initFailureTexts: Readonly<
  Record<Lang, Readonly<Record<InitFailureCode, (about: About) => FailureText>>>
> = {
  en: {
    init_needs_answers: () => ({
      message: noTerminal.en,
      next: "agent-foreman init --yes",
    }),
    init_file_exists: (a) => ({
      message: `already there, nothing was written: ${a["path"]}`,
      next: "agent-foreman config show",
      also: "to replace it: agent-foreman init --force",
    }),
    init_not_writable: (a) => ({ message: `cannot be written: ${a["path"]} (${a["why"]})` }),
  },
  zh: {
    init_needs_answers: () => ({
      message: noTerminal.zh,
      next: "agent-foreman init --yes",
    }),
    init_file_exists: (a) => ({
      message: `已存在，未写入任何内容：${a["path"]}`,
      next: "agent-foreman config show",
      also: "若要覆盖：agent-foreman init --force",
    }),
    init_not_writable: (a) => ({ message: `无法写入：${a["path"]}（${a["why"]}）` }),
  },
};
