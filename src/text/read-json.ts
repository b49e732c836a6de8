/** Skips a byte order mark, as many programs do; undefined: not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}

/** Null: nested too deeply to write. */
export function writtenJson(value: unknown, indent = ""): string | null {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return null;
  }
}

const COMMENT_OR_STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"|\/\/[^\n]*|\/\*[^]*?\*\/|\/\*[^]*$/g;
const STRING_OR_COMMA = /"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g;

/** JSON with comments and trailing commas. */
export function readJsonWithComments(text: string): unknown {
  const bare = text.replace(COMMENT_OR_STRING, (found) => (found.startsWith('"') ? found : " "));
  return readJson(bare.replace(STRING_OR_COMMA, (found) => (found === "," ? "" : found)));
}

/** All texts in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  const found: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string") found.push(one);
    else if (typeof one === "object" && one !== null) for (const part of Object.values(one)) left.push(part);
  }
  return found;
}
