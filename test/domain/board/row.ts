import type { MainsTurn } from "../../../src/domain/board/judge-answer.ts";
import type { BoardRule } from "../../../src/domain/board/rule.ts";
import type { RunState } from "../../../src/domain/state.ts";
import type { Say } from "./scene.ts";

/** A rule, both ways: what breaks it and no other, and what keeps them all. */
export interface Row {
  readonly rule: BoardRule;
  readonly what: string;
  readonly at: RunState;
  readonly broken: Say;
  readonly about: string;
  readonly seen?: Partial<MainsTurn>;
  readonly kept: Say;
  /** Where it is kept in another state. */
  readonly keptAt?: RunState;
}
