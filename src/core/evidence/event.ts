export type * from "../events/base.ts";
export type * from "../events/candidate.ts";
export type * from "../events/check-ended.ts";
export { WEAKNESSES } from "../events/base.ts";
