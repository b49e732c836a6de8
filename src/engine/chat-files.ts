import type { RunState } from "../domain/state.ts";
import type { RunPaths } from "../journal/run-store.ts";
import { chatReport } from "../reports/chat-report.ts";
import type { RunFiles } from "./files.ts";
import { writeReportFile } from "./report-file.ts";

/** What a conversation leaves: a report. */
export class ChatFiles implements RunFiles {
  readonly #paths: RunPaths;

  constructor(paths: RunPaths) {
    this.#paths = paths;
  }

  readonly prepare = (): void => undefined;
  readonly discard = (): void => undefined;
  readonly prepareTurn = (): void => undefined;
  readonly environment = (): Record<string, string> => ({});
  readonly changed = (): readonly string[] => [];
  readonly settle = (): void => undefined;
  readonly follow = (): void => undefined;

  readonly leave = (state: RunState): void => {
    const { settings } = state;
    if (settings.mode !== "chat")
      throw new Error(`these are the files of another mode than ${settings.mode}`);
    writeReportFile(state, chatReport(state, settings, this.#paths.journal), this.#paths.reserve);
  };
}
