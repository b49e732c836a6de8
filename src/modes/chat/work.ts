import { chatRules } from "./rules.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { chatReport } from "./chat-report.ts";
import { wholeTree } from "../../engine/tree-change.ts";
import { chatAssignment } from "./chat-assignment.ts";
import { writeChatFeedback } from "./chat-feedback.ts";
import type { ModeWork } from "../../engine/ports.ts";
import { newsEvent, awaitLive, liveOf, sendFeedback } from "./live-session.ts";

export const chatWork: ModeWork<ChatSettings> = {
  rules: chatRules,
  restrictsWorker: false,
  // The reviewer of a conversation must not become part of it.
  forksReview: true,
  inputFiles: () => [],
  treeBefore: (role, _state, _settings, { tree }) =>
    role === "reviewer" ? wholeTree(tree.snapshot()) : null,
  assignment: chatAssignment,
  async perform(decision, state, context) {
    switch (decision.do) {
      case "start_live":
        await liveOf(context).start(decision.resumes);
        return { type: "live_started", resumes: decision.resumes };
      case "await_live":
        return awaitLive(context);
      case "send_feedback":
        return sendFeedback(decision.attempt, state, context);
      case "drop_review":
        return { type: "review_dropped", attempt: decision.attempt, why: decision.why, messageId: null };
      default:
        throw new Error(`a chat cannot ${decision.do}`);
    }
  },
  newsEvent,
  feedback: writeChatFeedback,
  report: chatReport,
};
