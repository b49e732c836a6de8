export type { OracleChange, OracleKind } from "../events/candidate.ts";
