import { ORACLE_OPTIONS } from "../domain/board/asked.ts";
import { heldChanges } from "../domain/room/held.ts";
import type { Lang } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { terminalTexts } from "../i18n/terminal.ts";
import { ownTexts, testTexts } from "../reporters/room-wording.ts";
import { attemptPlace } from "../reporters/wording.ts";
import { changeText } from "../reports/room-words.ts";
import type { OptionQuestion } from "./option-question.ts";

const MAX_FILES = 20;
const MAX_DIFF_LINES = 60;
const MAX_LINE = 400;

/** What a person has to decide about tests that were changed. `diff`: lines of what was changed, as they stand in the files. */
export function oracleQuestion(state: RunState, lang: Lang, diff: readonly string[]): OptionQuestion | null {
  const attempt = lastAttempt(state);
  if (!attempt || state.question?.about !== "oracle") return null;
  const texts = terminalTexts[lang];
  const { room } = texts;
  const files = heldChanges(state, attempt).map((change) => `- ${changeText(change, room)}`);
  const moreFiles = files.length - MAX_FILES;
  const moreLines = diff.length - MAX_DIFF_LINES;
  return {
    title: `${attemptPlace(state, attempt.index)} ${room.held}`,
    lines: [
      ...files.slice(0, MAX_FILES),
      ...(moreFiles > 0 ? [`  ${room.andMore(moreFiles)}`] : []),
      ...attempt.checks
        .flatMap((check) => [...testTexts(check, texts), ...ownTexts(check, texts)])
        .map((line) => `  ${line}`),
      ...diff.slice(0, MAX_DIFF_LINES).map((line) => `| ${visible(cut(line))}`),
      ...(moreLines > 0 ? [`| ${texts.moreLines(moreLines)}`] : []),
    ],
    options: ORACLE_OPTIONS.map((id) => ({ id, description: room.options[id] })),
    recommended: null,
  };
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} ...` : line;
}
