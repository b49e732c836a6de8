/** One statement of a TOML text. */
export interface TomlStatement {
  readonly kind: "table" | "array" | "value";
  /** From the root, including its table. */
  readonly path: readonly string[];
  /** The table that contains it; for a table, itself. */
  readonly table: readonly string[];
  /** The number of earlier `[[tables]]` with the same name. */
  readonly ordinal: number;
  /** Of its line or lines, including the line end. */
  readonly start: number;
  readonly end: number;
  /** Without blanks, comments and the trailing comma of a list; empty for a table. */
  readonly value: string;
}

/** The statements of a text without parsed values; null if it is not TOML. */
export function scanToml(text: string): TomlStatement[] | null {
  const scanner = new Scanner(text);
  return scanner.scan() ? scanner.found : null;
}

const BLANK = /[ \t]*/y;
const BARE_KEY = /[^\s.=[\]{}"'#,]+/y;
const BASIC = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"/y;
const LITERAL = /'[^'\n]*'/y;
const PLAIN = /[^\s"'#,[\]{}]+/y;

class Scanner {
  readonly found: TomlStatement[] = [];
  readonly #text: string;
  readonly #arrays = new Map<string, number>();
  #at = 0;
  #table: readonly string[] = [];
  #ordinal = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): boolean {
    if (this.#text.startsWith("\ufeff")) this.#at = 1;
    while (this.#at < this.#text.length) {
      const start = this.#at;
      this.#take(BLANK);
      if (this.#lineEnds()) continue;
      if (!(this.#text[this.#at] === "[" ? this.#header(start) : this.#value(start))) return false;
    }
    return true;
  }

  #header(start: number): boolean {
    const isArray = this.#text.startsWith("[[", this.#at);
    const closer = isArray ? "]]" : "]";
    this.#at += closer.length;
    const path = this.#keys();
    if (path === null || !this.#text.startsWith(closer, this.#at)) return false;
    this.#at += closer.length;
    this.#take(BLANK);
    if (!this.#lineEnds()) return false;
    const key = JSON.stringify(path);
    const before = this.#arrays.get(key) ?? 0;
    if (isArray) this.#arrays.set(key, before + 1);
    this.#table = path;
    this.#ordinal = isArray ? before : 0;
    this.#add(isArray ? "array" : "table", path, start, "");
    return true;
  }

  #value(start: number): boolean {
    const keys = this.#keys();
    if (keys === null || this.#text[this.#at] !== "=") return false;
    this.#at += 1;
    const parts: string[] = [];
    const open: string[] = [];
    for (;;) {
      this.#take(BLANK);
      if (open.length === 0 ? this.#lineEnds() : this.#skipLine()) {
        if (open.length === 0) break;
        continue;
      }
      const token = this.#token();
      if (token === null) return false;
      if (token === "[" || token === "{") open.push(token);
      else if (token === "]" || token === "}") {
        if (open.pop() !== (token === "]" ? "[" : "{")) return false;
        if (parts.at(-1) === ",") parts.pop();
      }
      parts.push(token);
    }
    if (parts.length === 0) return false;
    this.#add("value", [...this.#table, ...keys], start, parts.join(" "));
    return true;
  }

  #token(): string | null {
    const char = this.#text[this.#at];
    if (char === undefined) return null;
    if (",[]{}=".includes(char)) {
      this.#at += 1;
      return char;
    }
    for (const quotes of ['"""', "'''"])
      if (this.#text.startsWith(quotes, this.#at)) return this.#long(quotes);
    if (char === '"') return this.#take(BASIC);
    // Both kinds of quotes mean the same without escapes.
    if (char === "'") return this.#take(LITERAL)?.replace(/^'([^"\\]*)'$/, '"$1"') ?? null;
    return this.#take(PLAIN);
  }

  /** A multi-line text, which may end with up to two more quotes. */
  #long(quotes: string): string | null {
    const start = this.#at;
    let end = start + 3;
    while (end < this.#text.length && !this.#text.startsWith(quotes, end))
      end += quotes === '"""' && this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) return null;
    end += 3;
    for (let more = 0; more < 2 && this.#text[end] === quotes[0]; more += 1) end += 1;
    this.#at = end;
    return this.#text.slice(start, end);
  }

  /** Dotted names, up to another character. */
  #keys(): string[] | null {
    const keys: string[] = [];
    for (;;) {
      this.#take(BLANK);
      const char = this.#text[this.#at];
      const quoted = char === '"' ? this.#take(BASIC) : char === "'" ? this.#take(LITERAL) : null;
      const key = quoted === null ? this.#take(BARE_KEY) : unquoted(quoted);
      if (key === null) return null;
      keys.push(key);
      this.#take(BLANK);
      if (this.#text[this.#at] !== ".") return keys;
      this.#at += 1;
    }
  }

  /** Skips a comment and the line end, if nothing else follows. */
  #lineEnds(): boolean {
    return this.#at >= this.#text.length || this.#skipLine();
  }

  #skipLine(): boolean {
    const rest = /(?:#[^\n]*)?(?:\r?\n|$)/y;
    const at = this.#at;
    return this.#take(rest) !== null && this.#at > at;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #add(kind: TomlStatement["kind"], path: readonly string[], start: number, value: string): void {
    const [table, ordinal] = [this.#table, this.#ordinal];
    this.found.push({ kind, path, table, ordinal, start, end: this.#at, value });
  }
}

function unquoted(key: string): string | null {
  if (key.startsWith("'")) return key.slice(1, -1);
  try {
    return JSON.parse(key) as string;
  } catch {
    return null;
  }
}
