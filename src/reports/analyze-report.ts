import type { TreeChange } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import type { AnalyzeSettings } from "../domain/settings.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { coverageOf } from "../domain/steps/coverage.ts";
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
  /** The steps are shown and not written. */
  readonly dry_run: boolean;
  readonly steps: readonly PlannedStepReport[];
  /** What the document asks for, by its structure, and which steps cover it, by the agent's word. */
  readonly coverage: readonly CoveredReport[];
  readonly attempts: readonly AnalyzeAttemptReport[];
  readonly prompts: { readonly analyze: PromptReport };
}

interface PlannedStepReport {
  readonly file: string;
  readonly summary: string;
  readonly done: boolean;
  /** Null: the agent did not say. */
  readonly covers: readonly string[] | null;
}

interface CoveredReport {
  readonly id: string;
  readonly line: number;
  readonly text: string;
  /** Files of steps; null: none is named, and the agent did not say what every step covers. */
  readonly covered_by: readonly string[] | null;
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
  const { written } = state;
  return {
    ...commonReport(state, journal),
    mode: settings.mode,
    requirements: { path, sha256 },
    steps_dir: settings.dryRun ? null : (written?.dir ?? null),
    files: settings.dryRun ? [] : (written?.files ?? []),
    dry_run: settings.dryRun,
    steps: (written?.steps ?? []).map((step, index) => ({ file: written?.files[index] ?? "", ...step })),
    coverage: (written ? coverageOf(written) : []).map(({ requirement, by }) => ({
      ...requirement,
      covered_by: by,
    })),
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
