// Measures what the foreman adds between agent and terminal: the same agent in a pty of the same binding, with and without the foreman.
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
import { openTerminal } from ${JSON.stringify(join(repo, "src/platform/terminal/open-terminal.ts"))};
const terminal = await openTerminal({
  words: process.argv.slice(2), env: process.env, cwd: "/", stdout: process.stdout,
  contain: (script, args) => ({ file: "/bin/sh", args: ["-c", script, "sh", ...args] }),
});
if ("problem" in terminal) throw new Error(terminal.detail);
await terminal.ended;
await terminal.close();`;

/** The smallest relay that this binding can be. */
const PLAIN = `
import { spawn } from "@lydell/node-pty";
process.stdin.setRawMode(true);
const [, , file, ...args] = process.argv;
const pty = spawn(file, args, { cols: 80, rows: 24, encoding: null });
pty.onData((chunk) => process.stdout.write(chunk));
process.stdin.on("data", (chunk) => pty.write(chunk));
pty.onExit(() => process.exit());`;

/** Median milliseconds from a key to its echo: through the agent's pty alone, a plain relay, and the foreman. */
export async function keyLatency(keys) {
  return compare(median, (words) => echoes(words, keys / ROUNDS));
}

/** Megabytes per second of colored lines, the best of each. A second pty always costs time, so the foreman is compared with the plain relay. */
export async function outputSpeed(bytes) {
  const text = LINE.repeat(Math.ceil(bytes / Buffer.byteLength(LINE)));
  const best = (speeds) => Math.max(...speeds);
  return compare(best, async (words, dir) => {
    const file = join(dir, "output");
    writeFileSync(file, text);
    return [await flood(words, file)];
  });
}

/** Alternates, so that other load affects both. */
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
  // The script waits to be killed, because the binding alone loses output written right before an exit.
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

/** A pty that counts incoming bytes. */
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
