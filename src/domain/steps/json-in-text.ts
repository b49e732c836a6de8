import { repeatedKey } from "./json-keys.ts";
import { memberOf, scanValue, type JsonValue, type Span } from "./json-text.ts";
import { shown } from "./step-problem.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is said in an object; `key`: it has that one twice, so it says two things. */
export type Said =
  | { readonly kind: "object"; readonly object: Fields }
  | { readonly kind: "ambiguous"; readonly key: string };

/**
 * The JSON objects that stand in free text, bare or in a code fence, in their order. Behind a brace that begins no object the
 * search goes on at the place where it failed, never before it: so every character is looked at once, whatever the text is.
 * An object within a broken one is thereby not found.
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
 * The last object that has the key. Broken if something after it looks like another that is broken or cut off: what its author
 * said last cannot be read then, and what he said before does not stand for it.
 */
export function lastObjectWith(text: string, key: string): Said | { readonly kind: "none" | "broken" } {
  const mention = mentionOf(key);
  let last: Span | "none" | "broken" = "none";
  let told = 0;
  for (const value of objectsIn(text)) {
    if (value.kind === "broken") continue;
    if (mention.test(text.slice(told, value.start))) last = "broken";
    if (memberOf(value, key)) last = value;
    told = value.end;
  }
  if (mention.test(text.slice(told))) last = "broken";
  return typeof last === "string" ? { kind: last } : saidIn(text, last);
}

export function saidIn(text: string, object: Span): Said {
  const key = repeatedKey(text, object);
  if (key !== null) return { kind: "ambiguous", key: shown(key) };
  return { kind: "object", object: JSON.parse(text.slice(object.start, object.end)) as Fields };
}

/** The quoted key as it stands in an object: first in it, before a colon, or where the text was cut off. */
function mentionOf(key: string): RegExp {
  const quoted = JSON.stringify(key).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`\\{\\s*${quoted}|${quoted}\\s*(?::|$)`);
}
