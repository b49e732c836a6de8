import path from "node:path";
import type { Denial, TurnFailure, Usage } from "../core/agent-turn.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";
import { classify, type ErrorClue } from "./classify.ts";
import { conclude, type Said } from "./conclude.ts";
import { type JsonObject, stringIn } from "./json-lines.ts";

const MAX_FILES = 200;
const MAX_DENIALS = 50;
const MAX_ABOUT = 200;
const MAX_FINAL_TEXT = 1024 * 1024;

/** Files by the names a person would use: relative to the work directory if they are in it. Bounded. */
export class TouchedFiles {
  readonly #cwd: string;
  readonly #names = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  add(file: string | undefined): void {
    if (file === undefined || file === "" || this.#names.size >= MAX_FILES) return;
    const relative = path.relative(this.#cwd, path.resolve(this.#cwd, file));
    this.#names.add(relative === "" || relative.startsWith("..") ? file : relative);
  }

  get list(): readonly string[] {
    return [...this.#names];
  }
}

/** Files of tool calls with a pending outcome, by the call's id. Beyond the limit, the oldest count as written. */
export class PendingWrites {
  readonly #files: TouchedFiles;
  readonly #pending = new Map<string, string>();

  constructor(files: TouchedFiles) {
    this.#files = files;
  }

  /** Whether the outcome of a call is pending. */
  get waiting(): boolean {
    return this.#pending.size > 0;
  }

  begin(call: string | undefined, file: string | undefined): void {
    if (call === undefined || file === undefined) return;
    this.#pending.set(call, file);
    const oldest = this.#pending.size > MAX_FILES ? this.#pending.keys().next().value : undefined;
    this.end(oldest, true);
  }

  end(call: string | undefined, isDone: boolean): void {
    if (call === undefined) return;
    if (isDone) this.#files.add(this.#pending.get(call));
    this.#pending.delete(call);
  }
}

export class Denials {
  readonly list: Denial[] = [];

  add(tool: string | undefined, subject: string): void {
    if (this.list.length < MAX_DENIALS) this.list.push({ tool: tool ?? "", about: subject });
  }
}

/** The end of a byte stream in a ring buffer, decoded only on demand. */
export class Tail {
  readonly #limit: number;
  #ring: Buffer | undefined;
  /** Position of the next byte. */
  #at = 0;
  #full = false;

  constructor(limit = 8 * 1024) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#ring ??= Buffer.allocUnsafe(this.#limit);
    const kept = chunk.subarray(-this.#limit);
    const untilEnd = Math.min(kept.length, this.#limit - this.#at);
    kept.copy(this.#ring, this.#at, 0, untilEnd);
    kept.copy(this.#ring, 0, untilEnd);
    this.#full ||= this.#at + kept.length >= this.#limit;
    this.#at = (this.#at + kept.length) % this.#limit;
  }

  get text(): string {
    if (!this.#ring) return "";
    const older = this.#full ? this.#ring.subarray(this.#at) : Buffer.alloc(0);
    return Buffer.concat([older, this.#ring.subarray(0, this.#at)]).toString("utf8");
  }
}

/** Keeps the end of a long message, because its markers are there. */
export function boundedEnd(text: string): string {
  return text.length <= MAX_FINAL_TEXT ? text : text.slice(-MAX_FINAL_TEXT);
}

/** The file of a tool call, from the arguments that agents commonly use. */
export function fileIn(input: JsonObject | undefined): string | undefined {
  const named = ["file_path", "filePath", "path", "notebook_path"].map((key) => stringIn(input, key));
  return named.find((text) => text !== undefined);
}

/** A tool call's subject, in one bounded line. */
export function about(input: JsonObject | undefined): string {
  const text = fileIn(input) ?? stringIn(input, "command") ?? stringIn(input, "url") ?? "";
  return text.replace(/\s+/g, " ").slice(0, MAX_ABOUT);
}

/** The value of `type`, if it is a line's first key, without parsing the line. */
export function leadingType(line: string): string | undefined {
  if (!line.startsWith('{"type":"')) return undefined;
  const end = line.indexOf('"', 9);
  return end === -1 ? undefined : line.slice(9, end);
}

/** Client libraries put the HTTP status before the message of the service: `429 Too many requests`. */
export function leadingStatus(message: string): number | null {
  const found = /^([1-5]\d\d)\b/.exec(message);
  return found ? Number(found[1]) : null;
}

export function subtractUsage(total: Usage, before: Usage): Usage {
  const less = (key: "input" | "cached" | "output"): number => Math.max(0, total[key] - before[key]);
  const cost = total.costUsd === null ? null : Math.max(0, total.costUsd - (before.costUsd ?? 0));
  return { input: less("input"), cached: less("cached"), output: less("output"), costUsd: cost };
}

/**
 * How the turn failed, or null. `retrying` is the last service error without an answer since: if time ran out meanwhile, it is
 * the cause.
 */
export function failureOf(
  said: Said,
  retrying: ErrorClue | null,
  end: ProcessEnd,
  now: Date,
): TurnFailure | null {
  const outOfTime = end.kind === "timeout" || end.kind === "stalled";
  const cause = outOfTime && retrying !== null ? classify(retrying, now) : null;
  return cause ?? conclude(said, end, now);
}
