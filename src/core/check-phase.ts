import { codes, type TypeOf } from "../text/shape.ts";

/** The purpose of a test command. */
export const phase = codes(["fast", "full", "unit", "acceptance", "check"]);
export type CheckPhase = TypeOf<typeof phase>;

/** A test command of the base. */
export interface BaseCommand {
  readonly phase: CheckPhase;
  /** From 1, in its phase. */
  readonly index: number;
  readonly command: string;
}

/** A test command of an attempt. */
export interface CheckId extends BaseCommand {
  readonly attempt: number;
}
