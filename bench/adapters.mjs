// Measures how fast the adapters read agent output. It repeats recorded streams in chunks of the size that a pipe delivers.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { loadSource } from "./load.mjs";

const repo = join(import.meta.dirname, "..");
const CHUNK = 64 * 1024;
const LF = 0x0a;
const ROUNDS = 5;

/** A recorded turn without failures, for each agent. */
const GOOD_TURN = {
  claude: "edits",
  codex: "ok-json",
  gemini: "ok-json",
  opencode: "ok-json",
  qwen: "ok-json",
  pi: "ok-json",
  copilot: "ok-json",
};

export function goodTurn(agent) {
  return withEnd(readFileSync(join(dirOf(agent), `${GOOD_TURN[agent]}.stdout`)));
}

/** Every recording of one agent, followed by a turn without failures. */
function recorded(agent) {
  const dir = dirOf(agent);
  const names = readdirSync(dir).filter((name) => name.endsWith(".stdout"));
  return Buffer.concat([...names.map((name) => withEnd(readFileSync(join(dir, name)))), goodTurn(agent)]);
}

function dirOf(agent) {
  return join(repo, "test", "golden", "agents", agent);
}

function withEnd(stream) {
  return stream.length === 0 || stream.at(-1) === LF ? stream : Buffer.concat([stream, Buffer.from([LF])]);
}

/** Megabytes per second for each adapter. The floor only parses each line of the same stream as JSON. */
export async function adapterSpeeds(bytes) {
  const { adapterFor } = await loadSource("src/agents/registry.ts");
  const speeds = [];
  for (const agent of Object.keys(GOOD_TURN)) {
    const adapter = adapterFor(agent);
    const chunks = chunksOf(recorded(agent));
    const passes = Math.ceil(bytes / 8e6 / ROUNDS);
    const once = (read) => {
      const start = performance.now();
      for (let pass = 0; pass < passes; pass++) for (const chunk of chunks) read(chunk);
      const done = passes * chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      return done / 1000 / (performance.now() - start);
    };
    // Other load slows the floor and the reader alike, so the best of several rounds counts.
    const rate = (read) => Math.max(...Array.from({ length: ROUNDS }, () => once(read)));
    refuseMisunderstanding(adapter);
    const reader = adapter.read(context(adapter));
    const parsed = rate(parseLines);
    const speed = rate((chunk) => reader.push("stdout", chunk));
    speeds.push({ agent, speed, parsed });
  }
  return speeds;
}

/** A reader that ignores its input would be the fastest. */
function refuseMisunderstanding(adapter) {
  const reader = adapter.read(context(adapter));
  reader.push("stdout", goodTurn(adapter.name));
  const { failure } = reader.end({ kind: "exited", code: 0 });
  if (failure !== null) throw new Error(`${adapter.name}: ${failure.message}`);
}

/** Whole repetitions of the stream, about 8 MB, cut into pipe-sized chunks. */
function chunksOf(stream) {
  const long = Buffer.concat(Array.from({ length: Math.ceil(8e6 / stream.length) }, () => stream));
  const count = Math.ceil(long.length / CHUNK);
  return Array.from({ length: count }, (_, index) => long.subarray(index * CHUNK, (index + 1) * CHUNK));
}

let rest = "";
function parseLines(chunk) {
  const lines = (rest + chunk.toString("utf8")).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line.startsWith("{")) JSON.parse(line);
}

function context(adapter) {
  const options = { program: adapter.program, args: [], env: {}, model: null, endpoint: null };
  const request = { options, session: { kind: "start" }, tools: "all", cwd: "/", maxCostUsd: null };
  return {
    cwd: "/",
    now: () => new Date(),
    before: null,
    prompt: "",
    request,
    send: () => undefined,
    changed: () => undefined,
  };
}
