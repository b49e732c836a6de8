import { openUserQuestion } from "../domain/board/asked.ts";
import { MAIN_OPTIONS } from "../domain/board/asked.ts";
import { isLastIteration, iterationOf } from "../domain/board/iterations.ts";
import type { Lang } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import { ruleText } from "../i18n/board-rules.ts";
import { boardTexts } from "../i18n/board.ts";
import { terminalTexts } from "../i18n/terminal.ts";
import { openCallTexts } from "../reporters/board-wording.ts";
import type { OptionQuestion } from "./option-question.ts";
import { oracleDiff, type OracleDiff } from "./oracle-diff.ts";
import { oracleQuestion } from "./oracle-question.ts";
import { redactorFor } from "./redactor.ts";

/** What a run asks, unless it is about the limit or nothing. */
export function boardQuestion(state: RunState, lang: Lang): OptionQuestion | null {
  if (state.question?.about === "oracle") return oracleQuestion(state, lang, safeDiff(state, lang));
  const attempt = lastAttempt(state);
  if (!attempt || !state.question || state.question.about === "limit") return null;
  const words = boardTexts[lang].question;
  const place = `[${iterationOf(state, attempt.index)}]`;
  const asked = openUserQuestion(state);
  if (asked)
    return {
      title: `${place} ${visible(asked.title)}`,
      lines: [
        ...splitLines(asked.question).map((line) => visible(line)),
        ...(isLastIteration(state) ? [terminalTexts[lang].board.lastIteration(state.maxLoops)] : []),
      ],
      options: asked.options.map(({ id, description }) => ({ id, description: visible(description) })),
      recommended: asked.recommended,
    };
  const broken = attempt.main.at(-1)?.broken ?? [];
  return {
    title: `${place} ${words.mainBreaksRules(attempt.main.length)}`,
    lines: [
      ...broken.map((one) => `- ${visible(ruleText(one, lang))} (${one.rule})`),
      ...openCallTexts(state, terminalTexts[lang]),
    ],
    options: MAIN_OPTIONS.map((id) => ({ id, description: words.main[id] })),
    recommended: "ask_again",
  };
}

/** `use_minio: run MinIO locally (recommended)` */
export function optionText(
  { id, description }: OptionQuestion["options"][number],
  question: OptionQuestion,
  lang: Lang,
): string {
  return `${id}: ${description}${id === question.recommended ? boardTexts[lang].question.recommended : ""}`;
}

/** Files may hold secrets that no record does. */
function safeDiff(state: RunState, lang: Lang): OracleDiff {
  const redactor = redactorFor(state.settings, process.env);
  return oracleDiff(state, lang, (line) => redactor.text(line));
}

/** What suggests itself: what is recommended, else the last option, which is the most cautious one. */
export function suggested({ options, recommended }: OptionQuestion): string {
  return recommended ?? options.at(-1)?.id ?? "";
}
