const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const HEX = /(?:0x)?[0-9a-f]{8,}/gi;
const DIGITS = /\d{5,}/g;

/** Most names have nothing of the kind, and there may be a hundred thousand. */
const MAY_CHANGE = /[\d/\\]|[a-f]{8}/i;

/** What else may be another in every run: moments, durations, paths, ports. */
const CHANGING: readonly RegExp[] = [
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b/g,
  /\b\d{1,9}(?:\.\d{1,9})? ?(?:ms|s|µs|us|ns)\b/g,
  // Absolute ones, of two names at least: a single one is rather a route.
  /(?<![\w.])(?:[A-Za-z]:)?(?:[/\\][^\s/\\'"`:,;()<>]+){2,}/g,
  /(?<=:)\d{4}\b/g,
];

/**
 * A test's name without what may change from run to run. It may well be generous: tests whose names are alike but for that
 * are still counted, so that none of them goes unnoticed.
 */
export function steadyName(name: string): string {
  if (!MAY_CHANGE.test(name)) return name;
  let steady = name.replace(UUID, "#");
  for (const pattern of CHANGING) steady = steady.replace(pattern, "#");
  steady = steady.replace(HEX, "#").replace(DIGITS, "#");
  return steady.replace(/[A-Za-z0-9]{6,}/g, (word) => (isRandom(word) ? "#" : word));
}

/** The same for where a test is: there the path is what tells one from another. */
export function steadySuite(suite: string): string {
  return suite.replace(UUID, "#").replace(HEX, "#").replace(DIGITS, "#");
}

/** Like `k3j9x2`, and not like `sha256`: letters and digits by turns. */
function isRandom(word: string): boolean {
  return /\d[a-z]/i.test(word) && /[a-z]\d/i.test(word);
}
