import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAt } from "../../src/agents/retry-at.ts";

/** A Sunday. */
const NOW = new Date("2026-11-15T10:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Messages without a time zone are read in Asia/Kolkata (UTC+5:30). */
const SAID: readonly (readonly [string, string | null])[] = [
  ["Claude AI usage limit reached|1794800000", "2026-11-16T03:33:20.000Z"],
  ["Claude AI usage limit reached|1760000000", null],
  ['{"type":"usage_limit_reached","resets_at":1794800000}', "2026-11-16T03:33:20.000Z"],
  ['{"type":"usage_limit_reached","resets_in_seconds":90}', "2026-11-15T10:01:30.000Z"],
  ["Retry-After: 30", "2026-11-15T10:00:30.000Z"],
  ['"retry_after": 30', "2026-11-15T10:00:30.000Z"],
  ["retry-after-ms=997000", "2026-11-15T10:16:37.000Z"],
  ["Retry-After: Sun, 15 Nov 2026 11:28:00 GMT", "2026-11-15T11:28:00.000Z"],
  ['"retryDelay":"34s"', "2026-11-15T10:00:34.000Z"],
  ['"retryDelay": "34.074824224s"', "2026-11-15T10:00:34.075Z"],
  ["You will regain access on 2026-12-01 at 00:00 UTC.", "2026-12-01T00:00:00.000Z"],
  ["available again at 2026-11-15T12:00:00Z", "2026-11-15T12:00:00.000Z"],
  ["resets 2026-11-15T12:00:00+02:00", null],
  ["resets 2026-11-15T13:00:00+02:00", "2026-11-15T11:00:00.000Z"],
  ["您的限额将在 2026-11-15 20:41:44 重置。", "2026-11-15T12:41:44.000Z"],
  ["Your limit will reset at 2026-11-15 20:35:41", "2026-11-15T12:35:41.000Z"],
  ["2026-11-15T12:00:00Z ERROR something", null],
  ["try again in 5 days 3 hours 29 minutes.", "2026-11-20T13:29:00.000Z"],
  ["retrying in 1h22m", "2026-11-15T11:22:00.000Z"],
  ["Your quota will reset after 18h22m34s.", "2026-11-16T04:22:34.000Z"],
  ["Please try again in 2s.", "2026-11-15T10:00:02.000Z"],
  ["Please try again in 350ms.", "2026-11-15T10:00:00.350Z"],
  ["Your quota will reset after 0s", "2026-11-15T10:00:01.000Z"],
  ["Please retry after 2733 seconds.", "2026-11-15T10:45:33.000Z"],
  ["Please wait 2 minutes before trying again", "2026-11-15T10:02:00.000Z"],
  ["resets in 4hr 29min", "2026-11-15T14:29:00.000Z"],
  ["try again in less than a minute", "2026-11-15T10:01:00.000Z"],
  ["请在 30 秒后重试", "2026-11-15T10:00:30.000Z"],
  ["请 2 小时后再试", "2026-11-15T12:00:00.000Z"],
  ["try again in 36 days", null],
  ["wait for limits to reset (every 5h and every week.)", null],
  ["retried 5 times (total retry wait time: 16.63 seconds)", null],
  ["timed out after 30 seconds", null],
  ["resets 3pm (Europe/Berlin)", "2026-11-15T14:00:00.000Z"],
  ["resets 10am (Europe/Berlin)", "2026-11-16T09:00:00.000Z"],
  ["resets 11am (Europe/Berlin)", "2026-11-16T10:00:00.000Z"],
  ["resets 12am (UTC)", "2026-11-16T00:00:00.000Z"],
  ["resets 12pm (UTC)", "2026-11-15T12:00:00.000Z"],
  ["resets 3pm", "2026-11-16T09:30:00.000Z"],
  ["resets 3pm (Mars/Olympus)", "2026-11-16T09:30:00.000Z"],
  ["Your limit will reset at 1pm (Etc/GMT+5).", "2026-11-15T18:00:00.000Z"],
  ["Access resets at 10:57 PM GMT-3.", "2026-11-16T01:57:00.000Z"],
  ["Access resets at 10:57 PM GMT+5:30.", "2026-11-15T17:27:00.000Z"],
  ["try again at 11:30 PM", "2026-11-15T18:00:00.000Z"],
  ["try again at 23:30", "2026-11-15T18:00:00.000Z"],
  ["try again at 13pm", null],
  ["try again at 25:00", null],
  ["try again at 10", null],
  ["resets Nov 18, 9am (UTC)", "2026-11-18T09:00:00.000Z"],
  ["resets Nov 20 at 9pm (America/New_York)", "2026-11-21T02:00:00.000Z"],
  ["try again at Nov 20th, 2026 1:36 PM.", "2026-11-20T08:06:00.000Z"],
  ["try again after November 16, 2026, 11:15.", "2026-11-16T05:45:00.000Z"],
  ["resets Dec 10", "2026-12-09T18:30:00.000Z"],
  ["resets Nov 1, 9am (UTC)", null],
  ["try again at May 11th, 2026 1:36 PM.", null],
  ["resets Mon 9:00", "2026-11-16T03:30:00.000Z"],
  ["resets next Thursday at 9am", "2026-11-19T03:30:00.000Z"],
  ["resets Sun 11:00 (UTC)", "2026-11-15T11:00:00.000Z"],
  ["resets Sun 9:00 (UTC)", "2026-11-22T09:00:00.000Z"],
  ["", null],
];

test.each(SAID)("%s", (text, at) => {
  expect(retryAt(text, NOW, "Asia/Kolkata")).toBe(at);
});

test("a year ends: January is the next one's", () => {
  expect(retryAt("resets Jan 2, 9am (UTC)", new Date("2026-12-30T10:00:00Z"))).toBe(
    "2027-01-02T09:00:00.000Z",
  );
});

describe("where the clocks change", () => {
  const near = (now: string, zone: string, clock: string): string | null =>
    retryAt(`resets ${clock} (${zone})`, new Date(now));

  test("the offset is that of the moment itself", () => {
    expect(near("2026-03-28T22:00:00Z", "Europe/Berlin", "1am")).toBe("2026-03-29T00:00:00.000Z");
    expect(near("2026-03-28T22:00:00Z", "Europe/Berlin", "4am")).toBe("2026-03-29T02:00:00.000Z");
    expect(near("2026-10-24T22:00:00Z", "Europe/Berlin", "4am")).toBe("2026-10-25T03:00:00.000Z");
    expect(near("2026-11-01T03:00:00Z", "America/New_York", "3am")).toBe("2026-11-01T08:00:00.000Z");
  });

  test("a time that is skipped becomes a later one", () => {
    expect(near("2026-03-28T22:00:00Z", "Europe/Berlin", "2:30am")).toBe("2026-03-29T01:30:00.000Z");
  });
});

describe("for any time", () => {
  const moment = fc.date({ min: new Date("2024-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
  const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));

  test("reads a duration back unchanged", () => {
    const units = [DAY, HOUR, 60_000, 1000];
    const styles = [
      ["d", "h", "m", "s"],
      [" days ", " hours ", " minutes ", " seconds"],
      ["day, ", "hr, ", "min and ", "sec"],
    ];
    fc.assert(
      fc.property(
        moment,
        fc.constantFrom(...styles),
        fc.constantFrom(
          "try again in ",
          "Please retry after ",
          "Your quota will reset after ",
          "retrying in ",
        ),
        fc.tuple(fc.nat(30), fc.nat(23), fc.nat(59), fc.integer({ min: 1, max: 59 })),
        (now, style, lead, amounts) => {
          const said = amounts.map((amount, n) => `${amount}${style[n]}`).join("");
          const length = amounts.reduce((sum, amount, n) => sum + amount * (units[n] ?? 0), 0);
          expect(retryAt(`${lead}${said}.`, now)).toBe(new Date(now.getTime() + length).toISOString());
        },
      ),
    );
  });

  test("a clock time is the next such time in its zone", () => {
    fc.assert(
      fc.property(moment, zone, fc.nat(23), fc.nat(59), (now, timeZone, hour, minute) => {
        const minutes = String(minute).padStart(2, "0");
        const said = `resets ${hour % 12 || 12}:${minutes}${hour < 12 ? "am" : "pm"}`;
        const at = Date.parse(retryAt(said, now, timeZone) ?? "");
        const shown = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(at);
        // On a day with a clock change the wait may be an hour longer. A skipped time appears as a later one.
        expect(at - now.getTime()).toBeGreaterThan(0);
        expect(at - now.getTime()).toBeLessThanOrEqual(DAY + HOUR);
        expect([`${String(hour).padStart(2, "0")}:${minutes}`, laterBy(at, timeZone)]).toContain(shown);
      }),
      { numRuns: 500 },
    );
  });

  /** The local time if clocks were put forward within the hour before; otherwise null. */
  function laterBy(at: number, timeZone: string): string | null {
    const show = (when: number): string =>
      new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(when);
    const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    const passed = (minutes(show(at)) - minutes(show(at - HOUR)) + 1440) % 1440;
    return passed > 60 ? show(at) : null;
  }

  test("never returns a time in the past, or more than 35 days ahead", () => {
    const words = fc.constantFrom(
      "resets ",
      "try again ",
      "in ",
      "at ",
      "Nov ",
      "Mon ",
      "9am ",
      "23:15 ",
      "5 days ",
      "|",
      "(UTC)",
      "2s",
    );
    fc.assert(
      fc.property(moment, fc.array(fc.oneof(words, fc.nat().map(String)), { maxLength: 8 }), (now, parts) => {
        const at = retryAt(parts.join(""), now);
        const ahead = at === null ? 1 : Date.parse(at) - now.getTime();
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(35 * DAY);
      }),
    );
  });
});
