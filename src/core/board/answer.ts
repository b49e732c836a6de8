import { codes, foreign, list, nullable, object, type TypeOf } from "../../text/shape.ts";
import type { Acceptance } from "./plan.ts";

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

/** The keys of the roles in the settings. */
export const ROLE_KEYS = { MAIN: "main", TEST: "test", DEV: "dev", REVIEW: "review" } as const;

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

/** A parsed work order; missing parts are null. */
export interface Order {
  /** From `# Current Task (Iteration N)`, which has to be its first line. */
  readonly iteration: number | null;
  readonly assignedAgent: string | null;
  readonly selfTest: "enabled" | "disabled" | null;
  readonly reviewMode: ReviewMode | null;
  /** `task:`, where MAIN names it. */
  readonly task: string | null;
  /** `red_waiver:`, why no failing test is needed first. */
  readonly redWaiver: string | null;
  /** Invalid values of known keys. */
  readonly unknownValues: readonly { readonly key: string; readonly value: string }[];
  readonly sections: readonly OrderSection[];
  /** The commands of the acceptance section, in order. */
  readonly commands: readonly Acceptance[];
  /** Number of items in the section of test requirements. */
  readonly requirements: number;
  /** The milestone of a line `Partial Milestone Review: M{N} (excluding blocked tasks)`. */
  readonly partial: string | null;
}

export const REVIEW_MODES = ["milestone", "single", "investigate"] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];

/** Sections that the rules mention, in either language. */
export const ORDER_SECTIONS = [
  "goal",
  "acceptance",
  "test_requirements",
  "code_under_test",
  "investigation",
  "dev_feedback",
  "files",
  "investigation_requirements",
  "clarification_reply",
] as const;
export type OrderSectionName = (typeof ORDER_SECTIONS)[number];

export interface OrderSection {
  readonly name: OrderSectionName;
  readonly text: string;
}
