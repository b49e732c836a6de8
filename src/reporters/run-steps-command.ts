import type { AnalyzeSettings, Settings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";
import { nearPath } from "./near-path.ts";

/** Takes the steps of a directory, typed where the run was started from; `flags` say which. */
export function runStepsCommand(
  dir: string,
  { calledFrom }: Pick<Settings, "calledFrom">,
  flags: readonly string[] = [],
): string {
  return visible(["agent-foreman run", shellWord(nearPath(dir, calledFrom)), ...flags].join(" "));
}

/** Writes the steps that a dry run showed, or others: the agent is asked again. */
export function analyzeCommand(
  { requirements, cwd, outDir }: AnalyzeSettings,
  { calledFrom }: Pick<Settings, "calledFrom">,
): string {
  const near = (path: string): string => shellWord(nearPath(path, calledFrom));
  const flags = [
    ...(cwd === calledFrom ? [] : ["--cwd", near(cwd)]),
    ...(outDir === null ? [] : ["--out", near(outDir)]),
  ];
  return visible(["agent-foreman analyze", near(requirements.path), ...flags].join(" "));
}
