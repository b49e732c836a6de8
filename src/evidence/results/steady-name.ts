const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const HEX = /(?:0x)?[0-9a-f]{8,}/gi;
const DIGITS = /\d{5,}/g;

/** Skips most names quickly, because there may be a hundred thousand. */
const MAY_CHANGE = /[\d/\\]|[a-f]{8}/i;

/** Other parts that may differ in every run: times, durations, paths, ports. */
const CHANGING: readonly RegExp[] = [
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g,
  /\b\d{1,9}(?:\.\d{1,9})? ?(?:ms|s|µs|us|ns)\b/g,
  // Absolute paths with at least two names: a single name is more likely a route.
  /(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][^\s/\\'"`:,;()<>]+){2,}/g,
  /(?<=:)\d{4}\b/g,
];

/**
 * A test's name without parts that may change from run to run. It may remove too much: tests with equal names are still counted, so none goes
 * unnoticed.
 */
export function steadyName(name: string): string {
  if (!MAY_CHANGE.test(name)) return name;
  let steady = name.replace(UUID, "#");
  for (const pattern of CHANGING) steady = steady.replace(pattern, "#");
  steady = steady.replace(HEX, "#").replace(DIGITS, "#");
  return steady.replace(/[A-Za-z0-9]{6,}/g, (word) => (isRandom(word) ? "#" : word));
}

/** The same for a suite, where the path distinguishes tests. */
export function steadySuite(suite: string): string {
  return suite.replace(UUID, "#").replace(HEX, "#").replace(DIGITS, "#");
}

/** Like `k3j9x2`, unlike `sha256`: letters and digits alternate. */
function isRandom(word: string): boolean {
  return /\d[a-z]/i.test(word) && /[a-z]\d/i.test(word);
}
