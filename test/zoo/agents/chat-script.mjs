// The scripted behaviour of a conversation's agents, and a record of their inputs.
//
// The script is the JSON file $CHAT_SCRIPT: `{"work": [...], "reviews": [...], "start": {...}, "begin": {...}, "hooks": false,
// "keeps": false}`. `begin` runs after an input, before the agent shows that it works. The n-th turn, in a terminal or not, uses
// the n-th item of `work`, the n-th review that of `reviews`; the last item repeats. An item may output something `raw` or as an
// `error`, `wait` (for a file of that name in $CHAT_GATES), `write` files, `run` a shell command, `say` a text, and end
// differently: `exit`, `kill`, `hang`, `fails`. `back`: when interrupted, it puts its input back into the box. The file is read
// again for each item.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { env } = process;
const LOOK_MS = 10;

export function script() {
  return env.CHAT_SCRIPT && fs.existsSync(env.CHAT_SCRIPT)
    ? JSON.parse(fs.readFileSync(env.CHAT_SCRIPT, "utf8"))
    : {};
}

function calls() {
  if (!fs.existsSync(env.CHAT_CALLS)) return [];
  return fs
    .readFileSync(env.CHAT_CALLS, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** One line, so that concurrent calls do not mix. */
export function note(call) {
  fs.appendFileSync(env.CHAT_CALLS, `${JSON.stringify(call)}\n`);
}

/** Returns the script's item for this turn and records the turn. */
export function next(kind, call) {
  const before = calls().filter((one) => one.kind === kind).length;
  note({ kind, ...call });
  const items = script()[kind === "work" ? "work" : "reviews"] ?? [];
  return items[Math.min(before, items.length - 1)] ?? {};
}

/** The item's actions before any output; false: the person has interrupted it. */
export async function act(item, signal) {
  if (item.raw !== undefined) fs.writeSync(1, item.raw);
  if (item.error !== undefined) fs.writeSync(2, item.error);
  if (item.wait !== undefined) await gate(item.wait, signal);
  if (signal?.aborted) return false;
  for (const [path, text] of Object.entries(item.write ?? {})) {
    if (text === null) fs.rmSync(path, { recursive: true, force: true });
    else fs.writeFileSync(path, text);
  }
  if (item.run !== undefined) await shell(item.run);
  if (item.kill !== undefined) process.kill(process.pid, item.kill);
  if (item.hang === true) await gate("never", signal);
  if (item.exit !== undefined && item.say === undefined) process.exit(item.exit);
  return signal?.aborted !== true;
}

async function gate(name, signal) {
  const path = join(env.CHAT_GATES, name);
  while (!fs.existsSync(path)) {
    if (signal?.aborted) break;
    await pause(LOOK_MS);
  }
}

/** Columns of a text; East Asian characters are two wide. */
export function widthOf(text) {
  return Array.from(text).reduce((sum, char) => sum + (char.codePointAt(0) >= 0x11_00 ? 2 : 1), 0);
}

/** The output of the command. */
export function shell(command, input = "") {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.stdin.on("error", () => undefined).end(input);
    child.once("close", () => resolve(output));
  });
}

/** The value of a flag: `--flag value` or `--flag=value`. */
export function valueOf(argv, flag) {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return argv[at] === flag ? argv[at + 1] : argv[at].slice(flag.length + 1);
}

export function say(...lines) {
  for (const line of lines) fs.writeSync(1, `${JSON.stringify(line)}\n`);
}
