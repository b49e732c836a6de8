/** Errors are at the end of the output; much earlier lines are work. */
const TAIL_LINES = 12;
const MAX_TEXT = 16 * 1024;

/**
 * Prefixes that agents put before the actual error. They are removed one after another; one with a status supplies it. A diff's `+`,
 * a list's `-`, a quote's `>` and a test's `✗` are not among them, because text after those is not the agent's error.
 */
const ENVELOPES: readonly RegExp[] = [
  /^[■●🖐]\uFE0F?\s+/u,
  /^\d{4}-\d\d-\d\dT\S+\s+ERROR\s+[\w:]+\s+/,
  /^(?:un)?handled error during turn: /i,
  /^(?:internal |fatal )?error: /i,
  /^(?:exception )?(?:[\w$]+\.)*\w*(?:Error|Exception): /,
  /^\[?API Error(?:: ?| \()/, // An unclosed bracket: the line was cut off.
  /^Failed to authenticate\. (?=API Error)/,
  /^(?:Execution failed|Error executing prompt|Model call failed): /,
  /^OpenAI API (?:Streaming )?error: /i,
  /^Failed to get response from the AI model; .{0,200}? Last error: /,
  /^Error when talking to Gemini API Full report available at: \S+ /,
  /^Attempt \d+ failed with status (?<status>\d{3})\. Retrying with backoff\.\.\. /,
  /^Attempt \d+ failed(?:: |\. Retrying with backoff\.\.\. )/,
  /^Reconnecting\.\.\. (?:\d+\/\d+|waiting for network) \(?/,
  /^unexpected status (?<status>\d{3})\b[^:]{0,60}: /,
  /^exceeded retry limit, last status: (?<status>\d{3})\b/,
  /^Request rejected \((?<status>\d{3})\)/,
  /^Invalid status code (?<status>\d{3})\b.{0,60}? with message: /,
];

/**
 * A status at the beginning of an error. "500 tests passed" and "401 files changed" are not: the text after a status begins like a
 * sentence, is quoted, or calls itself an error.
 */
const LEADING_STATUS =
  /^(?:HTTP (?:error )?|Error code: |status code )?(?<status>[45]\d\d)\b(?:\s+-|:)?\s+(?=[{["A-Z\p{Script=Han}]|status code\b|.*\berror\b)/u;

/** Facts from fields, before any words are read. */
interface Known {
  readonly status: number | null;
  readonly code: string | null;
}

/** One way to read the clue: as a whole, or one line of it. */
export interface Reading {
  readonly said: string;
  readonly status: number | null;
  /** Lower case. */
  readonly codes: readonly string[];
  /** The rest of `said` without its prefixes. */
  readonly text: string;
  /** Certainly an error of a service call: words then count anywhere, otherwise only where the text begins. */
  readonly sure: boolean;
  /** The output contains nothing else. */
  readonly alone: boolean;
}

/** Possible readings, the most certain first. */
export function* readings(message: string, known: Known): Iterable<Reading> {
  const whole = oneText(message);
  const lines = message.split("\n").map((line) => line.trimEnd());
  // Diffs, logs, stack traces and test output indent; errors of agents do not.
  const flush = lines.filter((line) => /^\S/.test(line));
  const alone = flush.length === 1;
  if (known.status !== null || known.code !== null) yield read(whole, alone, known);
  for (const line of flush.slice(-TAIL_LINES).toReversed()) yield read(line.slice(0, MAX_TEXT), alone);
  if (lines.at(-1) === "}") yield read(oneText(lines.slice(lines.lastIndexOf("{")).join("\n")), true);
  if (flush.length <= TAIL_LINES) yield read(whole, alone || /^(?:\d{3} )?[{[]/.test(whole));
}

function oneText(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, MAX_TEXT);
}

function read(said: string, alone: boolean, known: Known = { status: null, code: null }): Reading {
  const codes = known.code === null ? [] : [known.code];
  let { status } = known;
  let text = said.replace(/^\[(API Error.*)\]$/, "$1");
  for (let enveloped = alone; ; enveloped = true) {
    const envelope = ENVELOPES.find((each) => each.test(text)) ?? (enveloped ? LEADING_STATUS : null);
    const found = envelope?.exec(text);
    if (!found) break;
    status ??= numberOf(found.groups?.["status"]);
    text = text.slice(found[0].length);
  }
  const quoted = /^\[?\s*\{/.test(text) && (alone || text !== said);
  if (quoted) {
    text = text.replace(/\\+n/g, " ").replace(/\\+(?=["'])/g, "");
    status ??= numberOf(
      /(?:["'](?:code|status|status_?code)["']\s*:\s*["']?|API Error: )([45]\d\d)\b/i.exec(text)?.[1],
    );
    const named = text.matchAll(/["'](?:code|type|status|reason|errorKind)["']\s*:\s*["']([\w.]+)["']/g);
    for (const [, code] of named) codes.push(code ?? "");
  }
  return {
    said,
    status,
    codes: codes.map(plainCode),
    text,
    alone,
    sure: quoted || status !== null || codes.length > 0,
  };
}

/** Copilot adds the plan: `user_global_rate_limited:pro`. */
function plainCode(code: string): string {
  return code.toLowerCase().replace(/:.*$/, "");
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
