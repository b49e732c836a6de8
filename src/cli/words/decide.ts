import type { Lang } from "../../core/settings.ts";
import { noTerminal } from "../../ui/words/no-terminal.ts";

const en = {
  answerMissing: `missing answer: continue N, pass or fail (${noTerminal.en})`,
  numberOnlyWithContinue: "a number goes with continue only",
  continueNeedsNumber: (given: string) =>
    `continue needs a whole number from 1 to 1000, got ${given === "" ? "none" : given}`,
  unknownAnswer: (given: string) => `unknown answer ${given}: continue N, pass or fail`,
  unknownOption: (given: string, options: string) =>
    `no such option ${given}: the run asks for one of ${options}`,
  next: (command: string) => `  next    ${command}`,
  taken: (runId: string) => `✓ run ${runId} took the answer`,
  recorded: (command: string) => `✓ recorded\n  next    ${command}`,
  cancelled: (runId: string) => `✓ run ${runId} is cancelled`,
};

const zh: typeof en = {
  answerMissing: `缺少回答：continue N、pass 或 fail（${noTerminal.zh}）`,
  numberOnlyWithContinue: "只有 continue 可以带数字",
  continueNeedsNumber: (given) => `continue 需要 1 到 1000 的整数，实际为 ${given === "" ? "空" : given}`,
  unknownAnswer: (given) => `未知回答 ${given}：continue N、pass 或 fail`,
  unknownOption: (given, options) => `没有选项 ${given}：可选 ${options}`,
  next: (command) => `  下一步  ${command}`,
  taken: (runId) => `✓ 运行 ${runId} 已接受回答`,
  recorded: (command) => `✓ 已记录\n  下一步  ${command}`,
  cancelled: (runId) => `✓ 运行 ${runId} 已取消`,
};

export const decideTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
