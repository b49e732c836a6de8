import { relative } from "node:path";
import type { Settings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";

/** Takes the steps of a directory, typed where the run was started from. */
export function runStepsCommand(dir: string, { calledFrom }: Pick<Settings, "calledFrom">): string {
  const near = relative(calledFrom, dir);
  const short = near === "" ? "." : near.startsWith("..") ? dir : near;
  // A name that begins like a flag would be taken for one.
  return visible(`agent-foreman run ${shellWord(short.startsWith("-") ? `./${short}` : short)}`);
}
