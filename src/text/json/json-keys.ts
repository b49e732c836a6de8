import type { JsonValue, Span } from "./json-text.ts";
import { skipSpace, stringEnd } from "./json-tokens.ts";

/**
 * The first duplicate key of an object at any depth. JSON.parse silently takes the last one, but the author has then
 * said two things.
 */
export function repeatedKey(text: string, { start, end }: Span): string | null {
  const open: Set<string>[] = [];
  for (let at = start; at < end; at += 1) {
    if (text[at] === "{") open.push(new Set());
    else if (text[at] === "}") open.pop();
    else if (text[at] === '"') {
      const after = stringEnd(text, at);
      if (typeof after !== "number") return null;
      if (text[skipSpace(text, after)] === ":") {
        const key = JSON.parse(text.slice(at, after)) as string;
        if (open.at(-1)?.has(key)) return key;
        open.at(-1)?.add(key);
      }
      at = after - 1;
    }
  }
  return null;
}

/** The keys of one object that repeat an earlier one. */
export function repeatedKeys({ children }: JsonValue): (Span & { readonly name: string })[] {
  const seen = new Set<string>();
  return children.flatMap(({ key }) => {
    if (key === null) return [];
    const again = seen.has(key.name);
    seen.add(key.name);
    return again ? [key] : [];
  });
}
