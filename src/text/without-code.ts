import { codeSpans } from "./lines.ts";

/** A line without text in backticks. */
export function withoutCode(text: string): string {
  let from = 0;
  const parts = codeSpans(text).map(({ start, end }) => {
    const part = text.slice(from, start);
    from = end;
    return part;
  });
  return [...parts, text.slice(from)].join(" ");
}
