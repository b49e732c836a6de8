const SECOND = 1000;

/** A duration: `0.9s`, `15s`, `4m27s`, `1h05m`; whole minutes and hours have no smaller part. */
export function duration(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return joined(Math.floor(seconds / 60), "m", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "m");
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${twoDigits(small)}${smallUnit}`;
}

/** Local date, time and offset: `2026-11-15 19:06:16 +08:00`. */
export function localTime(at: string): string {
  const date = new Date(at);
  const offset = -date.getTimezoneOffset();
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("-");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
  const zone = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(twoDigits).join(":");
  return `${day} ${time} ${offset < 0 ? "-" : "+"}${zone}`;
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
