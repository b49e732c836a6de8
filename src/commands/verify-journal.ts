import { stateDir } from "../config/state-dir.ts";
import { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { receiptFrom } from "../engine/receipt-file.ts";
import type { VerifyCode } from "../i18n/verify.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore, type RunPaths } from "../journal/run-store.ts";
import { receiptText, type Receipt } from "../reports/receipt.ts";
import { differences } from "./verify-differences.ts";
import { short, type Seen } from "./verify-seen.ts";

export interface JournalSeen {
  readonly seen: Seen;
  /** Null: there is no journal here, or none that can be believed. */
  readonly state: RunState | null;
}

/** A journal comes down to one receipt: where it is here, nothing else is to be believed. */
export function lookAtJournal(receipt: Receipt, env: NodeJS.ProcessEnv): JournalSeen {
  const runId = receipt.predicate.agentForeman.run_id;
  const paths = pathsOf(runId, env);
  if (!paths) return { seen: said("unknown", "journal_not_here"), state: null };
  try {
    const { state, records, head } = readJournal(paths.journal, runId);
    const derived = receiptFrom(state, { head, records: records.length });
    return { seen: compared(receipt, derived), state };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, about } = error;
    const seen =
      code === "evidence_changed"
        ? said("refused", code, { path: about["path"] ?? "" })
        : said("refused", "journal_damaged", { code, why: about["why"] ?? "" });
    return { seen, state: null };
  }
}

function pathsOf(runId: string, env: NodeJS.ProcessEnv): RunPaths | null {
  try {
    return new RunStore(stateDir(env)).find(runId);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

function compared(given: Receipt, derived: Receipt | null): Seen {
  if (!derived) return said("refused", "run_not_accepted");
  const [difference] = differences(given, JSON.parse(receiptText(derived)));
  if (difference) return said("refused", "journal_differs", difference);
  const { records, head } = derived.predicate.agentForeman.journal;
  return said("ok", "journal_agrees", { records: String(records), head: short(head) });
}

function said(level: Seen["level"], code: VerifyCode, about: Seen["about"] = {}): Seen {
  return { check: "journal", level, code, about };
}
