import stringWidth from "string-width";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ELLIPSIS = "...";

/** How long something took: `0.9s`, `15s`, `4m27s`, `1h05m`; whole minutes and hours stand alone. */
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

/** How long ago, in the largest unit alone: `8s`, `4m`, `2h`. */
export function roughly(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}s`;
  return ms < HOUR ? `${Math.floor(ms / MINUTE)}m` : `${Math.floor(ms / HOUR)}h`;
}

/** A time that counts up in place, so it keeps its width: `02:41`, `1:05:09`. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const hours = Math.floor(seconds / 3600);
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

/** Local time of day, `09:16:16`. */
export function clockTime(at: string | number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

export function byteSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"] as const;
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || Number.isInteger(size) || size >= 100 ? 0 : 1;
  return `${size.toFixed(digits)} ${units[unit] ?? ""}`;
}

const graphemes = new Intl.Segmenter();

/** Some Chinese terminals draw ambiguous characters two cells wide: counting them so cuts early rather than late. */
const widestOf = (text: string): number => stringWidth(text, { ambiguousIsNarrow: false });

export function cutToWidth(text: string, width: number): string {
  const flat = text.replaceAll("\t", "    ");
  let used = 0;
  let fits = 0;
  for (const { segment, index } of graphemes.segment(flat)) {
    const next = used + widestOf(segment);
    if (next > width) return flat.slice(0, fits) + ELLIPSIS.slice(0, width);
    if (next <= width - ELLIPSIS.length) fits = index + segment.length;
    used = next;
  }
  return flat;
}

/** How many rows a terminal of this width takes for a line: a wide character never sits half on two rows. */
export function rowsAt(text: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const { segment } of graphemes.segment(text)) {
    const width = stringWidth(segment);
    if (column + width > columns) {
      rows += 1;
      column = 0;
    }
    column += width;
  }
  return rows;
}

export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
