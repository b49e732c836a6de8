/** Colour and style codes carry no content. */
const STYLE = /\u001b\[[0-9;:]*m/g;
/** C0 (but tab), DEL, C1, and the characters that reorder text, hide it, or are invisible themselves. */
const UNSAFE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** One line of foreign text, safe to show: it can neither control a terminal nor imitate another line. */
export function visible(line: string): string {
  return line.replace(STYLE, "").replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** JSON text that cannot control a terminal; JSON itself escapes only C0. It parses to the very same value. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Lines of foreign text: LF ends one, and a CR before it belongs to the line end. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

const MAX_LISTED = 5;

/** `a, b (+12)` */
export function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_LISTED).map((text) => visible(text));
  const left = texts.length - shown.length;
  return left > 0 ? `${shown.join(", ")} (+${left})` : shown.join(", ");
}
