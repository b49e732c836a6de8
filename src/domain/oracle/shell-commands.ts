/*
 * No parser of shell is used here, though the checks have one: the domain imports nothing from outside, and recipes of make and
 * lines of other files are shell only in part. Of torn text a parser makes an error; here something has to be made of it.
 */

import {
  NO_SOURCE,
  outputOf,
  piped,
  substituted,
  withInput,
  type Loop,
  type Source,
} from "./shell-source.ts";
import { ShellVariables } from "./shell-variables.ts";

/**
 * The simple commands in a shell text, as far as one can tell without running it. What only the shell knows (variables,
 * substitutions) is a NUL in the word; what is inside a substitution is a command of its own.
 */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly scope: Scope;
  /**
   * Somebody goes by what it does, not by how it ends: it is in a substitution, its output goes on into a file or another command, or
   * nobody waits for it.
   */
  readonly outputRead: boolean;
  /** The innermost loop that it is in. */
  readonly loop: Loop | null;
  readonly source: Source;
  /** The file that its output goes to. */
  readonly output: string | null;
}

/** What a `cd` holds for: the text, or the subshell or substitution it is in. */
export interface Scope {
  readonly outer: Scope | null;
}

const UNKNOWN = "\0";
/** Words in front of a command that are not its name. */
const KEYWORDS = new Set(
  "if then elif else fi while until do done ! { } time function coproc in esac".split(" "),
);
const LOOPS = new Set(["while", "until"]);
/** What follows these are names and patterns. */
const NOT_COMMANDS = new Set(["for", "case", "select"]);
const LONGEST_NAME = 100;
/** What only shows its input, or puts it into another form, judges nothing. */
const SHOWS = /^(?:tee|cat|less|more|ts|head|tail|nl|column)$|tap|pretty|report|junit|format/;
/** Where output goes that nobody reads. */
const UNREAD = /^\/dev\/|^[\d-]$|\.log$/;
/** Groups in groups, each before a pipe, would take as long as the square of their number. */
const MAX_IN_GROUP = 1000;
/** Nobody writes so; what is nested more deeply is read as if it were not. */
const MAX_DEPTH = 100;

interface Level {
  readonly closer: ")" | "`" | "";
  readonly scope: Scope;
  readonly quoted: boolean;
  /** Substitutions end with the word they are in, and what they print is read; subshells do neither. */
  readonly substitution: boolean;
  /** How many commands were found before it. */
  readonly from: number;
  words: string[];
  word: string | null;
  /** The next word is where output goes to, or where something else comes from or goes to. */
  redirected: "output" | "input" | "other" | null;
  outputRead: boolean;
  output: string | null;
  source: Source;
  /** Those that are open. */
  readonly loops: Loop[];
  /** The commands that were last, and those that a pipe leads from: from one number to another. */
  last: Group | null;
  piped: Group | null;
}

type Group = readonly [from: number, end: number];

export function shellCommands(text: string): ShellCommand[] {
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  readonly #found: {
    words: readonly string[];
    scope: Scope;
    outputRead: boolean;
    loop: Loop | null;
    source: Source;
    output: string | null;
  }[] = [];
  readonly #variables = new ShellVariables();
  readonly #first = level("", null, { quoted: false, substitution: false, from: 0 });
  readonly #levels: Level[] = [this.#first];
  readonly #heredocs: string[] = [];
  #at = 0;
  #quoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ShellCommand[] {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    while (this.#levels.length > 1) this.#close();
    this.#endCommand();
    return this.#found;
  }

  get #now(): Level {
    return this.#levels.at(-1) ?? this.#first;
  }

  #step(char: string): void {
    const now = this.#now;
    if (char === "\\") {
      const next = this.#text.charAt(this.#at + 1);
      if (next !== "\n") this.#add(next);
      this.#at += 2;
    } else if (char === "$") this.#dollar();
    else if (char === "`") {
      this.#at += 1;
      if (now.closer === "`") this.#close();
      else this.#open("`", true);
    } else if (char === '"') {
      this.#quoted = !this.#quoted;
      this.#add("");
      this.#at += 1;
    } else if (this.#quoted) {
      this.#add(char);
      this.#at += 1;
    } else this.#bare(char);
  }

  #bare(char: string): void {
    const now = this.#now;
    if (char === "'") {
      const end = this.#text.indexOf("'", this.#at + 1);
      const until = end < 0 ? this.#text.length : end;
      this.#add(this.#text.slice(this.#at + 1, until));
      this.#at = until + 1;
      return;
    }
    if (char === "#" && now.word === null) {
      this.#at = this.#lineEnd();
      return;
    }
    this.#at += 1;
    const next = this.#text[this.#at];
    if (char === " " || char === "\t" || char === "\r") this.#endWord();
    else if (char === "\n") {
      this.#endCommand();
      this.#skipHeredocs();
    } else if (char === "&" && next === ">") this.#endWord();
    else if (char === ";" || char === "&" || char === "|") this.#separate(char, next);
    else if (char === "(") {
      this.#endCommand();
      this.#open(")", false);
    } else if (char === ")") {
      if (now.closer === ")") this.#close();
      else this.#endCommand();
    } else if ((char === ">" || char === "<") && next === "(") {
      this.#at += 1;
      this.#open(")", true);
    } else if (char === ">" || char === "<") this.#redirect(char);
    else this.#add(char);
  }

  #separate(char: ";" | "&" | "|", next: string | undefined): void {
    this.#endCommand();
    const now = this.#now;
    if (next === char) this.#at += 1;
    else if (char === "|") {
      now.piped = now.last;
      if (next === "&") this.#at += 1;
    } else if (char === "&" && now.last !== null) this.#markRead(now.last);
  }

  #dollar(): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "(") {
      this.#at += 2;
      this.#open(")", true);
      return;
    }
    if (next === "{") {
      const end = this.#text.indexOf("}", this.#at);
      const until = end < 0 ? this.#text.length : end;
      this.#addValue(this.#text.slice(this.#at + 2, Math.min(until, this.#at + LONGEST_NAME)));
      this.#at = until + 1;
    } else {
      const name = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
      name.lastIndex = this.#at + 1;
      const found = name.exec(this.#text)?.[0] ?? "";
      this.#addValue(found);
      this.#at += 1 + found.length;
    }
  }

  /** `${NAME:-other}`: nothing is set where checks run but what the text itself sets. */
  #addValue(text: string): void {
    const [, name = text, other = UNKNOWN] = /^(\w+):?[-=]([^$`\\"']+)$/.exec(text) ?? [];
    const value = this.#variables.valueOf(name) ?? other;
    const parts = this.#quoted ? [value] : value.split(/\s+/);
    parts.forEach((part, at) => {
      if (at > 0) this.#endWord();
      this.#add(part);
    });
  }

  #redirect(char: string): void {
    const now = this.#now;
    // `2>`: the number is no word of the command.
    const number = now.word !== null && /^\d+$/.test(now.word) ? now.word : null;
    if (number !== null) now.word = null;
    this.#endWord();
    if (char === "<" && this.#text[this.#at] === "<" && this.#text[this.#at + 1] !== "<") {
      const mark = /<-?[ \t]*\\?["']?([^\s"';|&<>()]*)["']?/y;
      mark.lastIndex = this.#at;
      const found = mark.exec(this.#text);
      this.#at += found?.[0].length ?? 1;
      if (found?.[1]) this.#heredocs.push(found[1]);
      return;
    }
    const from = this.#at;
    while (">&<|".includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at += 1;
    if (char === "<") now.redirected = this.#at === from && (number ?? "0") === "0" ? "input" : "other";
    else now.redirected = (number ?? "1") === "1" ? "output" : "other";
  }

  #skipHeredocs(): void {
    for (const mark of this.#heredocs.splice(0)) {
      while (this.#at < this.#text.length) {
        const end = this.#lineEnd();
        const line = this.#text.slice(this.#at, end).trim();
        this.#at = end + 1;
        if (line === mark) break;
      }
    }
  }

  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#at);
    return end < 0 ? this.#text.length : end;
  }

  #add(chars: string): void {
    this.#now.word = (this.#now.word ?? "") + chars;
  }

  #open(closer: ")" | "`", substitution: boolean): void {
    if (this.#levels.length > MAX_DEPTH) {
      this.#add(UNKNOWN);
      return;
    }
    const from = this.#found.length;
    this.#levels.push(level(closer, this.#now.scope, { quoted: this.#quoted, substitution, from }));
    this.#quoted = false;
  }

  #close(): void {
    this.#endCommand();
    const done = this.#levels.pop();
    if (done === undefined) return;
    this.#quoted = done.quoted;
    const group: Group = [done.from, this.#found.length];
    if (done.substitution) {
      this.#add(UNKNOWN);
      this.#markRead(group);
      this.#now.source = substituted(this.#now.source, this.#outputOf(group));
    } else this.#now.last = group;
  }

  #markRead([from, end]: Group): void {
    if (end - from > MAX_IN_GROUP) return;
    for (const command of this.#found.slice(from, end)) command.outputRead = true;
  }

  #outputOf([from, end]: Group): Source {
    return outputOf(from < end ? this.#found[end - 1] : undefined);
  }

  #endWord(): void {
    const now = this.#now;
    if (now.word === null) return;
    if (now.redirected === null) now.words.push(now.word);
    else if (now.redirected === "input") now.source = withInput(now.source, now.word);
    else if (now.redirected === "output" && !UNREAD.test(now.word)) {
      now.outputRead = true;
      now.output = now.word;
    }
    now.redirected = null;
    now.word = null;
  }

  #endCommand(): void {
    this.#endWord();
    const now = this.#now;
    const { words, outputRead, output, source: own } = now;
    now.words = [];
    now.redirected = null;
    now.outputRead = false;
    now.output = null;
    now.source = NO_SOURCE;
    if (words.length === 0) return;
    const first = words.findIndex((word) => !KEYWORDS.has(word));
    const source = now.piped === null ? own : piped(own, this.#outputOf(now.piped));
    if (words[0] === "done") {
      const loop = now.loops.pop();
      if (loop !== undefined && own.inputs.length > 0) loop.source = own;
    }
    const isLoop = words.slice(0, Math.max(first, 0)).some((word) => LOOPS.has(word));
    if (words[first] === "for" || words[first] === "read") this.#variables.forget(words);
    if (words[first] === "for")
      now.loops.push({ words: words.slice(first + 3), source: { ...own, inputs: own.texts } });
    else if (isLoop) now.loops.push({ words: [], source });
    this.#variables.assign(words.slice(Math.max(first, 0)));
    if (first < 0 || NOT_COMMANDS.has(words[first] ?? "")) return;
    if (now.piped !== null && !SHOWS.test(words[first] ?? "")) this.#markRead(now.piped);
    now.piped = null;
    now.last = [this.#found.length, this.#found.length + 1];
    const loop = this.#levels.findLast(({ loops }) => loops.length > 0)?.loops.at(-1) ?? null;
    this.#found.push({ words: words.slice(first), scope: now.scope, outputRead, loop, source, output });
  }
}

function level(
  closer: Level["closer"],
  outer: Scope | null,
  { quoted, substitution, from }: Pick<Level, "quoted" | "substitution" | "from">,
): Level {
  const fresh = {
    words: [],
    word: null,
    redirected: null,
    outputRead: false,
    output: null,
    last: null,
    piped: null,
  };
  const source = NO_SOURCE;
  return { source, closer, scope: { outer }, quoted, substitution, from, loops: [], ...fresh };
}
