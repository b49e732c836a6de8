/**
 * Paths by patterns: `*`, `?`, `**` as a whole name, `{a,b}`. All the places of all patterns that a path may have come to are followed
 * at once, so that it takes time linear in the path whatever the patterns: one made into a regular expression can take for ever.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => boolean {
  const whole = patterns.map((pattern) => wholePattern(pattern)).filter((pattern) => pattern !== "");
  const followed = new Followed(machineOf(whole));
  return (path) => followed.matches(path);
}

/** With where it may begin, and what below it is meant. */
function wholePattern(pattern: string): string {
  const below = pattern.endsWith("/") ? `${pattern}**` : pattern;
  const relative = below.replace(/^(?:\.?\/)+/, "");
  return pattern.includes("/") || pattern === "" ? relative : `**/${relative}`;
}

type Accepts = "all" | "not_slash" | { readonly char: string };
/** A place in a pattern: it takes one character and goes on, or goes on at once. */
interface Place {
  readonly accepts: Accepts | null;
  readonly next: number[];
}
interface Machine {
  readonly places: readonly Place[];
  readonly start: number;
}

const END = 0;

/** Built from the end, where every part knows what follows it. */
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
  /** What is open: the alternatives so far, and the parts of the one that is read. */
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

/** Two that are a whole name mean any depth; more than one elsewhere mean no more than one. */
function starsAt(pattern: string, at: number): readonly [Part, number] {
  let end = at;
  while (pattern[end] === "*") end += 1;
  const begins = at === 0 || "/{,".includes(pattern.charAt(at - 1));
  if (end - at === 2 && begins && pattern[end] === "/") return ["depth", 3];
  if (end - at === 2 && begins && (end === pattern.length || ",}".includes(pattern.charAt(end))))
    return ["below", 2];
  return ["star", end - at];
}

/** The braces that have a counterpart; others are characters like any. */
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

/** Some places at once, and where a character leads from there as far as it is known. */
interface Stand {
  readonly places: ReadonlySet<number>;
  readonly next: Map<string, Stand>;
}

const MAX_STANDS = 10_000;

/** Keeps what it has found out: paths of a tree are much alike, and there may be ten thousands of them. */
class Followed {
  readonly #machine: Machine;
  readonly #known = new Map<string, Stand>();
  #first: Stand;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#first = this.#standAt([machine.start]);
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

  #after({ places }: Stand, char: string): Stand {
    const next = [...places].flatMap((index) => {
      const place = this.#machine.places[index];
      return place && place.accepts !== null && takes(place.accepts, char) ? place.next : [];
    });
    return this.#standAt(next);
  }

  #standAt(from: readonly number[]): Stand {
    const places = reached(this.#machine.places, from);
    const key = [...places].sort((one, other) => one - other).join();
    const stand = this.#known.get(key) ?? { places, next: new Map<string, Stand>() };
    if (this.#known.size >= MAX_STANDS) this.#forget();
    this.#known.set(key, stand);
    return stand;
  }

  /** Patterns can be made so that every path leads somewhere new. */
  #forget(): void {
    this.#known.clear();
    this.#first = { places: this.#first.places, next: new Map() };
  }
}

/** With all that follows without a character. */
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
