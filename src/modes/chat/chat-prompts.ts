import type { ExcerptLine } from "../../text/excerpt.ts";
import { succeeded, type ProcessEnd } from "../../platform/process/process-end.ts";
import type { ChatSettings, Lang } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { chatWords } from "./words/chat-words.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { cutTo, quoted, visibleLines } from "./chat-parts.ts";

/** The same in every language: people's own `SUPERVISOR.md` may refer to it. */
const ORIGINAL = "用户原始提问:";
const MAX_INPUT = 32 * 1024;
/** A long conversation must leave the reviewer room for its own work. */
const MAX_INPUTS = 128 * 1024;
const MAX_SAID = 16 * 1024;

export interface ReviewGiven {
  /** Inputs of the person, the task last. */
  readonly inputs: readonly string[];
  /** The agent's last message; null: unknown, or the reviewer sees the conversation. */
  readonly said: string | null;
  readonly checks: readonly GivenCheck[];
  /** The reviewer's system prompt, for agents that take it only as part of the prompt. */
  readonly system: string | null;
}

interface GivenCheck {
  readonly command: string;
  readonly end: ProcessEnd;
  readonly lines: readonly ExcerptLine[];
}

/** The prompt for a reviewer of a conversation. */
export function reviewPrompt({ lang, marker, waitingMarker }: ChatSettings, given: ReviewGiven): string {
  const words = chatWords[lang];
  const { system, said, checks } = given;
  const quotes = said !== null || checks.some(({ lines }) => lines.length > 0);
  const parts: readonly (readonly string[])[] = [
    system === null ? [] : [system.trim()],
    [ORIGINAL, ...inputLines(given.inputs, lang)],
    given.inputs.length > 1 ? [words.lastCounts] : [],
    said === null ? [] : [words.said, ...saidLines(said, lang)],
    checks.length === 0 ? [] : [words.checks, ...checks.flatMap((check) => checkLines(check, lang))],
    quotes ? [words.quoted] : [],
    [...words.asked(marker, waitingMarker), ...(checks.length === 0 ? [] : [words.checksDecide])],
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => `${part.join("\n")}\n`)
    .join("\n");
}

/** The prompt after the agent's session was lost: the script's prompt, then the review. */
export function continuePrompt({ prompt, lang }: ChatSettings, feedback: string): string {
  return [prompt ?? "", chatWords[lang].sessionLost, feedback].join("\n\n");
}

/** The last inputs matter most, so the oldest are left out first. */
function inputLines(inputs: readonly string[], lang: Lang): readonly string[] {
  const texts = inputs.map((input, index) => {
    const text = visibleLines(cutTo(MAX_INPUT, input, lang)).join("\n");
    return inputs.length === 1 ? text : `${index + 1}. ${text}`;
  });
  let first = texts.length;
  for (let room = MAX_INPUTS; first > 0; first--) {
    room -= Buffer.byteLength(texts[first - 1] ?? "");
    if (room < 0) break;
  }
  return [...(first > 0 ? [chatWords[lang].leftOutInputs(first)] : []), ...texts.slice(first)];
}

function saidLines(said: string, lang: Lang): readonly string[] {
  const lines = visibleLines(cutTo(MAX_SAID, said, lang));
  return quoted(
    lines.map((text) => ({ text })),
    lang,
  );
}

function checkLines({ command, end, lines }: GivenCheck, lang: Lang): readonly string[] {
  const words = chatWords[lang];
  const result = succeeded(end) ? words.passed : words.failed(visible(feedbackTexts[lang].end(end)));
  return [`- \`${visible(command)}\`: ${result}`, ...quoted(lines, lang)];
}
