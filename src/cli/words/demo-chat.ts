import type { Lang } from "../../core/settings.ts";

/** Texts of the task and the scripted agents in `demo chat`. */
const en = {
  asked: "Implement slugify(title) in slug.mjs by all rules of plan.md",
  done: "slugify is implemented, and the test passes.",
  fixed: "slugify now takes accents away as well.",
  /** By rule of the plan. */
  missing: [
    "Rule 1 of plan.md is missing in slug.mjs: lower case, words joined by one hyphen",
    "Rule 2 of plan.md is missing in slug.mjs: no hyphen at either end",
    "Rule 3 of plan.md is missing in slug.mjs: letters lose their accents",
  ] satisfies [words: string, ends: string, accents: string],
  wanted: "but it should be",
  looked: "I called slugify for every rule of plan.md, and each of them holds.",
};

const zh: typeof en = {
  asked: "按照 plan.md 的全部规则在 slug.mjs 中实现 slugify(title)",
  done: "slugify 已实现，测试通过。",
  fixed: "slugify 现在也会去掉重音符号。",
  missing: [
    "slug.mjs 缺少 plan.md 的规则 1：小写，单词之间用一个连字符连接",
    "slug.mjs 缺少 plan.md 的规则 2：两端没有连字符",
    "slug.mjs 缺少 plan.md 的规则 3：字母去掉重音符号",
  ],
  wanted: "应为",
  looked: "我按 plan.md 的每条规则调用了 slugify，全部符合。",
};

export const demoChatWords: Readonly<Record<Lang, typeof en>> = { en, zh };
