// What the foreman adds between an agent and the user's terminal: the same agent in a pty of the same binding, without and with us.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { spawn } from "@lydell/node-pty";
import { rolldown } from "rolldown";
import { median } from "./measure.mjs";

const repo = join(import.meta.dirname, "..");
const LINE =
  "\u001b[38;5;114m+\u001b[0m \u001b[1mconst\u001b[22m answer = 42; // 世界 0123456789 abcdefghij\r\n";
const ROUNDS = 5;

const HOST = `
import { openTerminal } from ${JSON.stringify(join(repo, "src/terminal/open-terminal.ts"))};
const terminal = await openTerminal({
  words: process.argv.slice(2), env: process.env, cwd: "/", stdout: process.stdout,
  contain: (script, args) => ({ file: "/bin/sh", args: ["-c", script, "sh", ...args] }),
});
if ("problem" in terminal) throw new Error(terminal.detail);
await terminal.ended;
await terminal.close();`;

/** The least that the same binding can be between an agent and a terminal. */
const PLAIN = `
import { spawn } from "@lydell/node-pty";
process.stdin.setRawMode(true);
const [, , file, ...args] = process.argv;
const pty = spawn(file, args, { cols: 80, rows: 24, encoding: null });
pty.onData((chunk) => process.stdout.write(chunk));
process.stdin.on("data", (chunk) => pty.write(chunk));
pty.onExit(() => process.exit());`;

/** Milliseconds from a key to its echo, medians: the agent's pty alone; the binding between it and the terminal; us between them. */
export async function keyLatency(keys) {
  return compare(median, (words) => echoes(words, keys / ROUNDS));
}

/**
 * Megabytes a second of lines full of colours that arrive, the best of each. A second pty on the way is not free, whoever carries
 * the bytes: what we cost shows beside the plain relay.
 */
export async function outputSpeed(bytes) {
  const text = LINE.repeat(Math.ceil(bytes / Buffer.byteLength(LINE)));
  const best = (speeds) => Math.max(...speeds);
  return compare(best, async (words, dir) => {
    const file = join(dir, "output");
    writeFileSync(file, text);
    return [await flood(words, file)];
  });
}

/** In turns, so that both see the same weather. */
async function compare(sum, measure) {
  const dir = mkdtempSync(join(tmpdir(), "foreman-terminal-"));
  try {
    const ways = {
      direct: [],
      relay: [process.execPath, await bundled(dir, "plain", PLAIN)],
      withUs: [process.execPath, await bundled(dir, "host", HOST)],
    };
    symlinkSync(join(repo, "node_modules"), join(dir, "node_modules"));
    const found = { direct: [], relay: [], withUs: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const [way, words] of Object.entries(ways)) found[way].push(...(await measure(words, dir)));
    return Object.fromEntries(Object.entries(found).map(([way, values]) => [way, sum(values)]));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function bundled(dir, name, code) {
  const input = join(dir, `${name}.ts`);
  writeFileSync(input, code);
  const bundle = await rolldown({ input, platform: "node", external: [/^@/] });
  const file = join(dir, `${name}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

async function echoes(words, keys) {
  const pty = open([...words, "sh", "-c", "stty raw -echo; printf ready; exec cat"]);
  await pty.received("ready".length);
  const times = [];
  for (let key = 0; key < keys; key++) {
    const start = performance.now();
    pty.write("k");
    await pty.received(1);
    times.push(performance.now() - start);
  }
  pty.kill();
  return times;
}

async function flood(words, file) {
  const last = "LAST";
  const key = "dd bs=1 count=1 >/dev/null 2>&1";
  // It stays until it is ended: the binding alone loses what is written right before an exit.
  const script = `stty raw -echo; printf ready; ${key}; cat ${file}; printf ${last}; ${key}`;
  const pty = open([...words, "sh", "-c", script]);
  await pty.received("ready".length);
  const start = performance.now();
  pty.write("k");
  const bytes = await pty.ends(last);
  const speed = bytes / 1000 / (performance.now() - start);
  pty.kill();
  return speed;
}

/** A pty that counts what comes. */
function open([file, ...args]) {
  const pty = spawn(file, args, { cols: 80, rows: 24, cwd: "/", env: process.env, encoding: null });
  let waiting = null;
  let count = 0;
  let tail = "";
  pty.onData((chunk) => {
    count += chunk.length;
    tail = (tail + chunk.subarray(-4).toString("latin1")).slice(-4);
    waiting?.();
  });
  const until = (done) =>
    new Promise((resolve) => {
      waiting = () => done() && resolve();
      waiting();
    });
  return {
    write: (keys) => pty.write(keys),
    kill: () => pty.kill("SIGKILL"),
    received: async (bytes) => {
      await until(() => count >= bytes);
      count -= bytes;
    },
    ends: async (last) => {
      await until(() => tail === last);
      return count;
    },
  };
}
