import type { BoardRole } from "../../../core/board/answer.ts";
import {
  bare,
  bodyOfLine,
  codeSpans,
  cutTo,
  fieldOf,
  headingOf,
  itemOf,
  saysNothing,
  squashed,
  type Line,
} from "../../../text/lines.ts";
import { MAX_TASKS } from "./read-plan.ts";
import { reportLines } from "./report-lines.ts";
import { ROLE_CLAIMS, type RoleClaim, type RoleSaid } from "../../../core/board/role-said.ts";

const MAX_SECTION = 8000;
const MAX_LISTED = 50;
const MAX_LISTED_CHARS = 2000;
const MAX_REQUIREMENT = 200;
/** Levels of headings. A section without a heading ends at any heading. */
const DEEPEST = 6;
const TASK_ID = /\bM(?:0|[1-9]\d{0,5})-T(?:0|[1-9]\d{0,5})\b/g;

type Key = "conclusion" | "self_test" | "files" | "commands" | "covered" | "block" | "failure" | "fault";
type SectionKey = "feedback" | "clarification";

const KEYS: ReadonlyMap<string, Key | SectionKey> = new Map<string, Key | SectionKey>([
  ["结论", "conclusion"],
  ["conclusion", "conclusion"],
  ["自测结果", "self_test"],
  ["selftest", "self_test"],
  ["selftestresult", "self_test"],
  ["测试文件", "files"],
  ["testfile", "files"],
  ["testfiles", "files"],
  ["测试命令", "commands"],
  ["testcommand", "commands"],
  ["testcommands", "commands"],
  ["覆盖", "covered"],
  ["coverage", "covered"],
  ["阻塞类型", "block"],
  ["blocktype", "block"],
  ["失败类型", "failure"],
  ["failuretype", "failure"],
  ["问题归属", "fault"],
  ["fault", "fault"],
  ["测试问题反馈", "feedback"],
  ["testfeedback", "feedback"],
  ["澄清请求", "clarification"],
  ["clarificationrequest", "clarification"],
]);

/** The key of each role's conclusion. The keys of other roles are prose in its report. */
const CLAIM_KEYS: Readonly<Record<BoardRole, Key>> = {
  TEST: "conclusion",
  DEV: "self_test",
  REVIEW: "conclusion",
};

/** The value behind a key, and the lines below it, up to the next key or heading. */
interface Said {
  readonly value: string;
  readonly below: readonly Line[];
}

/** Reads a role's report. All of it is a claim: nothing here is trusted, and missing parts are not made up. */
export function readRole(text: string, role: BoardRole): RoleSaid {
  const lines = reportLines(text);
  const { fields, sections, claims } = saidIn(lines, CLAIM_KEYS[role]);
  const of = (key: Key): Said => fields.get(key) ?? { value: "", below: [] };
  const ids = lines.flatMap((line) => (line.fenced ? [] : (line.text.match(TASK_ID) ?? [])));
  const failureType = causeIn(of("failure"), ["implementation", "test"]);
  const claim = worstOf(claims);
  return {
    // A report that names the type of a failure has found one, whatever else it says.
    claim: role === "REVIEW" && claim === "PASS" && failureType !== null ? "FAIL" : claim,
    testFiles: listed(filesIn(of("files"))),
    commands: listed(commandsIn(of("commands"))),
    covered: coveredIn(of("covered")),
    blockType: blockIn(of("block")),
    failureType,
    fault: causeIn(of("fault"), ["implementation", "test", "requirements", "none"]),
    testFeedback: sections.get("feedback") ?? null,
    clarification: sections.get("clarification") ?? null,
    tasks: [...new Set(ids)].slice(0, MAX_TASKS),
  };
}

/** `Key: value`, or a heading that consists only of the key. */
function keyIn(line: Line): { readonly key: Key | SectionKey; readonly value: string } | null {
  if (line.fenced) return null;
  const title = headingOf(line.text) === null ? undefined : KEYS.get(squashed(bodyOfLine(line.text)));
  if (title !== undefined) return { key: title, value: "" };
  const field = fieldOf(line.text);
  const key = field === null ? undefined : KEYS.get(squashed(field.key));
  return field === null || key === undefined ? null : { key, value: field.value };
}

function isSectionKey(key: Key | SectionKey): key is SectionKey {
  return key === "feedback" || key === "clarification";
}

interface Section {
  readonly key: SectionKey;
  readonly level: number;
  readonly text: string[];
}

/**
 * The last occurrence of each key counts, except for claims. A section ends at the next heading of its level, or at a conclusion, which often ends a
 * report. A conclusion within it without a known word is prose.
 */
function saidIn(
  lines: readonly Line[],
  claimKey: Key,
): {
  readonly fields: ReadonlyMap<Key, Said>;
  readonly sections: ReadonlyMap<SectionKey, string | null>;
  readonly claims: readonly (RoleClaim | null)[];
} {
  const fields = new Map<Key, Said>();
  const sections = new Map<SectionKey, string | null>();
  const claims: (RoleClaim | null)[] = [];
  let below: Line[] = [];
  let section: Section | null = null;
  const settle = (): void => {
    const text = section?.text.join("\n").trim() ?? "";
    if (section !== null) sections.set(section.key, saysNothing(text) ? null : cutTo(text, MAX_SECTION));
  };
  for (const [index, line] of lines.entries()) {
    const found = keyIn(line);
    const level = line.fenced ? undefined : headingOf(line.text)?.level;
    const claim = found?.key === claimKey ? claimOf(found.value || textBelow(lines, index)) : null;
    const begins = found !== null && isSectionKey(found.key);
    if (section !== null && (begins || claim !== null || (level ?? DEEPEST + 1) <= section.level)) {
      settle();
      section = null;
    }
    section?.text.push(line.text);
    if (found !== null || level !== undefined) below = [];
    else below.push(line);
    if (found === null) continue;
    if (isSectionKey(found.key)) section = { key: found.key, level: level ?? DEEPEST, text: [found.value] };
    else if (found.key !== claimKey) fields.set(found.key, { value: found.value, below });
    else if (section === null) claims.push(claim);
  }
  settle();
  return { fields, sections, claims };
}

/** The next line that is not empty, if it is text. */
function textBelow(lines: readonly Line[], index: number): string {
  for (let at = index + 1; at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.text.trim() === "") continue;
    return line.fenced || keyIn(line) !== null ? "" : bodyOfLine(line.text);
  }
  return "";
}

/** Of several claims the worst counts: tasks that pass do not make up for one that fails. */
function worstOf(claims: readonly (RoleClaim | null)[]): RoleClaim | null {
  const bad = claims.findLast((claim) => claim === "FAIL" || claim === "BLOCKED");
  if (bad !== undefined) return bad;
  return claims.at(-1) === "PASS" && claims.includes("SKIPPED") ? "SKIPPED" : (claims.at(-1) ?? null);
}

function firstText({ value, below }: Said): string {
  if (value !== "") return value;
  return bodyOfLine(below.find(({ text }) => text.trim() !== "")?.text ?? "");
}

/**
 * The first word of a value. A word for success must be followed by nothing, a mark or a bracket, because "PASS is not deserved" is no pass. Several
 * of the words are an unfilled template, or a report on several things.
 */
function claimOf(value: string): RoleClaim | null {
  const text = value.replace(/^[^\p{L}\p{N}<[]{1,8}/u, "");
  const word = [...ROLE_CLAIMS, "未执行" as const].find((one) => text.toUpperCase().startsWith(one));
  const rest = text.slice(word?.length ?? 0);
  // Other words count only in capitals, as the claim itself: "PASS (0 fail)" has passed.
  const others = text.startsWith(word ?? "")
    ? /(?<!\w)(?:FAIL|BLOCKED)(?!\w)/
    : /(?<!\w)(?:FAIL|BLOCKED)(?!\w)/i;
  if (word === undefined || /^(?:\w|\s?[|/／｜])/.test(rest)) return null;
  if (word === "FAIL" || word === "BLOCKED") return word;
  if (!/^\s*(?:$|[^\p{L}\p{N}\s?？])/u.test(rest) || others.test(rest)) return null;
  return word === "未执行" ? "SKIPPED" : word;
}

type Cause = NonNullable<RoleSaid["fault"]>;
const CAUSES: Readonly<Record<Cause, RegExp>> = {
  implementation: /^(?:实现问题|实现|implementation)(?!\w)/i,
  test: /^(?:测试问题|测试|tests?)(?!\w)/i,
  requirements: /^(?:需求不清晰|需求|requirements?)(?!\w)/i,
  // Only as a complete phrase: "none yet" is not a finding.
  none: /^(?:无问题|无|none|nobody)\s*(?:$|[^\p{L}\p{N}\s])/iu,
};
/** An unfilled template: all options with bars between them. */
const TEMPLATE = /^[^|｜]{0,20}[|｜]/;

function causeIn<C extends Cause>(said: Said, causes: readonly C[]): C | null {
  const value = bare(firstText(said));
  if (TEMPLATE.test(value)) return null;
  return causes.find((cause) => CAUSES[cause].test(value)) ?? null;
}

function blockIn(said: Said): RoleSaid["blockType"] {
  const value = bare(firstText(said));
  if (saysNothing(value) || TEMPLATE.test(value)) return null;
  if (/^(?:环境|environment)/i.test(value)) return "environment";
  return /^(?:权限|permission)/i.test(value) ? "permission" : "other";
}

/** The items directly below a key, up to the first other line. */
function itemsBelow(below: readonly Line[]): string[] {
  const items: string[] = [];
  for (const { text, fenced } of below) {
    const isItem = !fenced && (itemOf(text) !== null || text.trim().startsWith("`"));
    if (isItem) items.push(text);
    else if (text.trim() !== "") break;
  }
  return items;
}

function filesIn({ value, below }: Said): string[] {
  const texts = value === "" ? itemsBelow(below).map((text) => itemOf(text)?.body ?? text) : [value];
  return texts.flatMap((text) => {
    const coded = codeSpans(text).map(({ code }) => code);
    const plain = text.split(/[\s,，、;；()（）]+/).filter((word) => /[./]/.test(word));
    return (coded.length > 0 ? coded : plain).map((path) => bare(path).replace(/^(?:\.\/)+/, ""));
  });
}

/** Commands in backticks, or else the rest of the line, or the lines of a code block below. */
function commandsIn({ value, below }: Said): string[] {
  const texts = value === "" ? itemsBelow(below) : [value];
  const coded = texts.flatMap((text) => codeSpans(text).map(({ code }) => code));
  if (coded.length > 0) return coded;
  if (value !== "") return saysNothing(value) || value.startsWith("<") ? [] : [value];
  const first = below.findIndex(({ text }) => text.trim() !== "");
  const rest = first < 0 ? [] : below.slice(first);
  const end = rest.findIndex(({ fenced }) => !fenced);
  const block = (end < 0 ? rest : rest.slice(0, end)).map(({ text }) => text.trim().replace(/^\$ /, ""));
  return block.filter((text) => text !== "" && !/^(?:#|```|~~~)/.test(text));
}

const NUMBERS = /(?<![\w.%])(\d{1,3})(?:\s?[-–~～]\s?(\d{1,3}))?(?![\w%]|\.\d)/g;

function coveredIn({ value, below }: Said): number[] {
  const onLine = Array.from(value.matchAll(NUMBERS)).flatMap(([, from, to]) => range(from, to ?? from));
  const numbers = onLine.length > 0 ? onLine : itemsBelow(below).flatMap((text) => numberOfItem(text));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function range(from: string | undefined, to: string | undefined): number[] {
  const [first, last] = [Number(from), Number(to)];
  if (!(first >= 1 && last <= MAX_REQUIREMENT && first <= last)) return [];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** `1. …`, `- 1: …`, `- [x] 2 …`; an unticked item is not covered. */
function numberOfItem(text: string): number[] {
  const item = itemOf(text);
  if (item === null || item.body.startsWith("[ ]")) return [];
  const [, within] = /^(?:\[[xX]\]\s?)?(?:需求|requirement)?\s?#?(\d{1,3})(?!\w)/i.exec(item.body) ?? [];
  const number = item.number === null ? within : String(item.number);
  return range(number, number);
}

function listed(all: readonly string[]): string[] {
  const fitting = all.filter((one) => one !== "" && one.length <= MAX_LISTED_CHARS);
  return [...new Set(fitting)].slice(0, MAX_LISTED);
}
