/** Where a command has what it works on from, as far as it does not say so itself. */
export interface Source {
  /** Files that it reads as its input. */
  readonly inputs: readonly string[];
  /** Files whose text stands among its words. */
  readonly texts: readonly string[];
  /** The words of the command whose output it goes by. */
  readonly fedBy: readonly string[];
}

export interface Loop {
  /** What its variable may stand for. */
  readonly words: readonly string[];
  /** Of a loop that reads its input, that is known only where it ends. */
  source: Source;
}

/** Each may be handed on to the next command. */
const MAX_INPUTS = 20;
export const NO_SOURCE: Source = { inputs: [], texts: [], fedBy: [] };
/** What hands its input on, or the better part of it. */
const FILTERS = new Set("grep egrep sed sort uniq head tail tr cut awk shuf tee cat".split(" "));

/** Where what a command prints comes from. */
export function outputOf(
  command: { readonly words: readonly string[]; readonly source: Source } | undefined,
): Source {
  if (command === undefined) return NO_SOURCE;
  const { words, source } = command;
  const name = words[0] ?? "";
  const shown = name === "cat" ? words.slice(1).filter((word) => !word.startsWith("-")) : [];
  if (FILTERS.has(name)) return { ...source, inputs: [...shown, ...source.inputs].slice(0, MAX_INPUTS) };
  return { ...NO_SOURCE, fedBy: words };
}

/** With what comes in by a pipe. */
export function piped(own: Source, from: Source): Source {
  if (from.inputs.length + from.fedBy.length === 0) return own;
  return { ...own, inputs: [...own.inputs, ...from.inputs].slice(0, MAX_INPUTS), fedBy: from.fedBy };
}

/** With what a substitution puts among the words. */
export function substituted(own: Source, from: Source): Source {
  return { ...own, texts: [...own.texts, ...from.inputs].slice(0, MAX_INPUTS), fedBy: from.fedBy };
}

export function withInput(own: Source, file: string): Source {
  return { ...own, inputs: [...own.inputs, file].slice(0, MAX_INPUTS) };
}
