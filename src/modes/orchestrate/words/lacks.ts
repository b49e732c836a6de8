import type { Lang } from "../../../text/lang.ts";
import type { Lack } from "../verdict-role.ts";

/** Missing parts of a report; the details are appended. */
const lackTexts: Readonly<Record<Lang, Readonly<Record<Lack["what"], string>>>> = {
  en: {
    self_test: "SKIPPED is for DEV alone, where the order disables the self-test",
    fault: "no `Fault:`",
    test_files: "no `Test files:`",
    absent_files: "test files that are not there:",
    commands: "no `Test commands:`",
    coverage: "no `Coverage:` of requirement",
    tasks: "not a word about",
  },
  zh: {
    self_test: "SKIPPED 只用于 DEV，且工单须关闭自测",
    fault: "缺少“问题归属”",
    test_files: "缺少“测试文件”",
    absent_files: "测试文件不存在：",
    commands: "缺少“测试命令”",
    coverage: "“覆盖”缺少测试需求",
    tasks: "没有提到",
  },
};

/** Contains foreign text: show it with `visible`. */
export function lackText({ what, about }: Lack, lang: Lang): string {
  const words = lackTexts[lang][what];
  return about.length === 0 ? words : `${words} ${about.join(lang === "en" ? ", " : "、")}`;
}
