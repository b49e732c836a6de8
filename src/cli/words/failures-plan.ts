import type { FailureCode } from "../../platform/failure.ts";
import type { Lang } from "../../core/settings.ts";
import type { About, FailureText } from "./failure-text.ts";

type PlanFailureCode = Extract<FailureCode, `plan_file_${string}`>;

export const planFailureTexts: Readonly<
  Record<Lang, Readonly<Record<PlanFailureCode, (about: About) => FailureText>>>
> = {
  en: {
    plan_file_missing: (a) => ({
      message: `plan file not found: ${a["path"]}`,
      next: "create the file, or name another one with --plan-file",
    }),
    plan_file_unreadable: (a) => ({
      message:
        a["why"] === "directory"
          ? `plan file is a directory: ${a["path"]}`
          : `plan file cannot be read: ${a["path"]}`,
      next: a["why"] === "directory" ? "name a file with --plan-file" : `ls -l ${a["path"]}`,
    }),
    plan_file_too_large: (a) => ({
      message: `plan file is too large: ${a["path"]} (at most ${a["limit"]} bytes)`,
    }),
  },
  zh: {
    plan_file_missing: (a) => ({
      message: `找不到计划文件：${a["path"]}`,
      next: "请创建该文件，或用 --plan-file 指定另一个文件",
    }),
    plan_file_unreadable: (a) => ({
      message:
        a["why"] === "directory" ? `计划文件是一个目录：${a["path"]}` : `无法读取计划文件：${a["path"]}`,
      next: a["why"] === "directory" ? "请用 --plan-file 指定一个文件" : `ls -l ${a["path"]}`,
    }),
    plan_file_too_large: (a) => ({ message: `计划文件过大：${a["path"]}（最多 ${a["limit"]} 字节）` }),
  },
};
