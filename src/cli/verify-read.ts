import fs from "node:fs";
import { cutTo } from "../text/lines.ts";
import { errorCode, Failure, messageOf } from "../platform/failure.ts";
import { repeatedKey } from "../text/json/json-keys.ts";
import { readPlainFile } from "../platform/files/read-file.ts";
import type { VerifyTexts } from "./words/verify.ts";
import type { Receipt } from "../evidence/receipt/receipt.ts";
import { PREDICATE_TYPE, RECEIPT_VERSION, STATEMENT_TYPE } from "../evidence/receipt/receipt-format.ts";
import { receiptSchema } from "../evidence/receipt/schema-receipt.ts";

/** Enough for a receipt, which names at most 200 tests. */
const LARGEST = 4 * 1024 * 1024;
const MOST_SHOWN = 200;

/** Reads a receipt and checks its form only. */
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
  if (version < RECEIPT_VERSION) return refuse(unreadable.older(String(version)));
  const [misfit] = receiptSchema.safeParse(value).error?.issues ?? [];
  if (misfit)
    return refuse(unreadable.misfit(cutTo(`${misfit.path.join(".")}: ${misfit.message}`, MOST_SHOWN)));
  // Parsers differ in which value of a repeated name they use.
  if (repeatedKey(text, { start: 0, end: text.length }) !== null) return refuse(unreadable.saidTwice);
  // Returned as written, because the schema would reorder the names.
  return value as Receipt;
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
