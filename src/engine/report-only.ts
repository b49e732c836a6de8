import type { RunState } from "../core/state.ts";
import type { RunFiles } from "./files.ts";
import { writeReportFile } from "./report-file.ts";

/** For modes that write only a report. */
export class ReportOnly implements RunFiles {
  readonly #reserve: string;
  readonly #report: (state: RunState) => object;

  constructor(reserve: string, report: (state: RunState) => object) {
    this.#reserve = reserve;
    this.#report = report;
  }

  readonly prepare = (): void => undefined;
  readonly discard = (): void => undefined;
  readonly prepareTurn = (): void => undefined;
  readonly environment = (): Record<string, string> => ({});
  readonly changed = (): readonly string[] => [];
  readonly settle = (): void => undefined;
  readonly follow = (): void => undefined;

  readonly leave = (state: RunState): void => {
    writeReportFile(state, this.#report(state), this.#reserve);
  };
}
