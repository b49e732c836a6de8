import { codes, foreign, list, nullable, object, type TypeOf } from "../../text/shape.ts";

/** The agents that MAIN may call next. */
export const NEXT_AGENTS = ["TEST", "DEV", "REVIEW", "USER", "FINISH"] as const;
export type NextAgent = (typeof NEXT_AGENTS)[number];

/** Whether a text names the agent, ignoring case. */
export function isSameAgent(text: string, agent: NextAgent): boolean {
  return text.trim().toUpperCase() === agent;
}

/** The working roles. */
export const BOARD_ROLES = ["TEST", "DEV", "REVIEW"] as const;
export type BoardRole = (typeof BOARD_ROLES)[number];

export function isBoardRole(agent: NextAgent): agent is BoardRole {
  return agent !== "USER" && agent !== "FINISH";
}

const userQuestion = object({
  title: foreign(),
  question: foreign(),
  options: list(object({ id: foreign(), description: foreign() })),
  recommended: foreign(),
});
export type UserQuestion = TypeOf<typeof userQuestion>;
export type UserOption = UserQuestion["options"][number];

/** MAIN's answer in one iteration, from its line of JSON. */
export const mainAnswer = object({
  nextAgent: codes(NEXT_AGENTS),
  reason: foreign(),
  historyAppend: foreign(),
  /** The work order; null for USER and FINISH. */
  task: nullable(foreign()),
  /** The whole new plan; null: unchanged. */
  devPlanNext: nullable(foreign()),
  /** Null except for USER. */
  question: nullable(userQuestion),
});
export type MainAnswer = TypeOf<typeof mainAnswer>;
