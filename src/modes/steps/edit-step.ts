import type { StepStatus, UnitTest } from "../../core/step.ts";
import { laidOut, layoutOf, type Data } from "../../text/json/json-layout.ts";
import { memberOf, scanJson, scanValue, type JsonValue, type Span } from "../../text/json/json-text.ts";

/**
 * Edits the text of a valid step without a new serialisation. That would lose the order of keys, the spelling of numbers and escapes, and a person's
 * layout.
 */
export function withStatus(text: string, status: StepStatus): string {
  return withMember(text, topOf(text), "status", status);
}

/** Keeps what a person added to the object beside command, files and notes. */
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

/** Null if there is no such object, or if it is empty. */
function unitTestOf(text: string): JsonValue | null {
  const member = memberOf(topOf(text), "unit_test");
  const value = member ? scanValue(text, member.start) : null;
  return value && "kind" in value && value.kind === "object" && value.children.length > 0 ? value : null;
}

function withMember(text: string, object: JsonValue, name: string, data: Data): string {
  const member = memberOf(object, name);
  // Keep the same value in another spelling (with escapes, for example).
  if (member && isSame(text.slice(member.start, member.end), data)) return text;
  const layout = layoutOf(text, object);
  const value = laidOut(data, layout, layoutOf(text, topOf(text)).lines?.indent ?? "");
  if (member) return replaced(text, member, value);
  const end = object.children.at(-1)?.end ?? object.start;
  return replaced(text, { start: end, end }, `,${layout.gap}${JSON.stringify(name)}${layout.colon}${value}`);
}

/** Removes all members of that key, because an earlier one would count again. Each goes with the comma before it. */
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
