/** What a variable stands for whose value nobody knows, as a variable of the shell. */
export const UNKNOWN = "${_}";
/** Values may name each other, and grow with every round. */
const LONGEST_EXPANDED = 10_000;
const MAX_DEPTH = 8;
const SUBSTITUTED = /^([\w.-]+):([^=]*)=([^]*)$/;
const CALL = /^([a-z]+)[ \t]+([^]*)$/;
const READS_FILE = /^\s*(?:cat\s+|<\s*)([\w./-]+)\s*$/;

/** Lists of lists are as many as their product. */
const MAX_REFERENCES = 1000;

type Variables = Pick<ReadonlyMap<string, string>, "get">;

/** With some of their own. */
export function within(outer: Variables, own: ReadonlyMap<string, string>): Variables {
  return { get: (name) => own.get(name) ?? outer.get(name) };
}

/**
 * With what is known put in, patterns being left as they are; the rest is left as a variable of the shell, whose value nobody knows
 * either. `onRead` is told of files whose text is put in.
 */
export function expanded(
  text: string,
  variables: Variables,
  onRead: (file: string) => void = () => {},
): string {
  return new Expansion(onRead).of(text, variables, 0);
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** What `%` stands for in a name; null: the pattern does not fit. What nobody knows may be anything. */
export function stemIn(pattern: string, name: string): string | null {
  const [start = "", end] = pattern.split("%");
  if (end === undefined) return pattern === name ? "" : null;
  if (name.includes(UNKNOWN)) return name === UNKNOWN || name.startsWith(start) ? "*" : null;
  const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
  return fits ? name.slice(start.length, name.length - end.length) : null;
}

function each(words: string, of: (word: string) => string): string {
  return wordsOf(words).map(of).join(" ");
}

function patternSubstituted(from: string, to: string, words: string): string {
  return each(words, (word) => {
    const stem = stemIn(from, word);
    return stem === null ? word : to.replace("%", () => stem);
  });
}

class Expansion {
  readonly #onRead: (file: string) => void;
  #references = 0;

  constructor(onRead: (file: string) => void) {
    this.#onRead = onRead;
  }

  of(text: string, variables: Variables, depth: number): string {
    if (depth > MAX_DEPTH || text.length > LONGEST_EXPANDED) return UNKNOWN;
    let made = "";
    for (let at = 0; at < text.length;) {
      const dollar = text.indexOf("$", at);
      if (dollar < 0 || made.length > LONGEST_EXPANDED) return made + text.slice(at);
      made += text.slice(at, dollar);
      const next = text.charAt(dollar + 1);
      if (next === "$") made += "$";
      else if (next !== "(" && next !== "{") made += this.#reference(next, variables, depth + 1);
      const end = next === "(" || next === "{" ? closing(text, dollar + 1) : dollar + 2;
      if (next === "(" || next === "{")
        made += this.#reference(text.slice(dollar + 2, end - 1), variables, depth + 1);
      at = end;
    }
    return made;
  }

  #reference(inner: string, variables: Variables, depth: number): string {
    const value = (name: string): string | null => {
      const known = variables.get(name);
      return known === undefined ? null : this.of(known, variables, depth);
    };
    this.#references += 1;
    if (this.#references > MAX_REFERENCES) return UNKNOWN;
    if (inner === "MAKE") return "make";
    if (/^[\w.@<^*+?-]+$/.test(inner)) return value(inner) ?? UNKNOWN;
    const [, name = "", from = "", to = ""] = SUBSTITUTED.exec(inner) ?? [];
    const known = value(name);
    if (name !== "" && known !== null)
      return from.includes("%")
        ? patternSubstituted(from, to, known)
        : patternSubstituted(`%${from}`, `%${to}`, known);
    const [, call = "", rest = ""] = CALL.exec(inner) ?? [];
    return call === "" ? UNKNOWN : this.#call(call, rest, variables, depth);
  }

  #call(name: string, rest: string, variables: Variables, depth: number): string {
    const raw = argumentsIn(rest);
    const args = (): [string, string, string] => {
      const [one = "", two = "", three = ""] = raw.map((part) => this.of(part, variables, depth));
      return [one.trim(), two, three];
    };
    switch (name) {
      case "wildcard":
      case "sort":
      case "strip":
        return args()[0];
      case "addprefix": {
        const [prefix, words] = args();
        return each(words, (word) => `${prefix}${word}`);
      }
      case "addsuffix": {
        const [suffix, words] = args();
        return each(words, (word) => `${word}${suffix}`);
      }
      case "basename":
        return each(args()[0], (word) => word.replace(/\.[^./]*$/, ""));
      case "notdir":
        return each(args()[0], (word) => word.replace(/^.*\//, ""));
      case "patsubst":
        return patternSubstituted(...args());
      case "filter":
      case "filter-out":
        return args()[1];
      case "foreach": {
        const [variable, list] = args();
        const body = raw.slice(2).join(",");
        return wordsOf(list)
          .slice(0, 100)
          .map((word) => this.of(body, within(variables, new Map([[variable, word]])), depth))
          .join(" ");
      }
      case "call": {
        const given = raw.slice(1).map((part, at) => [`${at + 1}`, this.of(part, variables, depth)] as const);
        const body = variables.get((raw[0] ?? "").trim());
        return body === undefined ? UNKNOWN : this.of(body, within(variables, new Map(given)), depth);
      }
      case "shell":
      case "file": {
        const file = READS_FILE.exec(this.of(rest, variables, depth))?.[1];
        if (file !== undefined) this.#onRead(file);
        return UNKNOWN;
      }
      default:
        return UNKNOWN;
    }
  }
}

/** Behind the bracket that closes the one there. */
function closing(text: string, open: number): number {
  const [opens, closes] = text.charAt(open) === "(" ? ["(", ")"] : ["{", "}"];
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === opens) depth += 1;
    else if (char === closes && (depth -= 1) === 0) return at + 1;
  }
  return text.length + 1;
}

function argumentsIn(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "(" || char === "{") depth += 1;
    else if (char === ")" || char === "}") depth -= 1;
    else if (char === "," && depth === 0) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)];
}

/** With signs that would mean something outside hidden in what is put in; and back. */
const HIDDEN = ":=;#";

export function hidden(line: string): string {
  let made = "";
  for (let at = 0; at < line.length;) {
    const dollar = line.indexOf("$", at);
    if (dollar < 0 || dollar + 1 >= line.length) return made + line.slice(at);
    const next = line.charAt(dollar + 1);
    const end = next === "(" || next === "{" ? Math.min(closing(line, dollar + 1), line.length) : dollar + 2;
    const inside = line.slice(dollar, end);
    made +=
      line.slice(at, dollar) +
      inside.replace(/[:=;#]/g, (sign) => String.fromCharCode(0xe000 + HIDDEN.indexOf(sign)));
    at = end;
  }
  return made;
}

export function shown(line: string): string {
  return line.replace(/[\ue000-\ue003]/g, (sign) => HIDDEN.charAt(sign.charCodeAt(0) - 0xe000));
}
