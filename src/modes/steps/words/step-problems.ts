import type { Lang } from "../../../core/settings.ts";
import type { AnalysisProblem } from "../analysis.ts";
import type { JsonFaultCode } from "../../../text/json/json-tokens.ts";
import type { ReviewProblem } from "../review.ts";
import type { Expected, FieldFault, StepProblem, StepWarning } from "../../../text/json/problem.ts";

/** The words for problems of step files and agents' answers. They contain foreign text: show them with `visible`. */
const en = {
  expected: {
    object: "an object",
    list: "a list",
    text: "text",
    texts: "a list of texts",
    filled_text: "text that is not empty",
    shorter_text: "shorter text",
    command: "a command: text that is not empty and holds no NUL",
    step_id: "one line of at most 200 characters",
    status: "🔴 待完成, 🟡 进行中 or 🟢 已完成",
    step_list: "a list of 1 to 999 steps",
    item_list: "a list of 1 to 50 items",
    yes_or_no: "true or false",
    usable_name: "text that can be a part of a directory name",
    item_number: "the number of an item of the list, from 1",
    item_once: "the number of an item that has no result yet",
    pass_or_fail: '"pass" or "fail"',
  } satisfies Record<Expected, string>,
  syntax: {
    unfinished: "the text ends too early",
    value_expected: "a value is expected here",
    key_expected: "a key in double quotes is expected here",
    colon_expected: "a colon is expected here",
    comma_expected: "a comma or the end is expected here",
    bad_string: "not allowed in a text: escape it",
    bad_number: "not a number",
    more_after: "something follows the object",
    too_deep: "nested too deep",
  } satisfies Record<JsonFaultCode, string>,
  nothing: "nothing",
  atMost: (limit: number) => ` (at most ${limit} characters)`,
  found: (expected: string, found: string) => `must be ${expected}, found ${found}`,
  field: (place: string, detail: string) => `wrong field: ${place} (${detail})`,
  gone: (file: string) => `step file is gone: ${file}`,
  notAFile: (file: string) => `not a plain file: ${file}`,
  notUtf8: (file: string) => `not UTF-8 text: ${file}`,
  empty: (file: string) => `step file is empty: ${file}`,
  unreadable: (file: string, why: string) => `step file cannot be read: ${file} (${why})`,
  misspelt: (key: string) => `; is ${key} misspelt?`,
  readOnly: (file: string, why: string) => `step file cannot be written: ${file} (${why})`,
  tooLarge: (file: string, limit: number) => `step file is too large: ${file} (at most ${limit} bytes)`,
  notJson: (place: string, syntax: string) => `not JSON: ${place} (${syntax})`,
  notAnObject: (place: string, found: string) => `not a JSON object: ${place} (found ${found})`,
  duplicateField: (place: string, field: string) => `duplicate field: ${place} ${field}`,
  duplicateId: (file: string, other: string, id: string) =>
    `two steps have the same id: ${other}, ${file} (${id})`,
  duplicateNumber: (file: string, other: string, number: string) =>
    `two steps have the same number: ${other}, ${file} (${number})`,
  idMismatch: (file: string, id: string, number: string) =>
    `id does not fit the file name: ${file} (id ${id}, number ${number})`,
  numberLengths: (file: string, other: string) =>
    `step numbers have different lengths: ${file}, ${other} (steps are run in the order of their file names, character by character)`,
  noObjectWith: (key: string) =>
    `no usable JSON object in the answer: "${key}" (the last one that has it must be whole)`,
  misled: "the reviewer's instructions were changed",
  amidText: (key: string) =>
    `other text beside the JSON object of the answer: "${key}" (the object has to begin a line and to end the message)`,
  keyTwice: (key: string) => `a key is repeated in a JSON object of the answer: "${key}"`,
  noResult: (items: string) => `no result for an item: ${items}`,
  and: "; ",
};

type StepProblemWords = typeof en;

const zh: StepProblemWords = {
  expected: {
    object: "对象",
    list: "数组",
    text: "字符串",
    texts: "字符串数组",
    filled_text: "非空字符串",
    shorter_text: "更短的字符串",
    command: "命令：非空且不含 NUL 的字符串",
    step_id: "最多 200 个字符的单行字符串",
    status: "🔴 待完成、🟡 进行中或 🟢 已完成",
    step_list: "包含 1 到 999 个步骤的数组",
    item_list: "包含 1 到 50 项的数组",
    yes_or_no: "true 或 false",
    usable_name: "可用作目录名一部分的字符串",
    item_number: "列表中某一项的序号（从 1 开始）",
    item_once: "尚无结果的某一项的序号",
    pass_or_fail: '"pass" 或 "fail"',
  },
  syntax: {
    unfinished: "内容不完整",
    value_expected: "此处应为值",
    key_expected: "此处应为双引号括起的键",
    colon_expected: "此处应为冒号",
    comma_expected: "此处应为逗号或结尾",
    bad_string: "字符串中不允许，请转义",
    bad_number: "不是数字",
    more_after: "对象之后还有内容",
    too_deep: "嵌套过深",
  },
  nothing: "无",
  atMost: (limit) => `（最多 ${limit} 个字符）`,
  found: (expected, found) => `应为${expected}，实际为 ${found}`,
  field: (place, detail) => `字段有误：${place}（${detail}）`,
  gone: (file) => `步骤文件已不存在：${file}`,
  notAFile: (file) => `不是普通文件：${file}`,
  notUtf8: (file) => `不是 UTF-8 文本：${file}`,
  empty: (file) => `步骤文件为空：${file}`,
  unreadable: (file, why) => `无法读取步骤文件：${file}（${why}）`,
  misspelt: (key) => `；${key} 是否拼写有误？`,
  readOnly: (file, why) => `步骤文件无法写入：${file}（${why}）`,
  tooLarge: (file, limit) => `步骤文件过大：${file}（最多 ${limit} 字节）`,
  notJson: (place, syntax) => `不是 JSON：${place}（${syntax}）`,
  notAnObject: (place, found) => `不是 JSON 对象：${place}（实际为 ${found}）`,
  duplicateField: (place, field) => `字段重复：${place} ${field}`,
  duplicateId: (file, other, id) => `步骤 id 重复：${other}、${file}（${id}）`,
  duplicateNumber: (file, other, number) => `步骤序号重复：${other}、${file}（${number}）`,
  idMismatch: (file, id, number) => `id 与文件名不一致：${file}（id ${id}，序号 ${number}）`,
  numberLengths: (file, other) => `步骤序号位数不一致：${file}、${other}（步骤按文件名逐字符排序执行）`,
  noObjectWith: (key) => `回答中没有可用的 JSON 对象："${key}"（最后一个含有它的对象必须完整）`,
  misled: "有人改动了给评审者的内容",
  amidText: (key) => `回答中的 JSON 对象前后有其他内容："${key}"（对象必须位于行首，且其后没有任何内容）`,
  keyTwice: (key) => `回答的 JSON 对象中键重复："${key}"`,
  noResult: (items) => `缺少结果的项：${items}`,
  and: "；",
};

const MAX_LISTED = 20;
const words: Readonly<Record<Lang, StepProblemWords>> = { en, zh };

export function stepProblemText(problem: StepProblem, lang: Lang): string {
  const say = words[lang];
  const { file } = problem;
  switch (problem.kind) {
    case "gone":
      return say.gone(file);
    case "not_a_file":
      return say.notAFile(file);
    case "not_utf8":
      return say.notUtf8(file);
    case "empty":
      return say.empty(file);
    case "unreadable":
      return say.unreadable(file, problem.why);
    case "read_only":
      return say.readOnly(file, problem.why);
    case "too_large":
      return say.tooLarge(file, problem.limit);
    case "not_json":
      return say.notJson(placeText(problem), say.syntax[problem.fault]);
    case "not_an_object":
      return say.notAnObject(placeText(problem), problem.found);
    case "field":
      return fieldText(problem, `${placeText(problem)} ${problem.field}`, say);
    case "duplicate_field":
      return say.duplicateField(placeText(problem), problem.field);
    case "duplicate_id":
      return say.duplicateId(file, problem.other, problem.id);
    case "duplicate_number":
      return say.duplicateNumber(file, problem.other, problem.number);
  }
}

export function stepWarningText(warning: StepWarning, lang: Lang): string {
  const say = words[lang];
  switch (warning.kind) {
    case "id_mismatch":
      return say.idMismatch(warning.file, warning.id, warning.number);
    case "number_lengths":
      return say.numberLengths(warning.file, warning.other);
  }
}

/** Also for the agent, which has to fix the problem. */
export function analysisProblemText(problem: AnalysisProblem, lang: Lang): string {
  const say = words[lang];
  switch (problem.kind) {
    case "missing":
      return say.noObjectWith("steps");
    case "ambiguous":
      return say.keyTwice(problem.key);
    case "malformed":
      return problem.faults.map((fault) => fieldText(fault, fault.field, say)).join(say.and);
  }
}

export function reviewProblemText(problem: ReviewProblem, lang: Lang): string {
  const say = words[lang];
  switch (problem.kind) {
    case "missing":
      return say.noObjectWith("verification");
    case "amid_text":
      return say.amidText("verification");
    case "misled":
      return say.misled;
    case "ambiguous":
      return say.keyTwice(problem.key);
    case "malformed":
      return fieldText(problem.fault, problem.fault.field, say);
    case "incomplete":
      return say.noResult(listed(problem.items));
  }
}

function fieldText(
  { expected, found, limit, misspelt }: FieldFault & { readonly misspelt?: string },
  place: string,
  say: StepProblemWords,
): string {
  const wanted = `${say.expected[expected]}${limit === undefined ? "" : say.atMost(limit)}`;
  const hint = misspelt === undefined ? "" : say.misspelt(misspelt);
  return say.field(place, say.found(wanted, found ?? say.nothing) + hint);
}

function listed(items: readonly number[]): string {
  return `${items.slice(0, MAX_LISTED).join(", ")}${items.length > MAX_LISTED ? " ..." : ""}`;
}

function placeText({ file, line, column }: { file: string; line: number; column: number }): string {
  return `${file}:${line}:${column}`;
}
