export type { ProtectedChange, ProtectedKind } from "../events/candidate.ts";
