import { isMarkerLine, readVerdict } from "./completed.ts";
import type { CheckEnded } from "../../core/event.ts";
import { checkPassed, decisiveRun } from "../../evidence/verdict.ts";
import type { ChatSettings, Lang } from "../../core/settings.ts";
import { listed, visible } from "../../text/text.ts";
import { chatWords } from "./words/chat-words.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { cutTo, quoted, reviewNumber, visibleLines } from "./chat-parts.ts";
import { type Excerpts, excerptsOf } from "../../engine/feedback.ts";
import { agentLines, type FeedbackInput } from "../feedback.ts";
import { roomLines } from "../../evidence/report/room-feedback.ts";
import type { Attempt } from "../../core/state.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { readKept } from "../../platform/files/kept.ts";

/** The feedback is typed into a terminal, and an agent has to find room for it. */
const MAX_FEEDBACK = 16 * 1024;
const MAX_CHECKS = 10 * 1024;
/** Room for the note about omitted text, and for line ends. */
const MARGIN = 200;

export interface ChatFeedbackInput extends FeedbackInput<ChatSettings> {
  /** The reviewer's words, without the marker. */
  readonly words: string;
}

/** The feedback that the agent gets after a review, as a message of the person's. Empty if nothing is missing. */
export function chatFeedback(input: ChatFeedbackInput): string {
  const { state, settings, attempt, verdict, excerpts } = input;
  if (verdict.verdict === "accepted") return "";
  const { lang } = settings;
  const words = chatWords[lang];
  const red = attempt.checks.filter((check) => !checkPassed(check));
  const first = `[agent-foreman review ${reviewNumber(state, attempt)}/${state.maxLoops}]`;
  const around = [
    ...(attempt.review ? foremanLines(input, red.length > 0) : failedTurnLines(input)),
    ...roomLines(state, attempt, { reasons: verdict.reasons, lang }),
    ...(red.length > 0 ? ["", words.redChecks, ...redLines(red, excerpts, lang)] : []),
  ].join("\n");
  const rest = cutTo(MAX_CHECKS, around, lang);
  const room = MAX_FEEDBACK - MARGIN - Buffer.byteLength([first, rest, words.goOn].join("\n"));
  const said = visibleLines(cutTo(room, visibleLines(input.words.trim()).join("\n"), lang));
  const lines = [first, ...said, ...rest.split("\n"), "", words.goOn];
  return `${withoutMarkers(lines, settings)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")}\n`;
}

/** Text that the foreman adds to the reviewer's words. */
function foremanLines({ settings, attempt, words }: ChatFeedbackInput, red: boolean): readonly string[] {
  const texts = chatWords[settings.lang];
  const { completed, changed } = attempt.review ?? {};
  return [
    ...(completed === true && red ? ["", texts.completedBut] : []),
    ...(completed !== true && words.trim() === "" ? ["", texts.noWords] : []),
    ...(changed && changed.length > 0 ? ["", texts.meddled(listed(changed))] : []),
  ];
}

/** Explains why there was nothing to review. */
function failedTurnLines({ settings, attempt, verdict, excerpts }: ChatFeedbackInput): readonly string[] {
  const text = feedbackTexts[settings.lang];
  return [
    chatWords[settings.lang].notReviewed,
    ...verdict.reasons.map((reason) => `- ${text.reason[reason]}`),
    ...agentLines(attempt, text),
    ...quoted(excerpts.agent, settings.lang),
  ];
}

/** Only the output of the first failed check is quoted. */
function redLines(red: readonly CheckEnded[], { check }: Excerpts, lang: Lang): readonly string[] {
  const words = chatWords[lang];
  return red.flatMap((failed, at) => {
    const { process, output } = decisiveRun(failed);
    return [
      `- \`${visible(process.command)}\`: ${visible(feedbackTexts[lang].end(process.end))}`,
      ...quoted(at === 0 ? check : [], lang),
      ...(output.bytes > 0 ? [`  ${words.allOutput(visible(output.path), output.bytes)}`] : []),
    ];
  });
}

/** Defuses markers in feedback: text that is sent to the agent must never look like a reviewer's verdict. */
function withoutMarkers(
  lines: readonly string[],
  { marker, waitingMarker }: ChatSettings,
): readonly string[] {
  const isMarker = (line: string): boolean => isMarkerLine(line, marker) || isMarkerLine(line, waitingMarker);
  return lines.map((line) => (isMarker(line) ? `"${line.trim()}"` : line));
}

export const writeChatFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as ChatSettings;
  const words = reviewersWords(attempt, settings);
  return chatFeedback({ state, settings, attempt, verdict, words, excerpts: excerptsOf(attempt, safe) });
};

function reviewersWords({ review }: Attempt, settings: ChatSettings): string {
  const text = review?.agent.message ? readKept(review.agent.message) : undefined;
  return readVerdict(text ?? "", settings).words;
}
