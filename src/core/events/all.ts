// One line per family of events. `RunEvent`, the schemas, redaction and durability follow from the definitions in these files.
export * from "./base.ts";
export * from "./board.ts";
export * from "./candidate.ts";
export * from "./chat.ts";
export * from "./check-ended.ts";
export * from "./review-ended.ts";
export * from "./run.ts";
export * from "./steps.ts";
export * from "./turn.ts";
export * from "./verdict.ts";
