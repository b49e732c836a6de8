import type { MainsTurn } from "../../../src/modes/orchestrate/judge-answer.ts";
import type { BoardRule } from "../../../src/core/board/rule.ts";
import type { RunState } from "../../../src/core/state.ts";
import type { Say } from "./scene.ts";

/** A rule with cases that break only it and cases that break none. */
export interface Row {
  readonly rule: BoardRule;
  readonly what: string;
  readonly at: RunState;
  readonly broken: Say;
  readonly about: string;
  readonly seen?: Partial<MainsTurn>;
  readonly kept: Say;
  /** A different state for the valid case. */
  readonly keptAt?: RunState;
}
