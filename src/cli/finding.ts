import stringWidth from "fast-string-width";
import type { Lang } from "../core/settings.ts";
import { visible } from "../text/text.ts";
import { padToWidth } from "../ui/format.ts";
import type { Line, Tone } from "../ui/page.ts";
import { checkNames, FINDINGS, type About, type Check, type FindingTexts } from "./words/doctor.ts";
import { fill } from "./words/texts.ts";

type FindingCode = { [C in Check]: keyof (typeof FINDINGS)[C] }[Check];
/** failure: runs are impossible here. warning: runs work with restrictions. info: neutral. */
type Level = "ok" | "info" | "warning" | "failure";

export interface Finding {
  readonly check: Check;
  readonly level: Level;
  readonly code: FindingCode;
  readonly about: About;
}

const BY_CODE = new Map(
  Object.entries(FINDINGS).flatMap(([check, findings]) =>
    Object.entries<FindingTexts | ((about: About) => FindingTexts)>(findings).map(
      ([code, texts]) => [code, { check: check as Check, texts }] as const,
    ),
  ),
);

function definitionOf(code: FindingCode): NonNullable<ReturnType<typeof BY_CODE.get>> {
  const found = BY_CODE.get(code);
  if (!found) throw new Error(`unknown finding ${code}`);
  return found;
}

export function finding(level: Level, code: FindingCode, about: About = {}): Finding {
  return { check: definitionOf(code).check, level, code, about };
}

const SIGNS: Readonly<Record<Level, { readonly sign: string; readonly tone?: Tone }>> = {
  ok: { sign: "✓", tone: "good" },
  info: { sign: "-" },
  warning: { sign: "!", tone: "warn" },
  failure: { sign: "✗", tone: "bad" },
};

/** One line per finding, with advice below. */
export function findingLines(findings: readonly Finding[], lang: Lang): Line[] {
  const width = Math.max(...findings.map((each) => stringWidth(subject(each, lang))));
  return findings.flatMap((each): Line[] => {
    const { level, code, about } = each;
    const { sign, ...tone } = SIGNS[level];
    const { texts } = definitionOf(code);
    const { advice, ...text } = typeof texts === "function" ? texts(about) : texts;
    const head = `${sign} ${padToWidth(subject(each, lang), width)}  `;
    const below = (typeof advice === "object" ? advice[lang] : (advice ?? "")).split("\n").filter(Boolean);
    return [
      { text: head + visible(fill(text[lang], about)), ...tone },
      ...below.map((line) => ({ text: " ".repeat(stringWidth(head)) + visible(fill(line, about)) })),
    ];
  });
}

/** Agents appear under their own names. */
function subject({ check, about }: Finding, lang: Lang): string {
  return check === "agent" ? visible(String(about["name"])) : checkNames[check][lang];
}
