import type { Finding, Level } from "./finding.ts";
import type { DoctorTexts } from "./words/doctor.ts";
import { padToWidth } from "../ui/format.ts";
import type { Line, Tone } from "../ui/page.ts";
import stringWidth from "fast-string-width";
import { visible } from "../text/text.ts";

const SIGNS: Readonly<Record<Level, { readonly sign: string; readonly tone?: Tone }>> = {
  ok: { sign: "✓", tone: "good" },
  info: { sign: "-" },
  warning: { sign: "!", tone: "warn" },
  failure: { sign: "✗", tone: "bad" },
};

/** One line per finding, with advice below. */
export function findingLines(findings: readonly Finding[], texts: DoctorTexts): Line[] {
  const width = Math.max(...findings.map((finding) => stringWidth(subject(finding, texts))));
  return findings.flatMap((finding): Line[] => {
    const { level, code, about } = finding;
    const { sign, ...tone } = SIGNS[level];
    const { text, advice } = texts.finding[code](about);
    const head = `${sign} ${padToWidth(subject(finding, texts), width)}  `;
    const below = (advice ?? []).map((line) => ({ text: " ".repeat(stringWidth(head)) + visible(line) }));
    return [{ text: head + visible(text), ...tone }, ...below];
  });
}

/** Agents appear under their own names. */
function subject({ check, about }: Finding, texts: DoctorTexts): string {
  return check === "agent" ? visible(String(about["name"])) : texts.check[check];
}
