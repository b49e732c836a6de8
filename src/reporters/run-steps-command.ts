import type { AnalyzeSettings, StepsSettings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";
import { nearPath } from "./near-path.ts";
import { repeatedFlags } from "./repeated-flags.ts";

/** Which steps a call is about, and what becomes of those that are done. */
const CHOICE = new Set(["--only", "--from", "--full-verify", "--no-reverify"]);
/** Flags of `analyze` that are good for the steps, too. */
const OF_BOTH = new Set(["--agents", "--model", "--lang"]);

/** Runs the steps of a run again, typed in the directory `here`; `choice`: others than it was about; `instead`: in place of its own. */
export function runAgainCommand(
  settings: StepsSettings,
  here: string,
  choice?: readonly string[],
  instead: readonly string[] = [],
): string {
  const isKept = (flag: string): boolean =>
    !instead.includes(flag) && (choice === undefined || !CHOICE.has(flag));
  const flags = repeatedFlags(settings, here, isKept);
  return command("run", settings.stepsDir, here, [...flags, ...(choice ?? []), ...instead]);
}

/** Runs the steps that an analysis wrote. */
export function runWrittenCommand(settings: AnalyzeSettings, dir: string, here: string): string {
  const flags = repeatedFlags(settings, here, (flag) => OF_BOTH.has(flag));
  return command("run", dir, here, flags);
}

/** Writes the steps that a dry run showed, or others: the agent is asked again. */
export function analyzeCommand(settings: AnalyzeSettings, here: string): string {
  const { requirements, outDir } = settings;
  const flags = repeatedFlags(settings, here, (flag) => flag !== "--out");
  const out = outDir === null ? [] : ["--out", shellWord(nearPath(outDir, here))];
  return command("analyze", requirements.path, here, [...flags, ...out]);
}

function command(name: string, path: string, here: string, flags: readonly string[]): string {
  return visible(["agent-foreman", name, shellWord(nearPath(path, here)), ...flags].join(" "));
}
