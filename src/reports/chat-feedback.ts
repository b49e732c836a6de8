import { isMarkerLine } from "../domain/chat/completed.ts";
import type { CheckEnded } from "../domain/event.ts";
import { checkPassed, decisiveRun } from "../domain/room/verdict.ts";
import type { ChatSettings, Lang } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { chatWords } from "../i18n/chat-words.ts";
import { feedbackTexts } from "../i18n/feedback.ts";
import { cutTo, quoted, reviewNumber, visibleLines } from "./chat-parts.ts";
import { agentLines, type Excerpts, type FeedbackInput } from "./feedback.ts";
import { roomLines } from "./room-feedback.ts";
import { listed } from "./step-error.ts";

/** It is typed into a terminal, and an agent has to find room for it. */
const MAX_FEEDBACK = 16 * 1024;
const MAX_CHECKS = 10 * 1024;
/** The note of what is left out, and line ends. */
const MARGIN = 200;

export interface ChatFeedbackInput extends FeedbackInput<ChatSettings> {
  /** The reviewer's, without the marker. */
  readonly words: string;
}

/** What the agent is told of a review, as a message of the person's. Empty where nothing is missing. */
export function chatFeedback(input: ChatFeedbackInput): string {
  const { state, settings, attempt, verdict, excerpts } = input;
  if (verdict.verdict === "accepted") return "";
  const { lang } = settings;
  const words = chatWords[lang];
  const red = attempt.checks.filter((check) => !checkPassed(check));
  const first = `[agent-foreman review ${reviewNumber(state, attempt)}/${state.maxLoops}]`;
  const around = [
    ...(attempt.review ? foremansWords(input, red.length > 0) : turnWords(input)),
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

/** What the foreman adds to the reviewer's words. */
function foremansWords({ settings, attempt, words }: ChatFeedbackInput, red: boolean): readonly string[] {
  const texts = chatWords[settings.lang];
  const { completed, changed } = attempt.review ?? {};
  return [
    ...(completed === true && red ? ["", texts.completedBut] : []),
    ...(completed !== true && words.trim() === "" ? ["", texts.noWords] : []),
    ...(changed && changed.length > 0 ? ["", texts.meddled(listed(changed))] : []),
  ];
}

/** Why there was nothing to review. */
function turnWords({ settings, attempt, verdict, excerpts }: ChatFeedbackInput): readonly string[] {
  const text = feedbackTexts[settings.lang];
  return [
    chatWords[settings.lang].notReviewed,
    ...verdict.reasons.map((reason) => `- ${text.reason[reason]}`),
    ...agentLines(attempt, text),
    ...quoted(excerpts.agent, settings.lang),
  ];
}

/** Only of the first that failed is anything quoted. */
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

/** What is sent to the agent must not look like a reviewer's last word, whoever reads it later. */
function withoutMarkers(
  lines: readonly string[],
  { marker, waitingMarker }: ChatSettings,
): readonly string[] {
  const isMarker = (line: string): boolean => isMarkerLine(line, marker) || isMarkerLine(line, waitingMarker);
  return lines.map((line) => (isMarker(line) ? `"${line.trim()}"` : line));
}
