import type { Acceptance } from "./plan.ts";

/** A work order as it is understood; what it does not say is null. */
export interface Order {
  /** Of `# Current Task (Iteration N)`, which has to be its first line. */
  readonly iteration: number | null;
  readonly assignedAgent: string | null;
  readonly selfTest: "enabled" | "disabled" | null;
  readonly reviewMode: ReviewMode | null;
  /** `task:`, where MAIN says which one it means. */
  readonly task: string | null;
  /** `red_waiver:`, why there need be no failing test first. */
  readonly redWaiver: string | null;
  /** Values that a known key has and that are none of its own. */
  readonly unknownValues: readonly { readonly key: string; readonly value: string }[];
  readonly sections: readonly OrderSection[];
  /** The commands of the acceptance section, in order. */
  readonly commands: readonly Acceptance[];
  /** How many items the section of test requirements has. */
  readonly requirements: number;
  /** The milestone of a line `Partial Milestone Review: M{N} (excluding blocked tasks)`. */
  readonly partial: string | null;
}

export const REVIEW_MODES = ["milestone", "single", "investigate"] as const;
export type ReviewMode = (typeof REVIEW_MODES)[number];

/** The sections that rules speak of, in either language. */
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
