import { splitLines, visible } from "../../text/text.ts";

/** The first line with content, made safe to show. */
export function firstLine(text: string): string {
  return visible(splitLines(text).find((line) => line.trim() !== "") ?? "").trim();
}
