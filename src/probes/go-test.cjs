// Runs a program of Go's tests so that it names them, and prints what it would have printed.
"use strict";

const { spawn } = require("child_process");
const { constants } = require("os");
const places = require("./places.cjs");
const teller = require("./tell.cjs");

const [program, ...args] = process.argv.slice(2);
const isVerbose = args.includes("-test.v=true");
/** As where a package could not be built. */
const WHOLE = "(as a whole)";
const STATUSES = { PASS: "passed", FAIL: "failed", SKIP: "skipped" };
const UNDER_WAY = /^=== (?:RUN|CONT|NAME|PAUSE) +(\S*)$/;
/** A test may have printed something before it on the same line. */
const RESULT = /( *)--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/;

const suite = places.suiteOf(`${process.cwd()}/`).replace(/\/$/, "") || ".";
const open = new Set();
/** What tests logged, which is printed only where they fail. */
const logs = new Map();
let current = "";
let hasFailed = false;
let rest = "";

function hear(line) {
  const result = RESULT.exec(line);
  const started = result === null ? UNDER_WAY.exec(line) : null;
  if (result !== null) note(line, result);
  else if (started !== null) {
    current = started[1];
    if (line.startsWith("=== RUN")) open.add(current);
  } else if (current !== "" && line.startsWith("    "))
    logs.set(current, (logs.get(current) || []).concat(line));
  else print(line);
}

function note(line, [whole, indent, word, name]) {
  open.delete(name);
  current = "";
  hasFailed = hasFailed || word === "FAIL";
  tellOf(name, STATUSES[word], logs.get(name));
  const before = line.slice(0, line.length - whole.length);
  if (before !== "") print(before);
  if (word !== "FAIL") return;
  print(whole);
  for (const log of logs.get(name) || []) print(indent + log);
}

function tellOf(name, status, log = []) {
  // Lines are bytes here, so that they are printed as they came.
  const text = (latin1) => Buffer.from(latin1, "latin1").toString();
  const message = log.map((line) => text(line).replace(/^ {4}/, "")).join("\n");
  teller.tell(teller.test(suite, text(name), status, { message }));
}

function print(line) {
  if (!isVerbose) process.stdout.write(`${line}\n`, "latin1");
}

function finish(code, signal) {
  if (rest !== "") hear(rest);
  if (code !== 0) {
    // A panic and a time limit end the tests that were under way without a word about them.
    for (const name of open) tellOf(name, "failed");
    if (!hasFailed && open.size === 0) tellOf(WHOLE, "failed");
  }
  if (code !== 0 || open.size === 0) teller.end("go");
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = signal === null ? code : 128 + constants.signals[signal];
}

teller.begin("go", true);
const words = isVerbose ? args : ["-test.v=true", ...args];
const child = spawn(program, words, { stdio: ["inherit", "pipe", "inherit"], env: process.env });
// Go asks a program whose time is over for its stacks, and the terminal asks all.
for (const signal of ["SIGQUIT", "SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.stdout.setEncoding("latin1");
child.stdout.on("data", (text) => {
  if (isVerbose) process.stdout.write(text, "latin1");
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) hear(line);
});
child.on("error", () => finish(127, null));
child.on("close", finish);
