import fs from "node:fs";
import { errorCode, Failure, messageOf } from "../domain/failure.ts";
import { readPlainFile } from "../files/read-file.ts";
import type { VerifyTexts } from "../i18n/verify.ts";
import { PREDICATE_TYPE, RECEIPT_VERSION, STATEMENT_TYPE, type Receipt } from "../reports/receipt.ts";
import { receiptSchema } from "../reports/schema-receipt.ts";

/** A receipt names 200 tests at most. */
const LARGEST = 16 * 1024 * 1024;

/** Reads what is said to be a receipt; nothing but its form is known afterwards. */
export function readReceipt(path: string, texts: VerifyTexts): Receipt {
  const { unreadable } = texts;
  const refuse = (why: string): never => {
    throw new Failure("receipt_unreadable", { path, why });
  };
  const text = textIn(path, texts, refuse);
  const value = parsed(text, (why) => refuse(unreadable.noJson(why)));
  if (at(value, "_type") !== STATEMENT_TYPE || at(value, "predicateType") !== PREDICATE_TYPE)
    return refuse(unreadable.other);
  const version = at(value, "predicate", "agentForeman", "version");
  if (typeof version !== "number") return refuse(unreadable.other);
  if (version > RECEIPT_VERSION) return refuse(unreadable.newer(String(version)));
  if (!isReceipt(value)) return refuse(unreadable.misfit(misfitIn(value)));
  // Of two values of a name, which one is read depends on who reads.
  return keysWritten(text) === keysIn(value) ? value : refuse(unreadable.saidTwice);
}

/** As it was written: the schema would put names into its own order. */
function isReceipt(value: unknown): value is Receipt {
  return receiptSchema.safeParse(value).success;
}

function misfitIn(value: unknown): string {
  const issue = receiptSchema.safeParse(value).error?.issues[0];
  return issue ? `${issue.path.join(".")}: ${issue.message}` : "";
}

function textIn(path: string, { unreadable }: VerifyTexts, refuse: (why: string) => never): string {
  try {
    const stat = fs.lstatSync(path);
    if (stat.isSymbolicLink()) return refuse(unreadable.link);
    if (!stat.isFile()) return refuse(unreadable.noFile);
    if (stat.size > LARGEST) return refuse(unreadable.tooLarge(LARGEST));
    return readPlainFile(path, LARGEST).toString("utf8");
  } catch (error) {
    if (error instanceof Failure) throw error;
    return refuse(errorCode(error) ?? messageOf(error));
  }
}

function parsed(text: string, refuse: (why: string) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(messageOf(error));
  }
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null
        ? Object.getOwnPropertyDescriptor(inner, name)?.value
        : null,
    value,
  );
}

/** In JSON nothing but a key stands before a colon. */
function keysWritten(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/gs)].filter(([, colon]) => colon !== undefined).length;
}

function keysIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, each) => sum + keysIn(each), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
