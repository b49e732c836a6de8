import type { FailureClass } from "../../src/core/agent-turn.ts";
import type { DropReason } from "../../src/core/chat/event.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { EndReason, FinalStatus, Role, RunEvent } from "../../src/core/event.ts";
import type { ChatStory } from "../rig/chat-story.ts";
import { turnFailed } from "../rig/story.ts";

/** Decisions in conversations. */

export type Row = [name: string, story: ChatStory, decision: Decision | null];

export const opened = (role: Role, attempt: number, turn: number, resumes: string | null): Decision => {
  return { do: "open_turn", role, attempt, turn, agent: "claude", resumes };
};
export const check = (attempt: number, index = 1, command = "npm test"): Decision => {
  return { do: "run_check", attempt, phase: "check", index, command };
};
export const end = (status: FinalStatus, exitCode: number, reason: EndReason): Decision => {
  return { do: "end", status, exitCode, reason };
};
export const drop = (attempt: number, why: DropReason): Decision => ({ do: "drop_review", attempt, why });
/** The open turn fails because the agent is unavailable. */
export const failed = (attempt: number, turn: number, kind: FailureClass): RunEvent =>
  turnFailed(attempt, turn, "claude", kind);
export const interrupted = (attempt: number, turn: number): RunEvent => ({
  type: "turn_interrupted",
  attempt,
  turn,
});
/** At most one review, or one attempt. */
export const ONCE = { maxLoops: 1 };
