import type { ModeRules } from "../../core/mode.ts";
import type { Redactor } from "../../text/redact.ts";
import type { Settings } from "../../core/settings.ts";
import type { Journal } from "../../core/journal/journal.ts";
import type { RunPaths, RunStore } from "../../core/journal/run-store.ts";
import type { Machine } from "../../platform/process/run-command.ts";
import type { WorkTree } from "../../platform/git/tree.ts";
import type { Interrupt } from "../../platform/process/interrupt.ts";
import type { Rooms } from "./rooms.ts";
import type { Stop } from "../../platform/process/stop.ts";

export interface OwnFiles<S extends Settings = Settings> {
  readonly rules: ModeRules;
  /** Files of the work tree that the foreman writes, besides reports: a folder and names in it. */
  ownFiles?(settings: S): { readonly folder: string; readonly names: readonly string[] };
}

/** Everything outside itself that the collection of evidence uses. */
export interface EvidenceContext {
  readonly mode: OwnFiles;
  readonly store: RunStore;
  readonly paths: RunPaths;
  readonly journal: Journal;
  readonly tree: WorkTree;
  readonly machine: Machine;
  readonly rooms: Rooms;
  /** Redacts text of agents, programs and people before it is recorded or shown. */
  readonly redactor: Redactor;
  readonly stop: Stop;
  readonly interrupt: Interrupt;
  readonly now: () => Date;
}
