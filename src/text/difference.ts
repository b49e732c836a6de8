/** How much of the shared text stays before the difference. */
const CONTEXT = 40;
/** Two lines that share less do not count as the same value. */
const LEAST_SHARED = 60;
const LEFT_OUT = "... ";

/** Before a value in a failure message: `Expected: `, `- `, `E   + `, `actual = `. */
const LABEL = /^(?:E\s+)?\s*(?:[-+>]\s*)?(?:[A-Za-z][A-Za-z ]{0,20}[:=]\s*)?/;

/** Shortens two values to `most` characters each where they are equal, so that the difference stays visible. */
export function showDifference(one: string, other: string, most: number): readonly [string, string] {
  if (one.length <= most && other.length <= most) return [one, other];
  const shared = sharedLength(one, other);
  if (shared <= CONTEXT + LEFT_OUT.length) return [one, other];
  const from = shared - CONTEXT;
  return [LEFT_OUT + one.slice(from), LEFT_OUT + other.slice(from)];
}

/** Shortens adjacent lines that show two long values, so that both begin near the difference. */
export function showDifferences(lines: readonly string[], most: number): readonly string[] {
  const shown = [...lines];
  for (const [at, line] of lines.entries()) {
    // The other value may be two lines further down, below its own heading.
    const below = [at + 1, at + 2].find((next) => isSameValue(line, lines[next] ?? "", most));
    if (below === undefined) continue;
    const other = lines[below] ?? "";
    const [a, b] = showDifference(valueIn(line), valueIn(other), most);
    shown[at] = labelOf(line) + a;
    shown[below] = labelOf(other) + b;
  }
  return shown;
}

function isSameValue(one: string, other: string, most: number): boolean {
  if (one.length <= most && other.length <= most) return false;
  return one !== other && sharedLength(valueIn(one), valueIn(other)) >= LEAST_SHARED;
}

function labelOf(line: string): string {
  return LABEL.exec(line)?.[0] ?? "";
}

function valueIn(line: string): string {
  return line.slice(labelOf(line).length);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  // Not between the halves of a character.
  return /[\ud800-\udbff]$/.test(one.slice(0, length)) ? length - 1 : length;
}
