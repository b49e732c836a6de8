import { stripVTControlCharacters } from "node:util";
import type { FailureClass, TurnFailure } from "../core/agent-turn.ts";
import { BROAD_CODES, classOfStatus, EXACT_CODES } from "./error-codes.ts";
import { readings, type Reading } from "./error-reading.ts";
import { oneLine } from "./one-line.ts";
import { FARTHEST, retryAt } from "./retry-at.ts";
import type { Wording } from "./wording.ts";
import { WORDINGS } from "./wordings.ts";

/** The known facts about an error. Structured fields take precedence over words. */
export interface ErrorClue {
  /** An HTTP status, or null. */
  readonly status: number | null;
  /** The provider's or the agent's own code (`rate_limit`, `insufficient_quota`), or null. */
  readonly code: string | null;
  readonly message: string;
  /** The time to retry, from a field; it takes precedence over the message. */
  readonly retryAt?: string | null;
}

/** A limit that resets later than this is a quota, not a limit per minute. */
const NEAR_MS = 10 * 60_000;
/** No error is longer; a broken agent may print without end. */
const MAX_MESSAGE = 64 * 1024;
/** The length that `oneLine` shows whole. */
const SHOWN = 500;

interface Recognised {
  readonly class: FailureClass;
  readonly perMinuteToo: boolean;
}

/** Whether the service fails, not the work. Only such an error is believed in plain text. */
export function isOfTheService(kind: FailureClass): boolean {
  return waits(kind) || kind === "auth";
}

/** The kind of failure, or null if no rule matches. */
export function classify(clue: ErrorClue, now: Date): TurnFailure | null {
  const message = stripVTControlCharacters(clue.message.slice(-MAX_MESSAGE)).trim();
  for (const reading of readings(message, clue)) {
    const found = decide(reading);
    if (!found) continue;
    const at = comeBack(clue, reading.said, message, now);
    const near = at !== null && Date.parse(at) - now.getTime() <= NEAR_MS;
    return {
      class: found.perMinuteToo && near ? "rate_limited" : found.class,
      message: oneLine(message.length <= SHOWN ? message : reading.said),
      retryAt: waits(found.class) ? at : null,
    };
  }
  return null;
}

function decide(reading: Reading): Recognised | null {
  const exact = classOfCode(EXACT_CODES, reading.codes);
  if (exact) return { class: exact, perMinuteToo: false };
  const wording = WORDINGS.find((each) => fits(each, reading));
  if (wording) return { class: wording.class, perMinuteToo: wording.perMinuteToo ?? false };
  const broad =
    classOfCode(BROAD_CODES, reading.codes) ??
    (reading.status === null ? null : classOfStatus(reading.status));
  return broad && { class: broad, perMinuteToo: false };
}

function fits(wording: Wording, { text, sure, alone }: Reading): boolean {
  if (wording.weak && !sure && !alone) return false;
  return wording.says.some((pattern) => {
    const at = text.search(pattern);
    return sure ? at !== -1 : at === 0;
  });
}

function classOfCode(table: typeof EXACT_CODES, codes: readonly string[]): FailureClass | null {
  for (const [name, known] of Object.entries(table))
    if (known.some((code) => codes.includes(code))) return name as FailureClass;
  return null;
}

function waits(kind: FailureClass): boolean {
  return kind === "quota" || kind === "rate_limited" || kind === "overloaded" || kind === "unreachable";
}

function comeBack(clue: ErrorClue, said: string, message: string, now: Date): string | null {
  const ahead = (clue.retryAt ? Date.parse(clue.retryAt) : Number.NaN) - now.getTime();
  // A later time is a mistake, usually milliseconds read as seconds.
  if (ahead > 0 && ahead <= FARTHEST) return new Date(now.getTime() + ahead).toISOString();
  return retryAt(said, now) ?? retryAt(message, now);
}
