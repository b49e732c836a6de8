/**
 * Matches paths by patterns: `*`, `?`, `**` as a whole name, `{a,b}`. It follows all possible states of all patterns at once, so it
 * takes time linear in the path. A regular expression made from a pattern can take for ever.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const whole = patterns.map((pattern) => wholePattern(pattern)).filter((pattern) => pattern !== "");
  const matcher = new PathMatcher(machineOf(whole));
  return (path) => matcher.matches(path);
}

/** A pattern without a slash matches at any depth; a slash at its end means everything below. */
function wholePattern(pattern: string): string {
  const below = pattern.endsWith("/") ? `${pattern}**` : pattern;
  const relative = below.replace(/^(?:\.?\/)+/, "");
  return pattern.includes("/") || pattern === "" ? relative : `**/${relative}`;
}

type Accepts = "all" | "not_slash" | { readonly char: string };
/** A state in a pattern: it moves on by one character, or without one. */
interface Place {
  readonly accepts: Accepts | null;
  readonly next: number[];
}
interface Machine {
  readonly places: readonly Place[];
  readonly start: number;
}

const END = 0;

/** Built from the end, so that every part knows its successor. */
function machineOf(patterns: readonly string[]): Machine {
  const places: Place[] = [{ accepts: null, next: [] }];
  const add = (accepts: Accepts | null, ...next: number[]): number => places.push({ accepts, next }) - 1;
  const repeat = (accepts: Accepts, then: number): number => {
    const loop = add(null, then);
    places[loop]?.next.push(add(accepts, loop));
    return loop;
  };
  const build = (parts: readonly Part[], then: number): number =>
    parts.reduceRight((after, part) => {
      if (part === "star") return repeat("not_slash", after);
      if (part === "below") return add("all", repeat("all", after));
      if (part === "depth") return add(null, after, repeat("all", add({ char: "/" }, after)));
      if (part === "one") return add("not_slash", after);
      if (typeof part === "string") return add({ char: part.slice(1) }, after);
      return add(null, ...part.map((alternative) => build(alternative, after)));
    }, then);
  return { places, start: add(null, ...patterns.map((pattern) => build(partsOf(pattern), END))) };
}

/** `=a` is the character itself; a list holds alternatives. */
type Part = "star" | "below" | "depth" | "one" | `=${string}` | readonly (readonly Part[])[];

function partsOf(pattern: string): readonly Part[] {
  const closers = closersOf(pattern);
  /** Open braces: the finished alternatives, and the parts of the current one. */
  const open: { readonly done: Part[][]; parts: Part[] }[] = [{ done: [], parts: [] }];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const top = open.at(-1);
    if (top === undefined) break;
    if (char === "{" && closers.has(at)) open.push({ done: [], parts: [] });
    else if (char === "," && open.length > 1) {
      top.done.push(top.parts);
      top.parts = [];
    } else if (char === "}" && open.length > 1) {
      open.pop();
      open.at(-1)?.parts.push([...top.done, top.parts]);
    } else if (char === "?") top.parts.push("one");
    else if (char === "*") {
      const [part, length] = starsAt(pattern, at);
      top.parts.push(part);
      at += length - 1;
    } else top.parts.push(`=${char}`);
  }
  return open[0]?.parts ?? [];
}

/** `**` as a whole name means any depth; elsewhere several stars mean one. */
function starsAt(pattern: string, at: number): readonly [Part, number] {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const begins = at === 0 || "/{,".includes(pattern.charAt(at - 1));
  if (end - at === 2 && begins && pattern[end] === "/") return ["depth", 3];
  if (end - at === 2 && begins && (end === pattern.length || ",}".includes(pattern.charAt(end))))
    return ["below", 2];
  return ["star", end - at];
}

/** Braces with a counterpart; others are ordinary characters. */
function closersOf(pattern: string): ReadonlySet<number> {
  const open: number[] = [];
  const closed = new Set<number>();
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "{") open.push(at);
    else if (pattern[at] === "}") {
      const from = open.pop();
      if (from !== undefined) closed.add(from);
    }
  }
  return closed;
}

/** A set of states, and its known successors by character. */
interface StateSet {
  readonly places: ReadonlySet<number>;
  readonly next: Map<string, StateSet>;
}

const MAX_STATE_SETS = 10_000;

/** Caches what it finds: the paths of a tree are similar, and there may be ten thousand of them. */
class PathMatcher {
  readonly #machine: Machine;
  readonly #known = new Map<string, StateSet>();
  #first: StateSet;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#first = this.#stateSetAt([machine.start]);
  }

  matches(path: string): boolean {
    let now = this.#first;
    for (let at = 0; at < path.length && now.places.size > 0; at += 1) {
      const char = path.charAt(at);
      const next = now.next.get(char) ?? this.#after(now, char);
      now.next.set(char, next);
      now = next;
    }
    return now.places.has(END);
  }

  #after({ places }: StateSet, char: string): StateSet {
    const next = [...places].flatMap((index) => {
      const place = this.#machine.places[index];
      return place && place.accepts !== null && takes(place.accepts, char) ? place.next : [];
    });
    return this.#stateSetAt(next);
  }

  #stateSetAt(from: readonly number[]): StateSet {
    const places = reached(this.#machine.places, from);
    const key = [...places].sort((one, other) => one - other).join();
    const set = this.#known.get(key) ?? { places, next: new Map<string, StateSet>() };
    if (this.#known.size >= MAX_STATE_SETS) this.#forget();
    this.#known.set(key, set);
    return set;
  }

  /** Limits the cache: patterns can be made so that every path leads to a new state. */
  #forget(): void {
    this.#known.clear();
    this.#first = { places: this.#first.places, next: new Map() };
  }
}

/** Includes all states that are reachable without a character. */
function reached(places: readonly Place[], from: readonly number[]): ReadonlySet<number> {
  const all = new Set<number>();
  const left = [...from];
  for (let index = left.pop(); index !== undefined; index = left.pop()) {
    if (all.has(index)) continue;
    all.add(index);
    const place = places[index];
    if (place?.accepts === null) left.push(...place.next);
  }
  return all;
}

function takes(accepts: Accepts, char: string): boolean {
  if (accepts === "all") return true;
  return accepts === "not_slash" ? char !== "/" : accepts.char === char;
}
