import type { CommandTexts } from "../i18n/commands.ts";
import { padToWidth } from "../reporters/format.ts";
import type { Line, Tone } from "../reporters/page.ts";
import stringWidth from "string-width";
import { visible } from "../domain/text.ts";

/** What `doctor` looks at. */
export type Check =
  | "containment"
  | "node"
  | "git"
  | "pipes"
  | "shell"
  | "order"
  | "language"
  | "terminal"
  | "state";

/** failure: runs cannot be made here. warning: they can, with less. info: neither good nor bad. */
export type Level = "ok" | "info" | "warning" | "failure";

/** Stable codes, the same in every language. */
export type FindingCode =
  | "contained"
  | "tools_missing"
  | "namespaces_forbidden"
  | "no_namespaces_on_platform"
  | "node_supported"
  | "node_too_old"
  | "git_found"
  | "git_missing"
  | "pipes_work"
  | "pipes_fail"
  | "pipes_not_needed"
  | "shell_found"
  | "shell_missing"
  | "order_exact"
  | "order_across_pauses"
  | "language_by_flag"
  | "language_by_locale"
  | "language_by_default"
  | "person_can_be_asked"
  | "nobody_to_ask"
  | "state_usable"
  | "space_low"
  | "state_unusable";

export interface Finding {
  readonly check: Check;
  readonly level: Level;
  readonly code: FindingCode;
  readonly about: Readonly<Record<string, string | number | boolean | null>>;
}

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
