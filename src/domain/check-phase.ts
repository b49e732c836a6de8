/** What a test command is run for. */
export type CheckPhase = "fast" | "full" | "unit" | "acceptance" | "check";
