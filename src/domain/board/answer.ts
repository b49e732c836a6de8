/** Whom MAIN may call on next. */
export const NEXT_AGENTS = ["TEST", "DEV", "REVIEW", "USER", "FINISH"] as const;
export type NextAgent = (typeof NEXT_AGENTS)[number];

/** Whether a text names the agent: in lower case it means the same. */
export function isSameAgent(text: string, agent: NextAgent): boolean {
  return text.trim().toUpperCase() === agent;
}

/** Those that do the work. */
export const BOARD_ROLES = ["TEST", "DEV", "REVIEW"] as const;
export type BoardRole = (typeof BOARD_ROLES)[number];

export function isBoardRole(agent: NextAgent): agent is BoardRole {
  return agent !== "USER" && agent !== "FINISH";
}

/** What MAIN says in one iteration, as it stands in its line of JSON. */
export interface MainAnswer {
  readonly nextAgent: NextAgent;
  readonly reason: string;
  readonly historyAppend: string;
  /** The work order; null for USER and FINISH. */
  readonly task: string | null;
  /** The whole plan as it is to be; null: it stays. */
  readonly devPlanNext: string | null;
  /** Null but for USER. */
  readonly question: UserQuestion | null;
}

export interface UserQuestion {
  readonly title: string;
  readonly question: string;
  readonly options: readonly UserOption[];
  readonly recommended: string;
}

export interface UserOption {
  readonly id: string;
  readonly description: string;
}
