import type { DropReason } from "./chat/event.ts";
import type { BaseCommand, CheckId } from "./check-phase.ts";
import type { EndReason, FinalStatus, Impasse, TurnStarted, WaitStarted } from "./event.ts";
import type { TestRun } from "./evidence/event.ts";
import type { StepStatus, UnitTest } from "./step.ts";

/** The engine's next action. Each decision has exactly one effect and yields exactly one event. */
export type Decision =
  | { readonly do: "record_interrupted"; readonly attempt: number; readonly turn: number }
  | ({ readonly do: "open_turn" } & Omit<TurnStarted, "type" | "tree">)
  | { readonly do: "take_turn"; readonly attempt: number; readonly turn: number }
  | ({ readonly do: "run_check" } & CheckId)
  /** One run of a check in a room. */
  | ({ readonly do: "run_tests"; readonly run: TestRun } & CheckId)
  /** All runs of a check are done. */
  | ({ readonly do: "end_check" } & CheckId)
  | { readonly do: "take_base" }
  /** `again`: its first run failed. */
  | ({ readonly do: "check_base"; readonly again: boolean } & BaseCommand)
  | { readonly do: "take_candidate"; readonly attempt: number }
  | { readonly do: "confirm_candidate"; readonly attempt: number }
  | ({ readonly do: "start_wait" } & Omit<WaitStarted, "type">)
  | { readonly do: "sit_out"; readonly until: string }
  | { readonly do: "stop"; readonly by: Impasse }
  | { readonly do: "judge"; readonly attempt: number }
  | ModeDecision
  | { readonly do: "ask" }
  | { readonly do: "await_answer"; readonly questionId: string }
  | {
      readonly do: "end";
      readonly status: FinalStatus;
      readonly exitCode: number;
      readonly reason: EndReason;
    };

/** A decision that a mode carries out itself. */
export type ModeDecision =
  | { readonly do: "start_step"; readonly step: number; readonly regression: boolean }
  | {
      readonly do: "mark_step";
      readonly step: number;
      readonly status: StepStatus;
      readonly unitTest: UnitTest | null;
    }
  | { readonly do: "write_steps" }
  | { readonly do: "start_live"; readonly resumes: string | null }
  | { readonly do: "await_live" }
  | { readonly do: "send_feedback"; readonly attempt: number }
  | { readonly do: "drop_review"; readonly attempt: number; readonly why: DropReason };
