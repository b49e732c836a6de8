import { stateDir } from "../config/state-dir.ts";
import { cutTo } from "../domain/board/lines.ts";
import { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { receiptFrom } from "../engine/receipt-file.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore, type RunPaths } from "../journal/run-store.ts";
import { receiptText, type Receipt } from "../reports/receipt.ts";
import { saying, short, type Seen } from "./verify-seen.ts";

const said = saying("journal");

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

/** A place where two JSON values are not the same. */
export type Difference = Readonly<Record<"field" | "given" | "derived", string>>;

const MOST_SHOWN = 80;

export function differences(given: unknown, derived: unknown, field = ""): readonly Difference[] {
  if (isNode(given) && isNode(derived) && Array.isArray(given) === Array.isArray(derived)) {
    const names = new Set([...Object.keys(given), ...Object.keys(derived)]);
    const inner = [...names].flatMap((name) =>
      differences(valueOf(given, name), valueOf(derived, name), inField(field, name, given)),
    );
    if (inner.length > 0) return inner;
  }
  // Also where nothing but the order of names is another: whoever wrote it did not take it from the journal.
  const [is, was]: (string | undefined)[] = [JSON.stringify(given), JSON.stringify(derived)];
  return is === was ? [] : [{ field: field === "" ? "." : field, given: shown(is), derived: shown(was) }];
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function valueOf(node: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(node, name)?.value;
}

function inField(field: string, name: string, node: object): string {
  if (Array.isArray(node)) return `${field}[${name}]`;
  return field === "" ? name : `${field}.${name}`;
}

function shown(json: string | undefined): string {
  return json === undefined ? "-" : cutTo(json, MOST_SHOWN);
}
