// Decides which marker lines of one stream count. Fed in stream order; the last one that counts wins.

import type { Fence, StatusMarker } from "./line.ts";

/** A marker and the start of its line in the stream. */
export interface Entry<Value> {
  readonly value: Value;
  readonly text: string;
  readonly offset: number;
  readonly epoch: number;
}

export type StatusEntry = Entry<StatusMarker | "invalid">;
export type EvidenceEntry = Entry<"evidence">;

export interface LastEntries {
  status: StatusEntry | null;
  evidence: EvidenceEntry | null;
}

const ALL_STATUSES = 3;

export class Ledger {
  readonly #counted: LastEntries = { status: null, evidence: null };
  /** Markers of the open fence, or of the one that just closed: an example if text follows the fence. */
  #fenced: LastEntries = { status: null, evidence: null };
  #fence: Fence | null = null;
  #awaitsText = false;
  /** Adjacent status lines so far; if they name every status, they are a list of choices. */
  readonly #named = new Set<StatusMarker>();
  #lastOfRun: StatusEntry | null = null;

  /** Whether later text decides if the markers of a closed fence count. */
  get awaitsText(): boolean {
    return this.#awaitsText;
  }

  status(entry: StatusEntry, place: { readonly adjoins: boolean; readonly echo: boolean }): void {
    if (!place.adjoins) this.#closeRun();
    if (entry.value !== "invalid") this.#named.add(entry.value);
    if (!place.echo) this.#lastOfRun = entry;
  }

  evidence(entry: EvidenceEntry): void {
    this.#book().evidence = entry;
  }

  fenceLine(line: Fence): void {
    this.#closeRun();
    if (this.#fence === null) {
      if (opens(line)) this.#fence = line;
    } else if (closes(line, this.#fence)) {
      this.#fence = null;
      this.#awaitsText = this.#fenced.status !== null || this.#fenced.evidence !== null;
    }
  }

  textFollows(): void {
    this.#fenced = { status: null, evidence: null };
    this.#awaitsText = false;
  }

  last(): Readonly<LastEntries> {
    this.#closeRun();
    return {
      status: this.#fenced.status ?? this.#counted.status,
      evidence: this.#fenced.evidence ?? this.#counted.evidence,
    };
  }

  #closeRun(): void {
    if (this.#lastOfRun !== null && this.#named.size < ALL_STATUSES) this.#book().status = this.#lastOfRun;
    this.#named.clear();
    this.#lastOfRun = null;
  }

  #book(): LastEntries {
    return this.#fence === null ? this.#counted : this.#fenced;
  }
}

/** As in Markdown, "```like this```" is inline code. */
function opens(line: Fence): boolean {
  return line.mark === "~" || !line.info.includes("`");
}

function closes(line: Fence, open: Fence): boolean {
  return line.mark === open.mark && line.length >= open.length && line.info === "";
}
