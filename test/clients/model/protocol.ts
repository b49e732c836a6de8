import { randomBytes } from "node:crypto";
import type { Input, ModelError, Saying, Tool, WriterAndShell } from "./script.ts";

/** One way of talking to a model over HTTP, from the model's side. */
export interface Protocol {
  readonly name: string;
  readonly path: RegExp;
  readonly usual: WriterAndShell;
  readonly tools: (body: Input) => Tool[];
  /** The prompt of the turn: the text that came last in the person's name. */
  readonly prompt: (body: Input) => string;
  readonly streams: (body: Input, path: string) => boolean;
  readonly whole: (saying: Saying, model: string) => unknown;
  /** The first frame alone tells the client that an answer has begun. */
  readonly frames: (saying: Saying, model: string) => Frame[];
  readonly error: (error: ModelError) => unknown;
}

export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

/** What every answer is said to have used. */
export const TOKENS = { input: 100, output: 12 } as const;

export function id(prefix: string): string {
  return `${prefix}${randomBytes(9).toString("hex")}`;
}

export function list(value: unknown): Input[] {
  return Array.isArray(value) ? (value as Input[]) : [];
}

/** The text of the last message of the person: a text, or parts of which some are texts. */
export function lastText(messages: unknown, parts: string): string {
  const last = list(messages).findLast(({ role }) => role === "user")?.[parts];
  if (typeof last === "string") return last;
  return list(last)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

export function toolOf(name: unknown, schema: unknown, group?: string): Tool {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Input;
    readonly required?: readonly string[];
  };
  return { name: String(name), ...(group === undefined ? {} : { group }), properties, required };
}
