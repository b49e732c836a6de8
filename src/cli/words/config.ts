import type { ConfigFault, Expected } from "../../platform/config-problem.ts";
import type { Lang } from "../../core/settings.ts";
import { fill, type Texts } from "./texts.ts";

const EXPECTED: Readonly<Record<Extract<Expected, string>, Texts>> = {
  mapping: { en: "a mapping (key: value)", zh: "键值映射（键: 值）" },
  text: {
    en: "text, in quotes where YAML would read it as something else",
    zh: "文本；YAML 会误读的内容请加引号",
  },
  filled_text: { en: "text that is not empty", zh: "非空文本" },
  texts: { en: "a list of texts", zh: "文本列表" },
  text_or_texts: { en: "a command or a list of commands", zh: "一条命令或命令列表" },
  name: {
    en: "a name of letters, digits, dots, dashes and underscores",
    zh: "由字母、数字、点、短横线和下划线组成的名字",
  },
  names: { en: "a list of names, not empty", zh: "非空的名字列表" },
  variable: {
    en: "the name of an environment variable (letters, digits and underscores)",
    zh: "环境变量名（字母、数字和下划线）",
  },
  variables: { en: "a list of names of environment variables", zh: "环境变量名列表" },
  duration: {
    en: "a duration such as 90s, 15m, 6h or 2d, 24d at most",
    zh: "时长，例如 90s、15m、6h 或 2d，最多 24d",
  },
  marker: {
    en: "a text of one line in quotes, without backticks, 200 characters at most",
    zh: "带引号的单行文本，不含反引号，最多 200 个字符",
  },
  amount: { en: "0 or more", zh: "不小于 0 的数" },
  url: { en: "an address that begins with http:// or https://", zh: "以 http:// 或 https:// 开头的地址" },
};

function expectedText(expected: Expected, lang: Lang): string {
  if (typeof expected === "string") return EXPECTED[expected][lang];
  if ("oneOf" in expected) return listed(expected.oneOf, lang);
  const [min, max] = expected.whole;
  const texts =
    max === Number.MAX_SAFE_INTEGER
      ? { en: "a whole number, {min} or more", zh: "不小于 {min} 的整数" }
      : { en: "a whole number from {min} to {max}", zh: "{min} 到 {max} 的整数" };
  return fill(texts[lang], { min, max });
}

function listed(items: readonly string[], lang: Lang): string {
  const { comma, or } = { en: { comma: ", ", or: " or " }, zh: { comma: "、", or: " 或 " } }[lang];
  return [items.slice(0, -1).join(comma), ...items.slice(-1)].filter((part) => part !== "").join(or);
}

const FAULTS: Readonly<Record<ConfigFault["code"], Texts>> = {
  unreadable: { en: "cannot be read: {why}", zh: "无法读取：{why}" },
  not_a_file: { en: "is not a file", zh: "不是文件" },
  not_utf8: { en: "is not UTF-8 text", zh: "不是 UTF-8 文本" },
  too_large: { en: "is larger than {limit}", zh: "超过 {limit}" },
  wrong_file_name: {
    en: "is not read under this name: rename it to {right}",
    zh: "这个文件名不会被读取：请改名为 {right}",
  },
  syntax: { en: "not valid YAML: {why}", zh: "不是有效的 YAML：{why}" },
  tab: { en: "a tab indents this line: use spaces", zh: "此行用制表符缩进：请用空格" },
  duplicate_key: { en: "the same key appears twice in this mapping", zh: "同一映射中键重复" },
  several_documents: {
    en: "a second document begins here: a configuration is one",
    zh: "这里开始了第二个文档：配置只能有一个",
  },
  unknown_alias: { en: "no anchor &{name} exists before this alias", zh: "此别名之前没有锚点 &{name}" },
  too_many_aliases: { en: "aliases expand to more than a configuration needs", zh: "别名展开过多" },
  unknown_key: {
    en: "unknown key {key}{didYouMean} (known: {known})",
    zh: "未知的键 {key}{didYouMean}（可用：{known}）",
  },
  wrong_value: { en: "{key} must be {expected}, {given}", zh: "{key} 必须是{expected}，{given}" },
  extends_cycle: { en: "profiles extend each other in a circle: {chain}", zh: "profile 循环继承：{chain}" },
  unknown_agent: {
    en: "unknown agent or profile {key}{didYouMean} (known: {known})",
    zh: "未知 agent 或 profile {key}{didYouMean}（可用：{known}）",
  },
  extends_missing: {
    en: "profile {profile} needs extends: one of {known}, or another profile",
    zh: "profile {profile} 需要 extends：{known} 之一，或另一个 profile",
  },
  not_for_agent: {
    en: "{key} is for profiles of {agents}, this one is made from {adapter}",
    zh: "{key} 只用于 {agents} 的 profile，此处来自 {adapter}",
  },
  endpoint_needs_model: {
    en: "endpoint also needs a model: {adapter} must know which model the endpoint has",
    zh: "endpoint 需要同时给出 model：{adapter} 必须知道该端点提供哪个模型",
  },
  command_needed: {
    en: "{profile} does not say what to run: name a profile that extends {adapter} and has a command",
    zh: "{profile} 没有说明要运行什么：请使用 extends: {adapter} 且带 command 的 profile",
  },
  prompt_missing: { en: "no such file: {path}", zh: "没有这个文件：{path}" },
  secret_in_file: {
    en: "{key} holds a secret: put it into an environment variable and refer to it in env, as in {variable}: ${env:NAME}",
    zh: "{key} 含有密钥：请放入环境变量，并在 env 中引用，例如 {variable}: ${env:NAME}",
  },
  bad_reference: {
    en: "a reference to an environment variable is written ${env:NAME}",
    zh: "环境变量的引用写作 ${env:NAME}",
  },
  reference_outside_env: {
    en: "${env:NAME} works in the env of a profile only",
    zh: "${env:NAME} 只能用在 profile 的 env 中",
  },
};
const WHOLE_FILE: Texts = { en: "the file", zh: "文件" };
const GIVEN: Texts = { en: "got {given}", zh: "实际为 {given}" };
const NOTHING_GIVEN: Texts = { en: "there is nothing", zh: "实际为空" };
const DID_YOU_MEAN: Texts = { en: "; did you mean {meant}?", zh: "；是否想用 {meant}？" };

export function faultText(fault: ConfigFault, lang: Lang): string {
  const text = FAULTS[fault.code][lang];
  switch (fault.code) {
    case "wrong_value": {
      const key = fault.key === "" ? WHOLE_FILE[lang] : fault.key;
      const given = fill((fault.given === "" ? NOTHING_GIVEN : GIVEN)[lang], { given: fault.given });
      return fill(text, { key, expected: expectedText(fault.expected, lang), given });
    }
    case "unknown_key":
    case "unknown_agent":
      return fill(text, {
        ...fault,
        didYouMean: fault.meant === null ? "" : fill(DID_YOU_MEAN[lang], fault),
      });
    case "secret_in_file":
      // If the secret was found under a variable's name, the example uses that name.
      return fill(text, { ...fault, variable: /^[A-Z_\d]+$/.test(fault.key) ? fault.key : "API_KEY" });
    default:
      return fill(text, fault);
  }
}

/** Texts of `config`. */
const en = {
  header: { key: "KEY", value: "VALUE", origin: "FROM" },
  byDefault: "default",
  /** Texts for zero, null and empty values. */
  special: {
    noLimit: "no limit",
    noWait: "do not wait",
    never: "never",
    none: "none",
    anyAgent: "any agent",
    sameAgent: "the same agent",
    builtIn: "built in",
    byLocale: "by locale",
    byCommand: "by command",
  },
  noFiles: (project: string, user: string) => `No configuration file: neither ${project} nor ${user}`,
  valid: (path: string) => `✓ valid  ${path}`,
  next: (command: string) => `next  ${command}`,
};

export type ConfigTexts = typeof en;

const zh: ConfigTexts = {
  header: { key: "键", value: "值", origin: "来源" },
  byDefault: "默认",
  special: {
    noLimit: "不限",
    noWait: "不等待",
    never: "从不",
    none: "无",
    anyAgent: "任意 agent",
    sameAgent: "同一个 agent",
    builtIn: "内置",
    byLocale: "按 locale",
    byCommand: "按命令",
  },
  noFiles: (project, user) => `没有配置文件：${project} 和 ${user} 都不存在`,
  valid: (path) => `✓ 有效  ${path}`,
  next: (command) => `下一步  ${command}`,
};

export const configTexts: Readonly<Record<Lang, ConfigTexts>> = { en, zh };
