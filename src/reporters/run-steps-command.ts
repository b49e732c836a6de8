import type { Settings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";
import { nearPath } from "./near-path.ts";

/** Takes the steps of a directory, typed where the run was started from. */
export function runStepsCommand(dir: string, { calledFrom }: Pick<Settings, "calledFrom">): string {
  return visible(`agent-foreman run ${shellWord(nearPath(dir, calledFrom))}`);
}
