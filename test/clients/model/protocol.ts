import { randomBytes } from "node:crypto";
import type { Input, ModelError, Saying, Tool, WriterAndShell } from "./script.ts";

/** A model's HTTP protocol, from the model's side. */
export interface Protocol {
  readonly name: string;
  readonly path: RegExp;
  readonly usual: WriterAndShell;
  readonly tools: (body: Input) => Tool[];
  /** The prompt of the turn: the last text of the user. */
  readonly prompt: (body: Input) => string;
  readonly streams: (body: Input, path: string) => boolean;
  readonly whole: (saying: Saying, model: string) => unknown;
  /** The first frame alone starts an answer. */
  readonly frames: (saying: Saying, model: string) => Frame[];
  readonly error: (error: ModelError) => unknown;
}

export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

/** The reported usage of every answer. */
export const TOKENS = { input: 100, output: 12 } as const;

export function id(prefix: string): string {
  return `${prefix}${randomBytes(9).toString("hex")}`;
}

export function list(value: unknown): Input[] {
  return Array.isArray(value) ? (value as Input[]) : [];
}

/** The text of the user's last message, which is a string or a list of parts. */
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
