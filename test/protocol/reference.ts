// A slow second implementation of the marker protocol. It reads the whole stream line by line, character by character, and shares no code with the
// scanner.

const MAX_LINE = 16_384;
const LOOKBACK = 32_768;
const COMPARED = 4_096;
const STATUSES = ["DONE", "NEEDS_WORK", "BLOCKED"];

export interface ReferenceResult {
  readonly status: { readonly value: string; readonly text: string; readonly endsStream: boolean } | null;
  readonly evidence: { readonly text: string; readonly endsStream: boolean } | null;
}

interface Line {
  readonly offset: number;
  readonly raw: string;
  readonly overlong: boolean;
  readonly text: string;
  readonly status: string | null;
  readonly value: string;
  readonly evidence: string | null;
}

export function reference(stream: Buffer, instructions: readonly string[], nonce?: string): ReferenceResult {
  const input = stream.toString("latin1");
  const lines = readLines(input, nonce);
  const echoed = findEchoes(input, lines, instructions, nonce);
  const listed = findLists(lines);
  const exemplary = findFencedExamples(lines);
  const counts = (index: number): boolean =>
    !echoed.has(index) && !listed.has(index) && !exemplary.has(index);
  const result: { -readonly [Key in keyof ReferenceResult]: ReferenceResult[Key] } = {
    status: null,
    evidence: null,
  };
  for (const [index, line] of lines.entries()) {
    const endsStream = index === lines.length - 1;
    if (!counts(index)) continue;
    if (line.status !== null) result.status = { value: line.status, text: line.value, endsStream };
    if (line.evidence !== null) result.evidence = { text: line.evidence, endsStream };
  }
  return result;
}

function readLines(input: string, nonce: string | undefined): Line[] {
  const tag = nonce === undefined ? "" : `[${Buffer.from(nonce).toString("latin1")}]`;
  const raws = input.split("\n");
  if (raws.at(-1) === "") raws.pop();
  let offset = 0;
  return raws.map((whole) => {
    const overlong = whole.length > MAX_LINE;
    const raw = whole.slice(0, MAX_LINE);
    const { text, firstVisible } = strip(raw);
    const rawFromVisible = raw.slice(firstVisible);
    const statusKey = `GA_STATUS${tag}=`;
    const evidenceKey = `GA_EVIDENCE${tag}=`;
    let status: string | null = null;
    let evidence: string | null = null;
    let value = "";
    if (rawFromVisible.startsWith(statusKey) && !overlong) {
      const exact = text.slice(statusKey.length);
      value = shown(utf8(exact), 200);
      if (STATUSES.includes(exact)) status = exact;
      else if (!isPlaceholder(utf8(exact).trim()) && !isChoices(utf8(exact))) status = "invalid";
    }
    if (rawFromVisible.startsWith(evidenceKey)) {
      const exact = utf8(text.slice(evidenceKey.length));
      if (shown(exact, 2000) !== "" && !isPlaceholder(exact.trim())) evidence = shown(exact, 2000);
    }
    const line = { offset, raw: whole, overlong, text, status, value, evidence };
    offset += whole.length + 1;
    return line;
  });
}

/** Terminal escapes as a state machine. */
function strip(raw: string): { text: string; firstVisible: number } {
  let state: "text" | "escape" | "designation" | "csi" | "string" | "string-escape" = "text";
  let kept = "";
  let firstVisible = -1;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    const code = raw.charCodeAt(at);
    if (state === "escape" || state === "designation") {
      if (char === "\u001B") {
        state = "escape";
        continue;
      }
      if (state === "escape" && char === "[") {
        state = "csi";
        continue;
      }
      if (state === "escape" && "]PX^_".includes(char)) {
        state = "string";
        continue;
      }
      if (code >= 0x20 && code <= 0x2f) {
        state = "designation";
        continue;
      }
      state = "text";
      if (code >= 0x30 && code <= 0x7e) continue;
    } else if (state === "csi") {
      if (char === "\u001B") state = "escape";
      else if (code >= 0x40 && code <= 0x7e) state = "text";
      continue;
    } else if (state === "string" || state === "string-escape") {
      if (char === "\u0007" || (state === "string-escape" && char === "\\")) state = "text";
      else state = char === "\u001B" ? "string-escape" : "string";
      continue;
    }
    if (char === "\u001B") {
      state = "escape";
    } else if (char !== "\r") {
      if (firstVisible < 0) firstVisible = at;
      kept += char;
    }
  }
  while (kept.endsWith(" ") || kept.endsWith("\t")) kept = kept.slice(0, -1);
  return { text: kept, firstVisible: firstVisible < 0 ? raw.length : firstVisible };
}

function isBlank(line: Line): boolean {
  return !line.overlong && line.text === "";
}

function fenceOf(line: Line): { mark: string; length: number; rest: string } | null {
  if (line.overlong) return null;
  let text = line.text;
  for (let spaces = 0; spaces < 3 && text.startsWith(" "); spaces += 1) text = text.slice(1);
  const mark = text.charAt(0);
  if ((mark !== "`" && mark !== "~") || !line.raw.includes(mark.repeat(3))) return null;
  let length = 0;
  while (text.charAt(length) === mark) length += 1;
  return length < 3 ? null : { mark, length, rest: text.slice(length) };
}

function findFencedExamples(lines: readonly Line[]): Set<number> {
  const examples = new Set<number>();
  const fences = lines.map(fenceOf);
  for (let open = 0; open < lines.length; open += 1) {
    const opening = fences[open] ?? null;
    if (opening === null || (opening.mark === "`" && opening.rest.includes("`"))) continue;
    const closing = fences.findIndex(
      (fence, index) =>
        index > open && fence?.mark === opening.mark && fence.length >= opening.length && fence.rest === "",
    );
    if (closing < 0) break;
    if (lines.slice(closing + 1).some((line) => !isBlank(line))) {
      for (let inside = open + 1; inside < closing; inside += 1) examples.add(inside);
    }
    open = closing;
  }
  return examples;
}

function findLists(lines: readonly Line[]): Set<number> {
  const listed = new Set<number>();
  let run: number[] = [];
  let runEnd = 0;
  const close = (): void => {
    const named = new Set(run.map((index) => lines[index]?.status));
    if (named.size === 3) run.forEach((index) => listed.add(index));
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    if (line.status !== null && line.status !== "invalid") {
      if (line.offset - runEnd > LOOKBACK) close();
      run.push(index);
      runEnd = line.offset + line.raw.length + 1;
    } else if (!isBlank(line) && !["or", "或"].includes(utf8(line.text).replace(/^[ \t]+/, ""))) {
      close();
    } else if (line.overlong) {
      close();
    }
  }
  close();
  return listed;
}

function findEchoes(
  input: string,
  lines: Line[],
  instructions: readonly string[],
  nonce?: string,
): Set<number> {
  const places: { above: string; fence: string; text: string }[] = [];
  for (const instruction of instructions) {
    const text = Buffer.from(instruction).toString("latin1");
    for (const line of readLines(text, nonce)) {
      if (line.status !== null || line.evidence !== null) {
        const { above, fence } = before(text, line.offset);
        places.push({ above, fence, text: line.text });
      }
    }
  }
  const echoed = new Set<number>();
  let previous = { offset: -1, echo: false };
  for (const [index, line] of lines.entries()) {
    if (line.status === null && line.evidence === null) continue;
    const { above, fence, offset } = before(input, line.offset);
    const known = places.some(
      (place) =>
        place.text === line.text &&
        place.fence === fence &&
        (place.above === above || (isTelling(place.above) && above.endsWith(place.above))),
    );
    const echo = known && (offset !== previous.offset || offset < 0 || previous.echo);
    if (echo) echoed.add(index);
    previous = { offset: line.offset, echo };
  }
  return echoed;
}

/** Four UTF-8 characters, each with a byte that is no continuation byte. */
function isTelling(above: string): boolean {
  return Array.from(above).filter((byte) => (byte.charCodeAt(0) & 0xc0) !== 0x80).length >= 4;
}

/** The line above a place, the code fence between them, and the start of that text. */
function before(input: string, offset: number): { above: string; fence: string; offset: number } {
  const windowStart = Math.max(0, offset - LOOKBACK);
  const visible: { offset: number; text: string }[] = [];
  let start = windowStart;
  for (const raw of input.slice(windowStart, offset).split("\n")) {
    let end = raw.length;
    while (end > 0 && " \t\r".includes(raw.charAt(end - 1))) end -= 1;
    const { text } = strip(raw.slice(Math.max(0, end - COMPARED), end));
    if (text !== "") visible.push({ offset: start, text });
    start += raw.length + 1;
  }
  const last = visible.at(-1);
  if (last === undefined) return { above: "", fence: "", offset: -1 };
  const isFence = /^ {0,3}(```|~~~)/.test(last.text);
  return isFence
    ? { above: visible.at(-2)?.text ?? "", fence: last.text, offset: last.offset }
    : { above: last.text, fence: "", offset: last.offset };
}

function isPlaceholder(value: string): boolean {
  const inner = /^["'`“‘].*["'`”’]$/s.test(value) ? value.slice(1, -1) : value;
  if (/^\.\.\.+$/.test(inner) || /^…+$/.test(inner)) return true;
  if (/[0-9]/.test(inner)) return false;
  const peeled = (open: string, close: string): string | null => {
    let from = 0;
    let to = inner.length;
    while (inner.charAt(from) === open) from += 1;
    while (to > from && inner.charAt(to - 1) === close) to -= 1;
    const middle = inner.slice(from, to);
    const whole = from > 0 && to < inner.length && !middle.includes(open) && !middle.includes(close);
    return whole ? middle : null;
  };
  if (peeled("<", ">") !== null) return true;
  const bracketed = peeled("[", "]") ?? peeled("{", "}");
  if (bracketed !== null) return !bracketed.includes('"');
  return /^\$\{+[^{}"]*\}+$/.test(inner);
}

function isChoices(value: string): boolean {
  let rest = value;
  for (const wrapper of "<>[]{}()\"'`“”‘’") rest = rest.split(wrapper).join(" ");
  const named = new Set<string>();
  while (rest !== "") {
    const word = STATUSES.find((status) => rest.startsWith(status));
    const separator = /^(?:\s|[|/,、，]|or|或)/.exec(rest)?.[0];
    if (word !== undefined) named.add(word);
    const step = word ?? separator;
    if (step === undefined) return false;
    rest = rest.slice(step.length);
    if (word !== undefined && /^\w/.test(rest) && !rest.startsWith("or")) return false;
  }
  return named.size > 1;
}

function shown(decoded: string, limit: number): string {
  const printable = Array.from(decoded, (char) => (/[\p{Cc}\u2028\u2029]/u.test(char) ? " " : char))
    .join("")
    .trim();
  let cut = "";
  for (const char of printable) {
    if (cut.length + char.length > limit) break;
    cut += char;
  }
  return cut;
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
