import { oneLine } from "../../../text/json/values.ts";
import {
  bare,
  bodyOfLine,
  fieldOf,
  headingOf,
  itemOf,
  linesOf,
  saysNothing,
  squashed,
  type Line,
} from "../../../text/lines.ts";
import { REVIEW_MODES, type Order, type OrderSectionName } from "../../../core/board/answer.ts";
import { readAcceptance } from "./read-acceptance.ts";

const TITLE = /^# Current Task \(Iteration (\d{1,9})\)(?:$|[\s:：—-])/;
const PARTIAL = /Partial Milestone Review\s?[:：]\s?(M\d{1,9})\s?[(（]excluding blocked tasks[)）]$/;
const MAX_VALUE = 500;

const SECTIONS: ReadonlyMap<string, OrderSectionName> = new Map<string, OrderSectionName>([
  ["任务目标", "goal"],
  ["goal", "goal"],
  ["taskgoal", "goal"],
  ["验收标准", "acceptance"],
  ["acceptance", "acceptance"],
  ["acceptancecriteria", "acceptance"],
  ["测试需求", "test_requirements"],
  ["testrequirements", "test_requirements"],
  ["被测代码", "code_under_test"],
  ["codeundertest", "code_under_test"],
  ["调查任务", "investigation"],
  ["investigation", "investigation"],
  ["dev反馈内容", "dev_feedback"],
  ["devfeedback", "dev_feedback"],
  ["相关文件", "files"],
  ["files", "files"],
  ["relatedfiles", "files"],
  ["调查要求", "investigation_requirements"],
  ["requirements", "investigation_requirements"],
  ["investigationrequirements", "investigation_requirements"],
  ["澄清回复", "clarification_reply"],
  ["clarificationreply", "clarification_reply"],
]);

/** Reads as much of a work order as is understandable. The rules judge it. */
export function readOrder(text: string): Order {
  const lines = linesOf(text);
  const title = lines[0]?.text ?? "";
  const iteration = TITLE.exec(title)?.[1];
  const firstSection = lines.findIndex((line) => isSection(line));
  const header = readHeader(firstSection < 0 ? lines : lines.slice(0, firstSection));
  const sections = sectionsOf(lines);
  const linesIn = (name: OrderSectionName): Line[] =>
    sections.filter((section) => section.name === name).flatMap((section) => section.lines);
  return {
    ...header,
    iteration: iteration === undefined ? null : Number(iteration),
    sections: sections.map((section) => ({
      name: section.name,
      text: section.lines
        .map((line) => line.text)
        .join("\n")
        .trim(),
    })),
    commands: readAcceptance(linesIn("acceptance")).items,
    requirements: listItems(linesIn("test_requirements")),
    partial: partialIn(lines),
  };
}

/** The part by which two orders are the same: without the iteration in the first line and without white space. */
export function bodyOf(text: string): string {
  const body = text.split(/\r\n|\n|\r/).slice(1);
  return body.join(" ").replace(/\s+/g, " ").trim();
}

type Header = Pick<
  Order,
  "assignedAgent" | "selfTest" | "reviewMode" | "task" | "redWaiver" | "unknownValues"
>;

function readHeader(lines: readonly Line[]): Header {
  const said = new Map<string, string>();
  for (const { text, fenced } of lines) {
    const field = fenced || headingOf(text) !== null ? null : fieldOf(text);
    if (field === null || !HEADER_KEYS.has(field.key)) continue;
    const value = oneLine(withoutComment(field.value), MAX_VALUE);
    if (saysNothing(value)) continue;
    const before = said.get(field.key);
    // Two different values contradict each other, so they are joined to a value that no key accepts.
    if (before !== value)
      said.set(field.key, before === undefined ? value : oneLine(`${before}, ${value}`, MAX_VALUE));
  }
  const unknownValues: { readonly key: string; readonly value: string }[] = [];
  const oneOf = <T extends string>(key: string, values: readonly T[]): T | null => {
    const value = said.get(key);
    const known = values.find((one) => one === value?.toLowerCase());
    if (value !== undefined && known === undefined) unknownValues.push({ key, value });
    return known ?? null;
  };
  return {
    assignedAgent: said.get("assigned_agent") ?? null,
    selfTest: oneOf("self_test", ["enabled", "disabled"]),
    reviewMode: oneOf("review_mode", REVIEW_MODES),
    task: said.get("task") ?? null,
    redWaiver: said.get("red_waiver") ?? null,
    unknownValues,
  };
}

const HEADER_KEYS = new Set(["assigned_agent", "self_test", "review_mode", "task", "red_waiver"]);

/** Removes comments as in the template: `self_test: enabled   # DEV only`. `#12` is not a comment. */
function withoutComment(value: string): string {
  const at = value.search(/(?:^|\s)#(?:\s|$)/);
  return at < 0 ? value : value.slice(0, at);
}

function isSection({ text, fenced }: Line): boolean {
  return !fenced && headingOf(text)?.level === 2;
}

/** Sections that rules refer to. Another heading of their level, or a higher one, ends them. */
function sectionsOf(lines: readonly Line[]): { readonly name: OrderSectionName; readonly lines: Line[] }[] {
  const sections: { readonly name: OrderSectionName; readonly lines: Line[] }[] = [];
  let open: Line[] | null = null;
  for (const line of lines) {
    const heading = line.fenced ? null : headingOf(line.text);
    if (heading === null || heading.level > 2) open?.push(line);
    else {
      const name = heading.level === 2 ? SECTIONS.get(squashed(heading.title)) : undefined;
      open = name === undefined ? null : [];
      if (name !== undefined && open !== null) sections.push({ name, lines: open });
    }
  }
  return sections;
}

/** Counts the items of a list from 1, with or without numbers. Lines below an item are part of it. */
function listItems(lines: readonly Line[]): number {
  const items = lines.filter(({ fenced }) => !fenced).flatMap(({ text }) => itemOf(text) ?? []);
  const numbered = items.filter(({ number }) => number !== null);
  const indents = (numbered.length > 0 ? numbered : items).map(({ indent }) => indent);
  return indents.filter((indent) => indent <= (indents[0] ?? 0)).length;
}

/** In the title or on a line of its own. Within other words it is only a reference. */
function partialIn(lines: readonly Line[]): string | null {
  for (const [index, { text, fenced }] of lines.entries()) {
    if (fenced || !text.includes("Partial Milestone Review")) continue;
    const body = bare(bodyOfLine(text));
    const found = PARTIAL.exec(body);
    const stands = /^(?:(?:title|标题)\s?[:：]\s?)?$/i.test(body.slice(0, found?.index));
    if (found && (stands || (index === 0 && TITLE.test(text)))) return found[1] ?? null;
  }
  return null;
}
