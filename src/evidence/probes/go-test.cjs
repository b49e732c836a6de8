// Runs a Go test program so that it names its tests, and prints its usual output.
"use strict";

const { spawn } = require("child_process");
const { constants } = require("os");
const places = require("./places.cjs");
const reporter = require("./report.cjs");

const [program, ...args] = process.argv.slice(2);
const isVerbose = args.includes("-test.v=true");
/** The same name as for a package that could not be built. */
const WHOLE = "(as a whole)";
const STATUSES = { PASS: "passed", FAIL: "failed", SKIP: "skipped" };
const UNDER_WAY = /^=== (?:RUN|CONT|NAME|PAUSE) +(\S*)$/;
/** A test may have printed something before it on the same line. */
const RESULT = /( *)--- (PASS|FAIL|SKIP): (\S+) \(\d+\.\d+s\)$/;

const suite = places.suiteOf(`${process.cwd()}/`).replace(/\/$/, "") || ".";
const open = new Set();
/** Logs of tests, which Go prints only for failed tests. */
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
  reportTest(name, STATUSES[word], logs.get(name));
  const before = line.slice(0, line.length - whole.length);
  if (before !== "") print(before);
  if (word !== "FAIL") return;
  print(whole);
  for (const log of logs.get(name) || []) print(indent + log);
}

function reportTest(name, status, log = []) {
  // Lines are handled as bytes, so that they are printed unchanged.
  const text = (latin1) => Buffer.from(latin1, "latin1").toString();
  const message = log.map((line) => text(line).replace(/^ {4}/, "")).join("\n");
  reporter.report(reporter.test(suite, text(name), status, { message }));
}

function print(line) {
  if (!isVerbose) process.stdout.write(`${line}\n`, "latin1");
}

function finish(code, signal) {
  if (rest !== "") hear(rest);
  if (code !== 0) {
    // A panic and a time limit end running tests without a result.
    for (const name of open) reportTest(name, "failed");
    if (!hasFailed && open.size === 0) reportTest(WHOLE, "failed");
  }
  if (code !== 0 || open.size === 0) reporter.end("go");
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = signal === null ? code : 128 + constants.signals[signal];
}

reporter.begin("go", true);
const words = isVerbose ? args : ["-test.v=true", ...args];
const child = spawn(program, words, { stdio: ["inherit", "pipe", "inherit"], env: process.env });
// Go asks a timed-out program for its stacks, and a terminal signals the whole group.
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
