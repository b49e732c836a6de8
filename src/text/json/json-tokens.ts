export type JsonFaultCode =
  | "unfinished"
  | "value_expected"
  | "key_expected"
  | "colon_expected"
  | "comma_expected"
  | "bad_string"
  | "bad_number"
  | "more_after"
  | "too_deep";
export interface JsonFault {
  readonly fault: JsonFaultCode;
  readonly offset: number;
}

const LITERALS = ["true", "false", "null"];
const ESCAPE = /["\\/bfnrt]|u[\da-fA-F]{4}/y;

/** Each returns the offset after the token at `start`. */
export function scalarEnd(text: string, at: number): number | JsonFault {
  if (text[at] === '"') return stringEnd(text, at);
  const literal = LITERALS.find((word) => text.startsWith(word, at));
  if (literal !== undefined) return at + literal.length;
  return text[at] === "-" || isDigit(text, at) ? numberEnd(text, at) : expected("value_expected", text, at);
}

export function stringEnd(text: string, start: number): number | JsonFault {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { fault: "bad_string", offset: at };
    if (code === 0x5c) {
      ESCAPE.lastIndex = at + 1;
      if (!ESCAPE.test(text)) return expected("bad_string", text, at + 1);
      at = ESCAPE.lastIndex;
    } else at += 1;
  }
  return { fault: "unfinished", offset: text.length };
}

function numberEnd(text: string, start: number): number | JsonFault {
  let at = text[start] === "-" ? start + 1 : start;
  if (!isDigit(text, at)) return expected("bad_number", text, at);
  at = text[at] === "0" ? at + 1 : digitsEnd(text, at);
  if (text[at] === ".") {
    if (!isDigit(text, at + 1)) return expected("bad_number", text, at + 1);
    at = digitsEnd(text, at + 1);
  }
  if (text[at] === "e" || text[at] === "E") {
    at += text[at + 1] === "+" || text[at + 1] === "-" ? 2 : 1;
    if (!isDigit(text, at)) return expected("bad_number", text, at);
    at = digitsEnd(text, at);
  }
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at += 1;
  return at;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
}

export function expected(fault: JsonFaultCode, text: string, offset: number): JsonFault {
  return offset < text.length ? { fault, offset } : { fault: "unfinished", offset: text.length };
}
