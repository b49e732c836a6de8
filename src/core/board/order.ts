import type { Acceptance } from "./plan.ts";

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
