import { extensionOf, nameOf, shellMatching, stemOf } from "./paths.ts";
import { interpreterNamed } from "./programs.ts";
import { shellCommands, type ShellCommand } from "./shell-commands.ts";
import { isShellScript } from "./script-text.ts";
import type { Loop } from "./shell-source.ts";
import type { Base } from "./walk.ts";

/*
 * What a loop of the tests goes through: inputs and what the product has to make of them, or a table of both. A loop that looks at
 * files as they are (`for f in docs/*.md; do grep -q ... $f`) is about those files, and they are the product.
 */

const COMPARES = /^(?:\[{1,2}|test|diff|cmp|comm)$/;
/** What is neither run nor compiled. */
const DATA =
  /^\.(?:in|out|txt|csv|tsv|dat|data|json|ya?ml|xml|html|lst|list|expected|golden|ok|ans|res|result|input|output|stdin|stdout|stderr|err)$/;
const PAIR = /^\0(\.[\w.-]{1,30})$/;
const MAX_PATTERNS = 50;
const MAX_SCRIPTS = 200;

type PlacesOf = (word: string) => readonly string[];

export class ExpectedData {
  readonly found = new Set<string>();
  readonly #base: Base;
  #patterns = 0;
  #scripts = 0;

  constructor(base: Base) {
    this.#base = base;
  }

  /** By the loops of a text. */
  look(commands: readonly ShellCommand[], placesOf: PlacesOf): void {
    for (const pattern of patternsIn(commands)) if (!pattern.includes("\0")) this.#add(pattern, placesOf);
  }

  /** By the loops of a script that has its first word from the command that runs it. */
  lookGiven(words: readonly string[], placesOf: PlacesOf): void {
    const at = interpreterNamed(words[0] ?? "")?.name === "sh" ? 1 : 0;
    const [script = "", given = ""] = words.slice(at);
    if (!/^[\w./-]+$/.test(given) || this.#scripts > MAX_SCRIPTS) return;
    const path = placesOf(script).find((place) => this.#base.files.has(place));
    const text = path === undefined ? null : this.#base.read(path);
    if (path === undefined || text === null || !isShellScript(path, text, true)) return;
    this.#scripts += 1;
    const folder = given.replace(/\/+$/, "");
    for (const pattern of patternsIn(shellCommands(text)))
      if (/^\0[^\0]*$/.test(pattern))
        this.#add(
          pattern.replace("\0", () => folder),
          placesOf,
        );
  }

  #add(pattern: string, placesOf: PlacesOf): void {
    this.#patterns += 1;
    if (!DATA.test(extensionOf(nameOf(pattern))) || this.#patterns > MAX_PATTERNS) return;
    for (const place of placesOf(pattern))
      for (const path of shellMatching(this.#base.files, place)) this.found.add(path);
  }
}

function patternsIn(commands: readonly ShellCommand[]): string[] {
  const loops = new Map<Loop, ShellCommand[]>();
  for (const command of commands)
    if (command.loop !== null)
      loops.set(command.loop, [...(loops.get(command.loop) ?? []), command].slice(0, 100));
  return [...loops].flatMap(([loop, body]) => {
    if (!body.some(({ words }) => COMPARES.test(words[0] ?? ""))) return [];
    const inputs = loop.words.filter((word) => /[*?]/.test(word) && word.includes("/"));
    const named = body.flatMap(({ words, source }) => [...words, ...source.inputs, ...source.texts]);
    const pairs = new Set(named.flatMap((word) => PAIR.exec(word)?.[1] ?? []));
    const found = pairs.size === 0 ? [] : inputs.flatMap((input) => [input, ...pairedWith(input, pairs)]);
    return body.some(isOfProduct) ? [...found, ...loop.source.inputs] : found;
  });
}

/** `${f%.in}.out` and `$f.out`. */
function pairedWith(input: string, pairs: ReadonlySet<string>): string[] {
  const stem = input.slice(0, input.length - nameOf(input).length) + stemOf(nameOf(input));
  return [...pairs].flatMap((pair) => [`${stem}${pair}`, `${input}${pair}`]);
}

/** A program of the tree whose output is read. */
function isOfProduct({ words: [name = "", operand = ""], outputRead }: ShellCommand): boolean {
  const isProgram = /^[^/\0-][^\0]*\/[^\0]+$/;
  return (
    outputRead &&
    (isProgram.test(name) || (interpreterNamed(name) !== null && /^[\w./-]+\.\w+$/.test(operand)))
  );
}
