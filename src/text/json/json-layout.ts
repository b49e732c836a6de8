import type { JsonValue } from "./json-text.ts";

export type Data = string | readonly string[] | { readonly [key: string]: Data };

/** How an object is formatted, judged by its last member. */
export interface Layout {
  /** Between a comma and the next key. */
  readonly gap: string;
  readonly colon: string;
  /** Null: all on one line. */
  readonly lines: { readonly end: string; readonly indent: string } | null;
}

const LINE_BREAK = /[\r\n]/;

export function layoutOf(text: string, object: JsonValue): Layout {
  const last = object.children.at(-1);
  if (!last?.key) throw new Error("an object without members has no layout");
  const between = text.slice(object.children.at(-2)?.end ?? object.start + 1, last.key.start);
  const space = between.slice(between.lastIndexOf(",") + 1);
  const colon = text.slice(last.key.end, last.start);
  const indent = space.slice(Math.max(space.lastIndexOf("\n"), space.lastIndexOf("\r")) + 1);
  const style = { colon: LINE_BREAK.test(colon) ? ": " : colon };
  if (indent === space) {
    // The space before an only member says nothing about commas.
    const gap = object.children.length > 1 ? space : (/\s*$/.exec(style.colon)?.[0] ?? "");
    return { ...style, gap, lines: null };
  }
  const lineEnds = space.slice(0, space.length - indent.length);
  const end = lineEnds.endsWith("\r\n") ? "\r\n" : lineEnds.slice(-1);
  return { ...style, gap: `${end}${indent}`, lines: { end, indent } };
}

/** Formats data as a member's value in an object with this layout; `step` is the indent of one more level. */
export function laidOut(data: Data, layout: Layout, step: string): string {
  if (typeof data === "string") return JSON.stringify(data);
  const { colon, lines } = layout;
  const indent = `${lines?.indent ?? ""}${step}`;
  const inner: Layout = lines ? { colon, gap: `${lines.end}${indent}`, lines: { ...lines, indent } } : layout;
  const isList = isTextList(data);
  const parts = isList
    ? data.map((text) => JSON.stringify(text))
    : Object.entries(data).map(
        ([key, value]) => `${JSON.stringify(key)}${colon}${laidOut(value, inner, step)}`,
      );
  const [open, close] = isList ? "[]" : "{}";
  const within = parts.join(`,${inner.gap}`);
  return lines && within !== ""
    ? `${open}${inner.gap}${within}${layout.gap}${close}`
    : `${open}${within}${close}`;
}

function isTextList(data: Exclude<Data, string>): data is readonly string[] {
  return Array.isArray(data);
}
