import type { StepStatus, UnitTest } from "../step.ts";
import { laidOut, layoutOf, type Data } from "./json-layout.ts";
import { memberOf, scanJson, scanValue, type JsonValue, type Span } from "./json-text.ts";

/**
 * Edits of a valid step's text. It is never parsed and written anew: that would lose the order of keys, the spelling of
 * numbers and escapes, and everything a person laid out.
 */
export function withStatus(text: string, status: StepStatus): string {
  return withMember(text, topOf(text), "status", status);
}

/** What a person added to the object beside command, files and notes stays. */
export function withUnitTest(text: string, { command, files, notes }: UnitTest): string {
  if (unitTestOf(text) === null) {
    const data: Data = { command, ...(files && { files }), ...(notes !== undefined && { notes }) };
    return withMember(text, topOf(text), "unit_test", data);
  }
  return Object.entries({ command, files, notes }).reduce((edited, [key, value]) => {
    const object = unitTestOf(edited) ?? topOf(edited);
    return value === undefined ? withoutMember(edited, object, key) : withMember(edited, object, key, value);
  }, text);
}

function topOf(text: string): JsonValue {
  const top = scanJson(text, text.startsWith("\ufeff") ? 1 : 0);
  if ("fault" in top || top.kind !== "object") throw new Error("only the text of a valid step can be edited");
  return top;
}

/** Null where there is no such object, or nothing in it. */
function unitTestOf(text: string): JsonValue | null {
  const member = memberOf(topOf(text), "unit_test");
  const value = member ? scanValue(text, member.start) : null;
  return value && "kind" in value && value.kind === "object" && value.children.length > 0 ? value : null;
}

function withMember(text: string, object: JsonValue, name: string, data: Data): string {
  const member = memberOf(object, name);
  // The same in another spelling (escapes, for one) is left as it is.
  if (member && isSame(text.slice(member.start, member.end), data)) return text;
  const layout = layoutOf(text, object);
  const value = laidOut(data, layout, layoutOf(text, topOf(text)).lines?.indent ?? "");
  if (member) return replaced(text, member, value);
  const end = object.children.at(-1)?.end ?? object.start;
  return replaced(text, { start: end, end }, `,${layout.gap}${JSON.stringify(name)}${layout.colon}${value}`);
}

/** All of that key: an earlier one would count again. Each goes with the comma before it. */
function withoutMember(text: string, { children }: JsonValue, name: string): string {
  const [first, last] = [children[0]?.key, children.at(-1)];
  if (!first || !last || children.every(({ key }) => key?.name !== name)) return text;
  let kept = "";
  for (const [index, { key, end }] of children.entries()) {
    if (key && key.name !== name) kept += text.slice(kept === "" ? key.start : children[index - 1]?.end, end);
  }
  return `${text.slice(0, first.start)}${kept}${text.slice(last.end)}`;
}

function isSame(json: string, data: Data): boolean {
  return JSON.stringify(JSON.parse(json)) === JSON.stringify(data);
}

function replaced(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}
