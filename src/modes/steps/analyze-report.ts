import type { AnalyzeSettings } from "../../core/settings.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { coverageOf } from "./requirements.ts";
import { analysisProblemText } from "./words/step-problems.ts";
import { commonReport, promptReport, turnReport } from "../report/report-parts.ts";
import type { Described } from "../../core/report/described.ts";
import type { analyzeReportSchema } from "./schema-report.ts";

export type AnalyzeReport = Described<typeof analyzeReportSchema>;

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
): AnalyzeReport["attempts"][number] | undefined {
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
