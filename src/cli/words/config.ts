import type { ConfigFault, Expected } from "../../platform/config-problem.ts";
import type { Lang } from "../../core/settings.ts";

const REFERENCE = "${env:NAME}";

const enExpected: Readonly<Record<Extract<Expected, string>, string>> = {
  mapping: "a mapping (key: value)",
  text: "text, in quotes where YAML would read it as something else",
  filled_text: "text that is not empty",
  texts: "a list of texts",
  text_or_texts: "a command or a list of commands",
  name: "a name of letters, digits, dots, dashes and underscores",
  names: "a list of names, not empty",
  variable: "the name of an environment variable (letters, digits and underscores)",
  variables: "a list of names of environment variables",
  duration: "a duration such as 90s, 15m, 6h or 2d, 24d at most",
  marker: "a text of one line in quotes, without backticks, 200 characters at most",
  amount: "0 or more",
  url: "an address that begins with http:// or https://",
};

const zhExpected: Readonly<Record<Extract<Expected, string>, string>> = {
  mapping: "键值映射（键: 值）",
  text: "文本；YAML 会误读的内容请加引号",
  filled_text: "非空文本",
  texts: "文本列表",
  text_or_texts: "一条命令或命令列表",
  name: "由字母、数字、点、短横线和下划线组成的名字",
  names: "非空的名字列表",
  variable: "环境变量名（字母、数字和下划线）",
  variables: "环境变量名列表",
  duration: "时长，例如 90s、15m、6h 或 2d，最多 24d",
  marker: "带引号的单行文本，不含反引号，最多 200 个字符",
  amount: "不小于 0 的数",
  url: "以 http:// 或 https:// 开头的地址",
};

function enExpectedText(expected: Expected): string {
  if (typeof expected === "string") return enExpected[expected];
  if ("oneOf" in expected) return listed(expected.oneOf, ", ", " or ");
  const [min, max] = expected.whole;
  return max === Number.MAX_SAFE_INTEGER
    ? `a whole number, ${min} or more`
    : `a whole number from ${min} to ${max}`;
}

function zhExpectedText(expected: Expected): string {
  if (typeof expected === "string") return zhExpected[expected];
  if ("oneOf" in expected) return listed(expected.oneOf, "、", " 或 ");
  const [min, max] = expected.whole;
  return max === Number.MAX_SAFE_INTEGER ? `不小于 ${min} 的整数` : `${min} 到 ${max} 的整数`;
}

function listed(items: readonly string[], comma: string, or: string): string {
  return [items.slice(0, -1).join(comma), ...items.slice(-1)].filter((part) => part !== "").join(or);
}

const enMeant = (meant: string | null): string => (meant === null ? "" : `; did you mean ${meant}?`);
const zhMeant = (meant: string | null): string => (meant === null ? "" : `；是否想用 ${meant}？`);

/** If the secret was found under a variable's name, the example uses that name. */
const variableLike = (key: string): string => (/^[A-Z_\d]+$/.test(key) ? key : "API_KEY");

function enFault(fault: ConfigFault): string {
  switch (fault.code) {
    case "unreadable":
      return `cannot be read: ${fault.why}`;
    case "not_a_file":
      return "is not a file";
    case "not_utf8":
      return "is not UTF-8 text";
    case "too_large":
      return `is larger than ${fault.limit}`;
    case "wrong_file_name":
      return `is not read under this name: rename it to ${fault.right}`;
    case "syntax":
      return `not valid YAML: ${fault.why}`;
    case "tab":
      return "a tab indents this line: use spaces";
    case "duplicate_key":
      return "the same key stands twice in this mapping";
    case "several_documents":
      return "a second document begins here: a configuration is one";
    case "unknown_alias":
      return `no anchor &${fault.name} stands before this alias`;
    case "too_many_aliases":
      return "aliases expand to more than a configuration needs";
    case "unknown_key":
      return `unknown key ${fault.key}${enMeant(fault.meant)} (known: ${fault.known})`;
    case "wrong_value": {
      const key = fault.key === "" ? "the file" : fault.key;
      const given = fault.given === "" ? "there is nothing" : `got ${fault.given}`;
      return `${key} must be ${enExpectedText(fault.expected)}, ${given}`;
    }
    case "extends_cycle":
      return `profiles extend each other in a circle: ${fault.chain}`;
    case "unknown_agent":
      return `unknown agent or profile ${fault.key}${enMeant(fault.meant)} (known: ${fault.known})`;
    case "extends_missing":
      return `profile ${fault.profile} needs extends: one of ${fault.known}, or another profile`;
    case "not_for_agent":
      return `${fault.key} is for profiles of ${fault.agents}, this one is made from ${fault.adapter}`;
    case "endpoint_needs_model":
      return `endpoint needs a model beside it: ${fault.adapter} has to be told which one the endpoint has`;
    case "command_needed":
      return `${fault.profile} does not say what to run: name a profile that extends ${fault.adapter} and has a command`;
    case "prompt_missing":
      return `no such file: ${fault.path}`;
    case "secret_in_file":
      return `${fault.key} holds a secret: put it into an environment variable and refer to it in env, as in ${variableLike(fault.key)}: ${REFERENCE}`;
    case "bad_reference":
      return `a reference to an environment variable is written ${REFERENCE}`;
    case "reference_outside_env":
      return `${REFERENCE} works in the env of a profile only`;
  }
}

function zhFault(fault: ConfigFault): string {
  switch (fault.code) {
    case "unreadable":
      return `无法读取：${fault.why}`;
    case "not_a_file":
      return "不是文件";
    case "not_utf8":
      return "不是 UTF-8 文本";
    case "too_large":
      return `超过 ${fault.limit}`;
    case "wrong_file_name":
      return `这个文件名不会被读取：请改名为 ${fault.right}`;
    case "syntax":
      return `不是有效的 YAML：${fault.why}`;
    case "tab":
      return "此行用制表符缩进：请用空格";
    case "duplicate_key":
      return "同一映射中键重复";
    case "several_documents":
      return "这里开始了第二个文档：配置只能有一个";
    case "unknown_alias":
      return `此别名之前没有锚点 &${fault.name}`;
    case "too_many_aliases":
      return "别名展开过多";
    case "unknown_key":
      return `未知的键 ${fault.key}${zhMeant(fault.meant)}（可用：${fault.known}）`;
    case "wrong_value": {
      const key = fault.key === "" ? "文件" : fault.key;
      const given = fault.given === "" ? "实际为空" : `实际为 ${fault.given}`;
      return `${key} 必须是${zhExpectedText(fault.expected)}，${given}`;
    }
    case "extends_cycle":
      return `profile 循环继承：${fault.chain}`;
    case "unknown_agent":
      return `未知 agent 或 profile ${fault.key}${zhMeant(fault.meant)}（可用：${fault.known}）`;
    case "extends_missing":
      return `profile ${fault.profile} 需要 extends：${fault.known} 之一，或另一个 profile`;
    case "not_for_agent":
      return `${fault.key} 只用于 ${fault.agents} 的 profile，此处来自 ${fault.adapter}`;
    case "endpoint_needs_model":
      return `endpoint 需要同时给出 model：${fault.adapter} 必须知道该端点提供哪个模型`;
    case "command_needed":
      return `${fault.profile} 没有说明要运行什么：请使用 extends: ${fault.adapter} 且带 command 的 profile`;
    case "prompt_missing":
      return `没有这个文件：${fault.path}`;
    case "secret_in_file":
      return `${fault.key} 含有密钥：请放入环境变量，并在 env 中引用，例如 ${variableLike(fault.key)}: ${REFERENCE}`;
    case "bad_reference":
      return `环境变量的引用写作 ${REFERENCE}`;
    case "reference_outside_env":
      return `${REFERENCE} 只能用在 profile 的 env 中`;
  }
}

/** Texts of `config` and of configuration problems. */
const en = {
  fault: enFault,
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
  fault: zhFault,
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
