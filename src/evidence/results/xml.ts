export type Attributes = ReadonlyMap<string, string>;

export interface XmlListener {
  readonly opened: (name: string, attributes: Attributes) => void;
  readonly closed: (name: string) => void;
}

/**
 * Reads the elements of an XML text in order, without texts and comments. Hand-written, because a DTD could make a library read other files or
 * expand without end. Only the five predefined and numeric entities exist. False: the text ends early. Tolerates other malformed XML.
 */
export function readXml(text: string, listener: XmlListener): boolean {
  const open: string[] = [];
  /** The number of open elements by name, so that an unmatched end does not search all of them. */
  const counts = new Map<string, number>();
  const close = (name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) - 1);
    listener.closed(name);
  };
  let at = 0;
  for (;;) {
    at = text.indexOf("<", at);
    if (at < 0) return open.length === 0;
    const skipped = OTHERS.find(({ start }) => text.startsWith(start, at));
    if (skipped !== undefined) {
      const end = text.indexOf(skipped.end, at + skipped.start.length);
      if (end < 0) return false;
      at = end + skipped.end.length;
      continue;
    }
    // A bare one, in a text.
    if (!/[\w:/]/.test(text[at + 1] ?? "/")) {
      at += 1;
      continue;
    }
    const tag = readTag(text, at + 1);
    if (tag === null) return false;
    at = tag.end;
    if (tag.isEnd) {
      if ((counts.get(tag.name) ?? 0) === 0) continue;
      for (let name = open.pop(); name !== undefined; name = open.pop()) {
        close(name);
        if (name === tag.name) break;
      }
    } else {
      counts.set(tag.name, (counts.get(tag.name) ?? 0) + 1);
      listener.opened(tag.name, tag.attributes);
      if (tag.isEmpty) close(tag.name);
      else open.push(tag.name);
    }
  }
}

const OTHERS = [
  { start: "<!--", end: "-->" },
  { start: "<![CDATA[", end: "]]>" },
  { start: "<?", end: "?>" },
  { start: "<!", end: ">" },
] as const;

interface Tag {
  readonly name: string;
  readonly attributes: Attributes;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  /** After its `>`. */
  readonly end: number;
}

const WORD = /[^\s=<>"'/]*/y;
const SPACE = /\s*/y;

/** Null: the text ends inside the tag. */
function readTag(text: string, from: number): Tag | null {
  const isEnd = text[from] === "/";
  const nameEnd = after(WORD, text, isEnd ? from + 1 : from);
  const name = text.slice(isEnd ? from + 1 : from, nameEnd);
  const attributes = new Map<string, string>();
  let isEmpty = false;
  let at = nameEnd;
  for (;;) {
    at = after(SPACE, text, at);
    const char = text[at];
    if (char === undefined) return null;
    if (char === ">") return { name, attributes, isEnd, isEmpty, end: at + 1 };
    isEmpty = char === "/";
    const keyEnd = after(WORD, text, at);
    const key = text.slice(at, keyEnd);
    // An unexpected character.
    if (key === "") {
      at += 1;
      continue;
    }
    const quoteAt = valueAt(text, keyEnd);
    const quote = quoteAt === null ? undefined : text[quoteAt];
    if (quoteAt === null || (quote !== '"' && quote !== "'")) {
      at = keyEnd;
      continue;
    }
    const end = text.indexOf(quote, quoteAt + 1);
    if (end < 0) return null;
    attributes.set(key, decoded(text.slice(quoteAt + 1, end)));
    at = end + 1;
  }
}

/** The start of a key's value; null: it has none. */
function valueAt(text: string, keyEnd: number): number | null {
  const equals = after(SPACE, text, keyEnd);
  return text[equals] === "=" ? after(SPACE, text, equals + 1) : null;
}

function after(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  sticky.exec(text);
  return sticky.lastIndex;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decoded(value: string): string {
  return value.replace(/&(#x?)?([0-9a-z]{1,8});/gi, (all, number, word: string) => {
    if (number === undefined) return ENTITIES.get(word) ?? all;
    const code = Number.parseInt(word, number === "#" ? 10 : 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
  });
}
