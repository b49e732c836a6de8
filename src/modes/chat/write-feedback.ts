import type { ChatSettings } from "../../core/settings.ts";
import type { Attempt } from "../../core/state.ts";
import { excerptsOf } from "../../engine/feedback.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { readKept } from "../../platform/files/kept.ts";
import { chatFeedback } from "./chat-feedback.ts";
import { readVerdict } from "./completed.ts";

export const writeChatFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as ChatSettings;
  const words = reviewersWords(attempt, settings);
  return chatFeedback({ state, settings, attempt, verdict, words, excerpts: excerptsOf(attempt, safe) });
};

function reviewersWords({ review }: Attempt, settings: ChatSettings): string {
  const text = review?.agent.message ? readKept(review.agent.message) : undefined;
  return readVerdict(text ?? "", settings).words;
}
