const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Every plan resets at least monthly, so a later time was misread. */
export const FARTHEST = 35 * DAY;

/** An IANA name, or a fixed offset from UTC in milliseconds. */
type Zone = string | number;

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milliseconds?)$/i, 1],
  [/^(?:s|secs?|seconds?|秒钟?)$/i, SECOND],
  [/^(?:m|mins?|minutes?|分钟?)$/i, MINUTE],
  [/^(?:h|hrs?|hours?|小时)$/i, HOUR],
  [/^(?:d|days?|天)$/i, DAY],
  [/^(?:w|weeks?)$/i, 7 * DAY],
];
const UNIT =
  "(?:milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])";
const DURATION = String.raw`(?:\d+(?:\.\d+)?\s*${UNIT}[\s,]*(?:and\s+)?)+`;
const COME_BACK = String.raw`(?:\b(?:try(?:ing)? again|retry(?:ing)?|resets?|wait|come back|available|regain access)\b)`;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DATE = String.raw`(?<month>${MONTHS.join("|")})[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?!\d|:|\s*[ap]m)(?:,?\s+(?<year>\d{4}))?`;
const WEEKDAY = String.raw`(?<weekday>${WEEKDAYS.join("|")})[a-z]*\b`;
const CLOCK = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))?(?:\s*(?<half>[ap])\.?m\b)?`;
const ZONE = String.raw`\s*\(?(?<zone>(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?\b|[A-Z]\w+(?:/[\w+-]+)+)`;

const FOR_A_TIME = new RegExp(
  String.raw`${COME_BACK}\s+(?:again\s+)?(?:in|after|for)?\s*(?:about\s+|approximately\s+|~)?(?<duration>${DURATION}|less than a minute)`,
  "gi",
);
const FOR_A_TIME_CHINESE = /\d{1,6}\s?(?:秒钟?|分钟?|小时|天)(?:之?后|再)/gu;
const AT_A_TIME = new RegExp(
  String.raw`${COME_BACK}(?:\s+(?:at|on|after|next))*\s+(?:(?:${DATE}|${WEEKDAY})(?:,?\s+(?:at\s+)?)?)?(?:${CLOCK})?(?:${ZONE})?`,
  "gi",
);
const STAMP =
  /(?<date>\d{4}-\d\d-\d\d)(?:T|\s+at\s+|\s+)(?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?/g;
const STAMP_CONTEXT = /(?:reset|try again|retry|regain|available|until|come back|重置|恢复|重试)/i;

type Reader = (text: string, now: number, localZone: string) => Iterable<number>;

/** Exact times come before those that need interpretation. */
const READERS: readonly Reader[] = [unixTimes, fields, stamps, durations, wallTimes];

/** The time to retry from a message: ISO 8601 in UTC and in the future, or null. */
export function retryAt(text: string, now: Date, localZone = systemZone()): string | null {
  const start = now.getTime();
  for (const read of READERS)
    for (const at of read(text, start, localZone))
      if (at > start && at - start <= FARTHEST) return new Date(at).toISOString();
  return null;
}

function* unixTimes(text: string): Iterable<number> {
  for (const [, digits] of text.matchAll(/\|(\d{10})\b/g)) yield Number(digits) * SECOND;
  for (const [, digits] of text.matchAll(/"resets?_?at"\s*:\s*"?(\d{10})(?!\d)/gi))
    yield Number(digits) * SECOND;
}

/** Headers and fields of a provider's answer, as messages quote them. */
function* fields(text: string, now: number): Iterable<number> {
  for (const [, ms] of text.matchAll(/retry-after-ms["']?\s*[:=]\s*["']?(\d+)/gi)) yield now + Number(ms);
  for (const [, s] of text.matchAll(
    /(?:retry[-_ ]after|resets?_in_seconds)["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)/gi,
  ))
    yield now + Number(s) * SECOND;
  for (const [, date] of text.matchAll(
    /retry-after["']?\s*[:=]\s*["']?(\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT)/gi,
  ))
    yield Date.parse(date ?? "");
  for (const [, duration] of text.matchAll(new RegExp(`retryDelay["']?\\s*:\\s*["']?(${DURATION})`, "gi")))
    yield now + milliseconds(duration ?? "");
}

function* stamps(text: string): Iterable<number> {
  for (const found of text.matchAll(STAMP)) {
    if (!STAMP_CONTEXT.test(text.slice(Math.max(0, found.index - 60), found.index + found[0].length + 12)))
      continue;
    const { date, time, zone } = found.groups ?? {};
    // Only Zhipu was seen to write times without a zone, in Chinese and in English: they are Beijing's.
    const suffix = zone === undefined ? "+08:00" : /^[+-]/.test(zone) ? zone : "Z";
    yield Date.parse(`${date}T${time}${suffix}`);
  }
}

function* durations(text: string, now: number): Iterable<number> {
  for (const found of text.matchAll(FOR_A_TIME)) yield now + milliseconds(found.groups?.["duration"] ?? "");
  for (const found of text.matchAll(FOR_A_TIME_CHINESE))
    yield now + milliseconds(found[0].replace(/(?:之?后|再)$/u, ""));
}

/** Some services say "0s" for "at once"; a minimum keeps the result in the future. */
function milliseconds(duration: string): number {
  if (/^less/i.test(duration)) return MINUTE;
  let sum = 0;
  for (const [, amount, unit] of duration.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+|[\u4e00-\u9fff]+)/gi))
    sum += Number(amount) * (UNITS.find(([name]) => name.test(unit ?? ""))?.[1] ?? 0);
  return Math.round(sum) || SECOND;
}

function* wallTimes(text: string, now: number, localZone: string): Iterable<number> {
  for (const { groups } of text.matchAll(AT_A_TIME)) {
    const { month, day, year, weekday, hour, minute, half, zone: zoneName } = groups ?? {};
    const hasClock = hour !== undefined && (minute !== undefined || half !== undefined);
    if (!hasClock && month === undefined && weekday === undefined) continue;
    const clock = hasClock ? clockOf(Number(hour), Number(minute ?? 0), half) : 0;
    if (clock === null) continue;
    const zone = zoneOf(zoneName) ?? localZone;
    const today = wallDate(now, zone);
    if (month !== undefined) {
      const index = MONTHS.indexOf(month.toLowerCase());
      const years = year === undefined ? [today.year, today.year + 1] : [Number(year)];
      for (const each of years) yield instant(Date.UTC(each, index, Number(day)) + clock, zone);
    } else {
      const wanted = weekday === undefined ? null : WEEKDAYS.indexOf(weekday.toLowerCase());
      // One more than a week: the same weekday, if its time has passed today.
      for (let ahead = 0; ahead <= 8; ahead++) {
        const date = Date.UTC(today.year, today.month, today.day + ahead);
        if (wanted === null || new Date(date).getUTCDay() === wanted) yield instant(date + clock, zone);
      }
    }
  }
}

function clockOf(hour: number, minute: number, half: string | undefined): number | null {
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return hours * HOUR + minute * MINUTE;
}

/** Undefined: missing, or unknown to this system. */
function zoneOf(name: string | undefined): Zone | undefined {
  if (name === undefined) return undefined;
  const [, sign, hours, minutes] = /^(?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d\d))?)?$/i.exec(name) ?? [null];
  if (sign !== undefined)
    return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes ?? 0) * MINUTE);
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function wallDate(at: number, zone: Zone): { year: number; month: number; day: number } {
  const wall = new Date(at + offset(at, zone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth(), day: wall.getUTCDate() };
}

/**
 * The moment at which clocks in the zone show `wall` (given as if it were UTC). Around a change of the clocks the offset at the
 * first guess can differ from the one at the result, so it is looked up again there. A skipped time becomes the later one.
 */
function instant(wall: number, zone: Zone): number {
  const first = wall - offset(wall, zone);
  const second = wall - offset(first, zone);
  return offset(second, zone) === offset(first, zone) ? second : Math.max(first, second);
}

function offset(at: number, zone: Zone): number {
  if (typeof zone === "number") return zone;
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(at / SECOND) * SECOND;
}

function systemZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
