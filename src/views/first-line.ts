import { splitLines, visible } from "../domain/text.ts";

/** The first line of a text that says something, made safe to show. */
export function firstLine(text: string): string {
  return visible(splitLines(text).find((line) => line.trim() !== "") ?? "").trim();
}
