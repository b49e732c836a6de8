import { expected, scalarEnd, skipSpace, stringEnd, type JsonFault } from "./json-tokens.ts";

/** Stretches of the text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
/** A member of an object, or an element of an array, whose `key` is null; the span is that of the value. */
export interface JsonChild extends Span {
  readonly key: (Span & { readonly name: string }) | null;
}
export interface JsonValue extends Span {
  readonly kind: "object" | "array" | "scalar";
  /** In the order of the text. A duplicate key is listed twice, and the last one counts. */
  readonly children: readonly JsonChild[];
}

const MAX_DEPTH = 1000;

/** Positions in a text that is exactly one JSON value. Accepts what JSON.parse accepts. */
export function scanJson(text: string, from = 0): JsonValue | JsonFault {
  const value = scanValue(text, from);
  if ("fault" in value) return value;
  const rest = skipSpace(text, value.end);
  return rest === text.length ? value : { fault: "more_after", offset: rest };
}

/** The same for one value at the start of the text. Uses its own stack: a deep text must not overflow the call stack. */
export function scanValue(text: string, from: number): JsonValue | JsonFault {
  const start = skipSpace(text, from);
  const open: ("}" | "]")[] = [];
  const children: JsonChild[] = [];
  let child: { readonly key: JsonChild["key"]; readonly start: number } = { key: null, start };
  let at = start;
  for (;;) {
    // Expects a value.
    const closer = closerOf(text[at]);
    let within = false;
    if (closer === null) {
      const end = scalarEnd(text, at);
      if (typeof end !== "number") return end;
      at = end;
    } else {
      if (open.length === MAX_DEPTH) return { fault: "too_deep", offset: at };
      at = skipSpace(text, at + 1);
      within = text[at] !== closer;
      if (within) open.push(closer);
      else at += 1;
    }
    // Closes every value that ends here.
    while (!within) {
      const outer = open.at(-1);
      if (outer === undefined) return { kind: kindOf(text[start]), start, end: at, children };
      if (open.length === 1) children.push({ ...child, end: at });
      at = skipSpace(text, at);
      if (text[at] === outer) open.pop();
      else if (text[at] === ",") within = true;
      else return expected("comma_expected", text, at);
      at += 1;
    }
    // Expects the next member or element.
    at = skipSpace(text, at);
    const key = open.at(-1) === "}" ? scanKey(text, at, open.length === 1) : null;
    if (key !== null && "fault" in key) return key;
    at = key?.valueAt ?? at;
    if (open.length === 1) child = { key: key?.key ?? null, start: at };
  }
}

function kindOf(char: string | undefined): JsonValue["kind"] {
  if (char === "{") return "object";
  return char === "[" ? "array" : "scalar";
}

function closerOf(char: string | undefined): "}" | "]" | null {
  if (char === "{") return "}";
  return char === "[" ? "]" : null;
}

function scanKey(
  text: string,
  start: number,
  wanted: boolean,
): { readonly key: JsonChild["key"]; readonly valueAt: number } | JsonFault {
  if (text[start] !== '"') return expected("key_expected", text, start);
  const end = stringEnd(text, start);
  if (typeof end !== "number") return end;
  const colon = skipSpace(text, end);
  if (text[colon] !== ":") return expected("colon_expected", text, colon);
  const key = wanted ? { start, end, name: JSON.parse(text.slice(start, end)) as string } : null;
  return { key, valueAt: skipSpace(text, colon + 1) };
}

/** From 1, columns in UTF-16 units; a byte order mark takes no column. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(text.startsWith("\ufeff") ? 1 : 0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The member that counts among those with this key, as in JSON.parse. */
export function memberOf(object: JsonValue, name: string): JsonChild | undefined {
  return object.children.findLast(({ key }) => key?.name === name);
}
