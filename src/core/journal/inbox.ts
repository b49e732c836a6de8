import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import type { Answer } from "../event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import type { Message } from "../message.ts";
import { makeDirectories } from "../../platform/files/directories.ts";
import { readPlainFile } from "../../platform/files/read-file.ts";
import { removeAny } from "../../platform/files/remove.ts";
import { writeFileAtomic } from "../../platform/files/write-file.ts";

const MAX_MESSAGE_BYTES = 64 * 1024;
/** Valid names of an option. */
const OPTION = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
type ReviewsMessage = Message & { readonly kind: "reviews" };
const REVIEWS: readonly ReviewsMessage["to"][] = ["skip", "on", "paused", "stopped"];
const MESSAGE_FILE = /^[\w-]+\.json$/;

/** Messages from other processes to a run: files that appear complete, are read in order, and are deleted once journalled. */
export class Inbox {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  post(message: NewMessage): string {
    const id = `${Date.now()}-${message.kind}-${randomUUID()}`;
    const path = join(this.#dir, `${id}.json`);
    try {
      makeDirectories(this.#dir, 0o700);
      writeFileAtomic(path, JSON.stringify({ v: 1, id, ...message }));
      return id;
    } catch (error) {
      throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
    }
  }

  /** The oldest message, or undefined. An invalid one counts too: it is refused, not skipped. */
  peek(): Message | undefined {
    const name = this.#names()[0];
    return name === undefined ? undefined : this.#read(name);
  }

  /** A message that ends the run, ahead of earlier ones. */
  cancel(): Message | undefined {
    return this.#first("cancel");
  }

  /** A request about reviews, ahead of earlier messages. */
  reviews(): Message | undefined {
    return this.#first("reviews");
  }

  holds(id: string): boolean {
    return fs.existsSync(join(this.#dir, `${id}.json`));
  }

  remove(id: string): void {
    const path = join(this.#dir, `${id}.json`);
    try {
      removeAny(path);
    } catch (error) {
      throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
    }
  }

  #first(kind: Message["kind"]): Message | undefined {
    const named = this.#names().filter((name) => name.includes(`-${kind}-`));
    return named.map((name) => this.#read(name)).find((message) => message.kind === kind);
  }

  #names(): string[] {
    try {
      return fs
        .readdirSync(this.#dir)
        .filter((name) => MESSAGE_FILE.test(name))
        .sort();
    } catch {
      return [];
    }
  }

  #read(name: string): Message {
    const id = name.slice(0, -".json".length);
    try {
      const path = join(this.#dir, name);
      return parseMessage(id, JSON.parse(readPlainFile(path, MAX_MESSAGE_BYTES).toString("utf8")));
    } catch {
      return { kind: "unreadable", id };
    }
  }
}

export type NewMessage =
  | { readonly kind: "cancel" }
  | { readonly kind: "reviews"; readonly to: ReviewsMessage["to"] }
  | {
      readonly kind: "answer";
      readonly questionId: string | null;
      readonly answer: Answer;
      readonly note: string | null;
    };

function parseMessage(id: string, value: unknown): Message {
  if (!isObject(value)) return { kind: "unreadable", id };
  if (value["kind"] === "cancel") return { kind: "cancel", id };
  const to = REVIEWS.find((one) => one === value["to"]);
  if (value["kind"] === "reviews" && to) return { kind: "reviews", id, to };
  const answer = parseAnswer(value["answer"]);
  if (value["kind"] !== "answer" || !answer) return { kind: "unreadable", id };
  const questionId = typeof value["questionId"] === "string" ? value["questionId"] : null;
  const note = typeof value["note"] === "string" ? value["note"] : null;
  return { kind: "answer", id, questionId, answer, note };
}

function parseAnswer(value: unknown): Answer | undefined {
  if (!isObject(value)) return undefined;
  if (value["kind"] === "mark_pass" || value["kind"] === "mark_fail") return { kind: value["kind"] };
  const { n, option } = value;
  if (value["kind"] === "option" && typeof option === "string" && OPTION.test(option))
    return { kind: "option", option };
  if (value["kind"] === "continue_n" && typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= 1000)
    return { kind: "continue_n", n };
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
