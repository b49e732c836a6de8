import fs from "node:fs";
import path from "node:path";
import type {
  Adapter,
  AgentOptions,
  ReadContext,
  TurnReader,
  TurnRequest,
  TurnSummary,
} from "../../src/agents/adapter.ts";
import type { Denial, FailureClass, Usage } from "../../src/core/agent-turn.ts";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";

const HERE = path.join(import.meta.dirname, "../golden/agents");
/** Replacements for the recordings' `$CWD` and `$HOME`. */
export const CWD = "/home/someone/project";
const HOME = "/home/someone";
const TURN_DIR = "/home/someone/state/turns/1";
const NOW = new Date("2026-11-15T10:00:00Z");

/** `<case>.json`, beside `<case>.stdout` and `<case>.stderr` (absent if empty): the recorded command line and its end. */
interface Meta {
  readonly argv: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly expected?: Expected;
}

/** The result of a recorded turn; omitted values are absent. */
export interface Expected {
  readonly class?: FailureClass;
  /** Part of the failure's message. */
  readonly says?: string | RegExp;
  readonly retryAt?: string;
  readonly session?: string;
  readonly text?: string;
  /** Input, cached, output, dollars. */
  readonly usage?: readonly [number, number, number, number | null];
  readonly files?: readonly string[];
  readonly denials?: readonly Denial[];
  readonly unknown?: number;
  /** Earlier usage of the session, and whether the turn must change nothing. These are inputs. */
  readonly before?: Usage;
  readonly readOnly?: true;
}

export interface GoldenCase {
  readonly argv: readonly string[];
  readonly session: TurnRequest["session"];
  readonly end: ProcessEnd;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly expected: Expected | null;
}

/** The names of all recorded cases of a client. */
export function goldenCases(client: string): string[] {
  return fs
    .readdirSync(path.join(HERE, client))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .toSorted();
}

export function loadGolden(client: string, name: string): GoldenCase {
  const file = (suffix: string): string => path.join(HERE, client, `${name}.${suffix}`);
  const stream = (suffix: string): Buffer => {
    const text = fs.existsSync(file(suffix)) ? fs.readFileSync(file(suffix), "utf8") : "";
    return Buffer.from(text.replaceAll("$CWD", CWD).replaceAll("$HOME", HOME));
  };
  const meta = JSON.parse(fs.readFileSync(file("json"), "utf8")) as Meta;
  return {
    argv: meta.argv,
    session: sessionOf(meta.argv),
    end: endOf(meta),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    expected: meta.expected ?? null,
  };
}

/** In the notation of the recorded command: `--resume ID --fork-session`, `fork ID`, `-s ID --fork`. */
function sessionOf(argv: readonly string[]): TurnRequest["session"] {
  const at = argv.findIndex((word) => ["--resume", "--session", "-s", "resume", "fork"].includes(word));
  const id = argv.slice(at).find((word) => /^(?:ses_\w+|[\da-f]{8}-[\da-f-]+)$/.test(word));
  if (at === -1 || id === undefined) return { kind: "start" };
  return { kind: argv.some((word) => /^(?:--)?fork(?:-session)?$/.test(word)) ? "fork" : "resume", id };
}

function endOf(meta: Meta): ProcessEnd {
  if (meta.timedOut) return { kind: "timeout", afterMs: 25_000 };
  if (meta.signal !== null) return { kind: "signaled", signal: meta.signal };
  return { kind: "exited", code: meta.exitCode ?? 0 };
}

export function optionsFor(program: string, more: Partial<AgentOptions> = {}): AgentOptions {
  return { program, args: [], env: {}, model: null, endpoint: null, ...more };
}

export function requestFor(program: string, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    options: optionsFor(program),
    session: { kind: "start" },
    tools: "all",
    system: null,
    cwd: CWD,
    dir: TURN_DIR,
    maxCostUsd: null,
    ...more,
  };
}

export function readerOf(adapter: Adapter, more: Partial<ReadContext> = {}): TurnReader {
  return adapter.read({
    cwd: CWD,
    now: () => NOW,
    before: null,
    prompt: "create hello.txt containing hi",
    request: requestFor(adapter.program),
    changed: () => undefined,
    send: () => {},
    ...more,
  });
}

/** Reads a recorded case with both streams mixed, in chunks whose sizes depend on `seed`. */
export function readGolden(
  adapter: Adapter,
  recorded: GoldenCase,
  seed = 1,
  more: Partial<ReadContext> = {},
): TurnSummary {
  const request = requestFor(adapter.program, { session: recorded.session });
  const reader = readerOf(adapter, { request, ...more });
  pushInChunks(reader, recorded, seed);
  return reader.end(recorded.end);
}

export function pushInChunks(
  reader: TurnReader,
  recorded: Pick<GoldenCase, "stdout" | "stderr">,
  seed: number,
): void {
  const random = randomFrom(seed);
  // Mostly tiny, sometimes the whole rest, so that cuts fall inside lines and inside characters.
  const mean = [1, 7, 100, 4096, 1 << 20][seed % 5] ?? 1;
  const at = { stdout: 0, stderr: 0 };
  while (at.stdout < recorded.stdout.length || at.stderr < recorded.stderr.length) {
    const stream = random() < 0.5 ? "stdout" : "stderr";
    const size = 1 + Math.floor(random() * 2 * mean);
    const chunk = Buffer.from(recorded[stream].subarray(at[stream], at[stream] + size));
    at[stream] += chunk.length;
    if (chunk.length === 0) continue;
    reader.push(stream, chunk);
    // The caller may reuse a chunk's memory, so a reader that kept the chunk would see this.
    chunk.fill("#");
  }
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
