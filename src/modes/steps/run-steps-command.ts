import type { AnalyzeSettings, StepsSettings } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { shellWord } from "../../text/shell-quote.ts";
import { nearPath } from "../../ui/near-path.ts";
import { repeatedFlags } from "../../ui/repeated-flags.ts";

/** Flags that choose steps and say what happens to finished ones. */
const CHOICE = new Set(["--only", "--from", "--full-verify", "--no-reverify"]);
/** Flags of `analyze` that also apply to the steps. */
const OF_BOTH = new Set(["--agents", "--model", "--lang"]);

/** Runs the steps of a run again, typed in the directory `here`; `choice`: other steps than before; `instead`: flags that replace its own. */
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

export function runWrittenCommand(settings: AnalyzeSettings, dir: string, here: string): string {
  const flags = repeatedFlags(settings, here, (flag) => OF_BOTH.has(flag));
  return command("run", dir, here, flags);
}

/** Repeats a dry run as a real one. The agent is asked again, so the steps may differ. */
export function analyzeCommand(settings: AnalyzeSettings, here: string): string {
  const { requirements, outDir } = settings;
  const flags = repeatedFlags(settings, here, (flag) => flag !== "--out");
  const out = outDir === null ? [] : ["--out", shellWord(nearPath(outDir, here))];
  return command("analyze", requirements.path, here, [...flags, ...out]);
}

function command(name: string, path: string, here: string, flags: readonly string[]): string {
  return visible(["agent-foreman", name, shellWord(nearPath(path, here)), ...flags].join(" "));
}
