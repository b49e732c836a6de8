import { PROTECTED_OPTIONS } from "../core/question-options.ts";
import { heldChanges } from "../evidence/held.ts";
import type { Lang } from "../core/settings.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { terminalTexts, type TerminalTexts } from "../ui/words/terminal.ts";
import { heldTexts } from "../ui/room-wording.ts";
import { viewOf } from "../modes/registry.ts";
import { changeText } from "../evidence/report/room-words.ts";
import { byWeight, type ProtectedDiff } from "./protected-diff.ts";

const MAX_FILES = 20;
const MAX_DIFF_LINES = 60;
/** Minimum lines per file. A shorter cut shows no change in its context. */
const MIN_SHARE = 15;
const MAX_LINE = 400;

/** A question with its own options. Its texts are safe to print to a terminal. */
export interface OptionQuestion {
  readonly title: string;
  readonly lines: readonly string[];
  readonly options: readonly { readonly id: string; readonly description: string }[];
  /** Null: no recommendation. */
  readonly recommended: string | null;
}

/** Asks the person whether to allow changed tests. */
export function protectedQuestion(state: RunState, lang: Lang, diff: ProtectedDiff): OptionQuestion | null {
  const attempt = lastAttempt(state);
  if (!attempt || state.question?.about !== "protected") return null;
  const texts = terminalTexts[lang];
  const { room } = texts;
  const files = byWeight(heldChanges(state, attempt)).map((change) => `- ${changeText(change, room)}`);
  const moreFiles = files.length - MAX_FILES;
  const evidence = attempt.turn?.claim?.evidence;
  return {
    title: `${viewOf(state).place(state, attempt.index)} ${room.held}`,
    lines: [
      ...files.slice(0, MAX_FILES),
      ...(moreFiles > 0 ? [`  ${room.andMore(moreFiles)}`] : []),
      ...(evidence == null ? [] : [`  ${room.agentSays(visible(evidence))}`]),
      // Two checks may have the same evidence.
      ...[...new Set(attempt.checks.flatMap((check) => heldTexts(check, texts)))].map((line) => `  ${line}`),
      ...diffLines(diff, texts).map((line) => `| ${visible(line)}`),
    ],
    options: PROTECTED_OPTIONS.map((id) => ({ id, description: room.options[id] })),
    recommended: null,
  };
}

function diffLines({ parts, kept }: ProtectedDiff, texts: TerminalTexts): readonly string[] {
  const { diff: words } = texts.room;
  const share = shareOf(parts);
  const shown = partsWithin(parts, share);
  const lines = shown.flatMap((part) => {
    const left = part.length - share;
    return [...part.slice(0, share).map(cut), ...(left > 0 ? [texts.moreLines(left)] : [])];
  });
  const moreFiles = parts.length - shown.length;
  const isCut = moreFiles > 0 || shown.some((part) => part.length > share || part.some(isLong));
  return [
    ...lines,
    ...(moreFiles > 0 ? [words.moreFiles(moreFiles)] : []),
    ...(isCut && kept !== null ? [words.allOfIt(kept)] : []),
  ];
}

/** Divides the available lines among the files. If the share is too small, some files are left out instead. */
function shareOf(parts: ProtectedDiff["parts"]): number {
  let share = MAX_DIFF_LINES;
  while (share > MIN_SHARE && linesAt(share, parts) > MAX_DIFF_LINES) share -= 1;
  return share;
}

function linesAt(share: number, parts: ProtectedDiff["parts"]): number {
  return parts.reduce((sum, part) => sum + Math.min(part.length, share), 0);
}

function partsWithin(parts: ProtectedDiff["parts"], share: number): ProtectedDiff["parts"] {
  let lines = 0;
  const end = parts.findIndex((part) => {
    lines += Math.min(part.length, share);
    return lines > MAX_DIFF_LINES;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

function cut(line: string): string {
  return isLong(line) ? `${line.slice(0, MAX_LINE)} ...` : line;
}

function isLong(line: string): boolean {
  return line.length > MAX_LINE;
}
