import { expect, test } from "vitest";
import { formatDuration, parseDuration } from "../../src/cli/config/duration.ts";

test.each([
  ["0", 0],
  ["90", 90_000],
  ["90s", 90_000],
  ["15m", 900_000],
  ["6h", 21_600_000],
  ["2d", 172_800_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["0.5", 500],
  ["24d", 2_073_600_000],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  "",
  " ",
  "h",
  "-5",
  "-5s",
  "5 m",
  "m5",
  "30m1h",
  "1e3",
  "1w",
  "5ms",
  "24d1s",
  "99999d",
  "٣s",
  "5s\n",
])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  [0, "0"],
  [500, "0.5s"],
  [5_400_000, "1h30m"],
  [90_061_000, "1d1h1m1s"],
])("%d ms is written %s and read back", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
  expect(parseDuration(text)).toBe(ms);
});
