import { Failure, messageOf } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import type { RunContext } from "./ports.ts";
import { removeAny } from "../platform/files/remove.ts";
import { writeFileDurable } from "../platform/files/write-file.ts";

/** On a full disk this gives up the reserve, because the report matters more than reserved space. */
export function writeReport(state: RunState, { mode, paths }: Pick<RunContext, "mode" | "paths">): void {
  const { reportPath } = state.settings;
  const { journal, reserve } = paths;
  const text = `${JSON.stringify(mode.report(state, state.settings, journal), null, 2)}\n`;
  try {
    try {
      writeFileDurable(reportPath, text);
    } catch {
      removeAny(reserve);
      writeFileDurable(reportPath, text);
    }
  } catch (error) {
    const about = { runId: state.runId, path: reportPath, why: messageOf(error) };
    throw new Failure("report_write_failed", about, { cause: error });
  }
  // An unfinished run will need the reserve again.
  if (state.ended) removeAny(reserve);
}
