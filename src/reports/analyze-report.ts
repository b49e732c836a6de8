import type { TreeChange } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import type { AnalyzeSettings } from "../domain/settings.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { analysisProblemText } from "../i18n/step-problems.ts";
import {
  commonReport,
  promptReport,
  turnReport,
  type CommonReport,
  type PromptReport,
  type TurnReport,
} from "./report-parts.ts";

/** The report of `analyze`. */
export interface AnalyzeReport extends CommonReport {
  readonly mode: "analyze";
  readonly requirements: { readonly path: string; readonly sha256: string };
  /** Null: nothing was written. */
  readonly steps_dir: string | null;
  readonly files: readonly string[];
  readonly attempts: readonly AnalyzeAttemptReport[];
  readonly prompts: { readonly analyze: PromptReport };
}

interface AnalyzeAttemptReport {
  readonly index: number;
  readonly started_at: string;
  readonly decision: "accepted" | "rejected";
  readonly reasons: readonly Reason[];
  /** Why the answer cannot be used. */
  readonly problem: string | null;
  /** Null: nobody can tell. */
  readonly changed_files: TreeChange;
  readonly changed_inputs: readonly string[];
  readonly agent: TurnReport;
  readonly feedback: Captured;
}

export function analyzeReport(state: RunState, settings: AnalyzeSettings, journal: string): AnalyzeReport {
  const { path, sha256 } = settings.requirements;
  return {
    ...commonReport(state, journal),
    mode: settings.mode,
    requirements: { path, sha256 },
    steps_dir: state.written?.dir ?? null,
    files: state.written?.files ?? [],
    attempts: state.attempts.flatMap((attempt) => analyzeAttemptReport(attempt, settings) ?? []),
    prompts: { analyze: promptReport(settings.prompts.analyze) },
  };
}

export function analyzeAttemptReport(
  { index, startedAt, turn, judged }: Attempt,
  { lang }: AnalyzeSettings,
): AnalyzeAttemptReport | undefined {
  if (!judged || turn?.product?.kind !== "analysis") return undefined;
  const { problem, changed } = turn.product;
  return {
    index,
    started_at: startedAt,
    decision: judged.verdict,
    reasons: judged.reasons,
    problem: problem && analysisProblemText(problem, lang),
    changed_files: changed,
    changed_inputs: turn.changedInputs,
    agent: turnReport(turn),
    feedback: judged.feedback,
  };
}
