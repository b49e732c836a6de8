import type { Lang } from "../../core/settings.ts";

/** Why the value of a flag is refused, after the name of the flag. */
const en = {
  notInRange: (value: string, min: number, max: number) =>
    `must be a whole number from ${min} to ${max}, got ${value}`,
  notAnAmount: (value: string) => `must be a number, 0 or more, got ${value}`,
  notADuration: (value: string) => `must be a time such as 90s, 30m, 8h, 2d, got ${value}`,
  /** Of the help. */
  byDefault: (value: string) => ` (default: ${value})`,
};

const zh: typeof en = {
  notInRange: (value, min, max) => `必须是 ${min} 到 ${max} 的整数，实际为 ${value}`,
  notAnAmount: (value) => `必须是不小于 0 的数，实际为 ${value}`,
  notADuration: (value) => `必须是时长，如 90s、30m、8h、2d，实际为 ${value}`,
  byDefault: (value) => `（默认：${value}）`,
};

export const flagValueTexts: Readonly<Record<Lang, typeof en>> = { en, zh };
