import { repeatedKey } from "./json-keys.ts";
import { memberOf, scanValue, type JsonValue, type Span } from "./json-text.ts";
import { shown } from "./problem.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The content of an object; `key`: it has this key twice, so it contradicts itself. */
export type Said =
  | { readonly kind: "object"; readonly object: Fields }
  | { readonly kind: "ambiguous"; readonly key: string };

/**
 * The JSON objects in free text, bare or in a code fence, in order. After a brace that begins no object, the search continues where
 * parsing failed, never before it, so every character is read once. An object inside a broken one is therefore not found.
 */
export function* objectsIn(text: string): Generator<JsonValue | (Span & { readonly kind: "broken" })> {
  let at = text.indexOf("{");
  while (at >= 0) {
    const value = scanValue(text, at);
    const end = "fault" in value ? Math.max(value.offset, at + 1) : value.end;
    yield "fault" in value ? { kind: "broken", start: at, end } : value;
    at = text.indexOf("{", end);
  }
}

/**
 * The last object with the key. Broken if a later one looks broken or cut off: the author's last word is then unreadable, and an
 * earlier one must not replace it.
 */
export function lastObjectWith(text: string, key: string): Said | { readonly kind: "none" | "broken" } {
  const mention = mentionOf(key);
  let last: Span | "none" | "broken" = "none";
  let searched = 0;
  for (const value of objectsIn(text)) {
    if (value.kind === "broken") continue;
    if (mention.test(text.slice(searched, value.start))) last = "broken";
    if (memberOf(value, key)) last = value;
    searched = value.end;
  }
  if (mention.test(text.slice(searched))) last = "broken";
  return typeof last === "string" ? { kind: last } : saidIn(text, last);
}

export function saidIn(text: string, object: Span): Said {
  const key = repeatedKey(text, object);
  if (key !== null) return { kind: "ambiguous", key: shown(key) };
  return { kind: "object", object: JSON.parse(text.slice(object.start, object.end)) as Fields };
}

/** The quoted key as it appears in an object: first in it, before a colon, or where the text was cut off. */
function mentionOf(key: string): RegExp {
  const quoted = JSON.stringify(key).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`\\{\\s*${quoted}|${quoted}\\s*(?::|$)`);
}
