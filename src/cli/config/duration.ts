const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;
/** Just below the longest delay of a Node timer. */
export const MAX_DURATION_MS = 24 * 86_400_000;

const NUMBER = String.raw`\d+(?:\.\d+)?`;
/** `90` (seconds), `90s`, `15m`, `1h30m`, `1.5h`, `2d`. */
export const DURATION = new RegExp(
  `^(?:${NUMBER}|(?=\\d)${UNITS.map(([unit]) => `(?:${NUMBER}${unit})?`).join("")})$`,
);

/** Milliseconds; undefined if the text is no duration or longer than 24 days. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([dhms]?)/g)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * factorOf(unit), 0);
  return ms <= MAX_DURATION_MS ? Math.round(ms) : undefined;
}

function factorOf(unit: string | undefined): number {
  return UNITS.find(([name]) => name === unit)?.[1] ?? 1000;
}

/** The shortest notation: `0`, `90s` → `1m30s`, `0.5s`. */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = "";
  for (const [unit, factor] of UNITS) {
    const count = unit === "s" ? rest / factor : Math.floor(rest / factor);
    rest -= count * factor;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === "" ? "0" : text;
}
