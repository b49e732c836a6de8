import { randomBytes } from "node:crypto";
import type { Input, ModelError, Saying, Tool, WriterAndShell } from "./script.ts";

/** One way of talking to a model over HTTP, from the model's side. */
export interface Protocol {
  readonly name: string;
  readonly path: RegExp;
  readonly usual: WriterAndShell;
  readonly tools: (body: Input) => Tool[];
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

export function toolOf(name: unknown, schema: unknown, group?: string): Tool {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Input;
    readonly required?: readonly string[];
  };
  return { name: String(name), ...(group === undefined ? {} : { group }), properties, required };
}
