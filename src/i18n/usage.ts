import type { Lang } from "../domain/event.ts";

/** What can be wrong with a command line. */
export interface UsageTexts {
  readonly meant: (what: string) => string;
  readonly unknownFlag: (flag: string) => string;
  readonly unknownCommand: (command: string) => string;
  readonly missingFlag: (flag: string) => string;
  readonly missingValue: (flag: string) => string;
  readonly missingArgument: (name: string) => string;
  readonly notOneOf: (flag: string, choices: string, given: string) => string;
  readonly conflict: (one: string, other: string) => string;
  readonly tooMany: string;
  readonly empty: (flag: string) => string;
  readonly promptTooLarge: (limit: number) => string;
  readonly promptLacks: (name: string) => string;
  readonly promptUnknown: (name: string, line: number) => string;
  readonly isThePlan: string;
  readonly isNoFile: string;
}

export const usageTexts: Readonly<Record<Lang, UsageTexts>> = {
  en: {
    meant: (what) => `; did you mean ${what}?`,
    unknownFlag: (flag) => `unknown flag ${flag}`,
    unknownCommand: (command) => `unknown command ${command}`,
    missingFlag: (flag) => `missing required flag ${flag}`,
    missingValue: (flag) => `flag ${flag} needs a value`,
    missingArgument: (name) => `missing argument ${name}`,
    notOneOf: (flag, choices, given) => `${flag} must be one of ${choices}, got ${given}`,
    conflict: (one, other) => `${one} cannot be used with ${other}`,
    tooMany: "too many arguments",
    empty: (flag) => `${flag} is empty`,
    promptTooLarge: (limit) => `more than ${limit} bytes`,
    promptLacks: (name) => `{{${name}}} is missing`,
    promptUnknown: (name, line) => `line ${line}: unknown placeholder {{${name}}}`,
    isThePlan: "it is the plan file",
    isNoFile: "it is not a file",
  },
  zh: {
    meant: (what) => `；是否想用 ${what}？`,
    unknownFlag: (flag) => `未知参数 ${flag}`,
    unknownCommand: (command) => `未知命令 ${command}`,
    missingFlag: (flag) => `缺少必需参数 ${flag}`,
    missingValue: (flag) => `参数 ${flag} 缺少值`,
    missingArgument: (name) => `缺少参数 ${name}`,
    notOneOf: (flag, choices, given) => `${flag} 只能是 ${choices}，实际为 ${given}`,
    conflict: (one, other) => `${one} 不能与 ${other} 同时使用`,
    tooMany: "参数过多",
    empty: (flag) => `${flag} 为空`,
    promptTooLarge: (limit) => `超过 ${limit} 字节`,
    promptLacks: (name) => `缺少 {{${name}}}`,
    promptUnknown: (name, line) => `第 ${line} 行：未知占位符 {{${name}}}`,
    isThePlan: "它就是计划文件",
    isNoFile: "不是文件",
  },
};
