import { runStore } from "./run-store.ts";
import { cutTo } from "../text/lines.ts";
import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { receiptFrom } from "../evidence/receipt/receipt-file.ts";
import { receiptText, type Receipt } from "../evidence/receipt/receipt.ts";
import { saying, short, type Seen } from "./verify-seen.ts";

const said = saying("journal");

export interface JournalSeen {
  readonly seen: Seen;
  /** Null: the journal is missing or not trustworthy. */
  readonly state: RunState | null;
}

/** If the journal is here, the receipt must equal the one derived from it. */
export function lookAtJournal(receipt: Receipt, env: NodeJS.ProcessEnv): JournalSeen {
  const runId = receipt.predicate.agentForeman.run_id;
  const store = runStore(env);
  if (!store.has(runId)) return { seen: said("unknown", "journal_not_here"), state: null };
  try {
    const { state, records, head } = store.read(runId);
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

function compared(given: Receipt, derived: Receipt | null): Seen {
  if (!derived) return said("refused", "run_not_accepted");
  const [difference] = differences(given, JSON.parse(receiptText(derived)));
  if (difference) return said("refused", "journal_differs", difference);
  const { records, head } = derived.predicate.agentForeman.journal;
  return said("ok", "journal_agrees", { records: String(records), head: short(head) });
}

/** A place where two JSON values differ. */
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
  // Also covers a different order of names: such a receipt was not derived from the journal.
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
