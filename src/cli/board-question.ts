import { openUserQuestion } from "../core/question-options.ts";
import { MAIN_OPTIONS } from "../core/question-options.ts";
import { isLastIteration, iterationOf } from "../core/board/iterations.ts";
import type { Lang } from "../core/settings.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { splitLines, visible } from "../text/text.ts";
import { ruleText } from "../modes/orchestrate/words/board-rules.ts";
import { boardTerms } from "../modes/orchestrate/words/terminal.ts";
import { boardTexts } from "../modes/orchestrate/words/board.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { openCallTexts } from "../modes/orchestrate/board-wording.ts";
import { protectedDiff, type ProtectedDiff } from "./protected-diff.ts";
import { protectedQuestion, type OptionQuestion } from "./protected-question.ts";
import { redactorFor } from "./redactor.ts";

/** The run's open question; null if there is none or it is about a limit. */
export function boardQuestion(state: RunState, lang: Lang): OptionQuestion | null {
  if (state.question?.about === "protected") return protectedQuestion(state, lang, safeDiff(state, lang));
  const attempt = lastAttempt(state);
  if (!attempt || !state.question || state.question.about === "limit") return null;
  const place = `[${iterationOf(state, attempt.index)}]`;
  const asked = openUserQuestion(state);
  if (asked)
    return {
      title: `${place} ${visible(asked.title)}`,
      lines: [
        ...splitLines(asked.question).map((line) => visible(line)),
        ...(isLastIteration(state) ? [boardTerms[lang].lastIteration(state.maxLoops)] : []),
      ],
      options: asked.options.map(({ id, description }) => ({ id, description: visible(description) })),
      recommended: asked.recommended,
    };
  const broken = attempt.main.at(-1)?.broken ?? [];
  return {
    title: `${place} ${boardTexts[lang].mainBreaksRules(attempt.main.length)}`,
    lines: [
      ...broken.map((one) => `- ${visible(ruleText(one, lang))} (${one.rule})`),
      ...openCallTexts(state, terminalTexts[lang]),
    ],
    options: MAIN_OPTIONS.map((id) => ({ id, description: boardTerms[lang].mainOption[id] })),
    recommended: "ask_again",
  };
}

/** `use_minio: run MinIO locally (recommended)` */
export function optionText(
  { id, description }: OptionQuestion["options"][number],
  question: OptionQuestion,
  lang: Lang,
): string {
  return `${id}: ${description}${id === question.recommended ? boardTerms[lang].recommended : ""}`;
}

/** Files may hold secrets that are in no record. */
function safeDiff(state: RunState, lang: Lang): ProtectedDiff {
  const redactor = redactorFor(state.settings, process.env);
  return protectedDiff(state, lang, (line) => redactor.text(line));
}

/** The default choice: the recommended option, otherwise the last one, which is the most cautious. */
export function suggested({ options, recommended }: OptionQuestion): string {
  return recommended ?? options.at(-1)?.id ?? "";
}
