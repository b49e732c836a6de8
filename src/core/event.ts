export type * from "./events/index.ts";
export type { CheckPhase } from "./check-phase.ts";
export type { RoleReport, TreeChange } from "./board/role-said.ts";
export { isBestEffort } from "../platform/process/containment-level.ts";
