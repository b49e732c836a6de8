import type { Finding, Level } from "../domain/finding.ts";
import type { CommandTexts } from "../i18n/commands.ts";
import { padToWidth } from "../reporters/format.ts";
import type { Line, Tone } from "../reporters/page.ts";
import stringWidth from "string-width";
import { visible } from "../domain/text.ts";

const SIGNS: Readonly<Record<Level, { readonly sign: string; readonly tone?: Tone }>> = {
  ok: { sign: "✓", tone: "good" },
  info: { sign: "-" },
  warning: { sign: "!", tone: "warn" },
  failure: { sign: "✗", tone: "bad" },
};

/** A line a finding, and what would make it better below. */
export function findingLines(findings: readonly Finding[], texts: CommandTexts["doctor"]): Line[] {
  const width = Math.max(...findings.map(({ check }) => stringWidth(texts.check[check])));
  return findings.flatMap(({ check, level, code, about }): Line[] => {
    const { sign, ...tone } = SIGNS[level];
    const { text, advice } = texts.finding[code](about);
    const head = `${sign} ${padToWidth(texts.check[check], width)}  `;
    const below = (advice ?? []).map((line) => ({ text: " ".repeat(stringWidth(head)) + visible(line) }));
    return [{ text: head + visible(text), ...tone }, ...below];
  });
}
