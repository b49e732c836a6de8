// Writes one line per event into a file of this process.
"use strict";

// Taken now, because tests replace these functions.
const { closeSync, openSync, writeSync } = require("fs");
const { join } = require("path");
const surroundings = require("./surroundings.cjs");
const { stringify } = JSON;
const { pid } = process;

const file = join(process.env.AGENT_FOREMAN_TESTS, `${pid}-${process.hrtime().join("-")}.ndjson`);
const LONGEST = 1000;
/** Far more of a message than is shown. */
const LONGEST_TEXT = 64 * 1024;
/** For all messages of this process: the file of a process is read up to a limit, and names matter more than messages. */
let textLeft = 8 * 1024 * 1024;
let open = 0;
/** Lines that could not be written yet: tests may use a mocked file system without this path. */
let late = [];

/** Never throws. */
function report(...entries) {
  late = late.concat(entries);
  try {
    // Opened each time: tests that count descriptors would see an open one, or close it.
    const fd = openSync(file, "a");
    try {
      writeSync(fd, late.map((entry) => `${stringify(entry)}\n`).join(""));
      late = [];
    } finally {
      closeSync(fd);
    }
  } catch {
    // Silent, because a full disk must not change test output.
  }
}

exports.report = report;

exports.LONGEST_TEXT = LONGEST_TEXT;

/** `failure`: its message and the compared values; each may be absent. */
exports.test = (suite, name, status, failure) => ({
  test: Object.assign(
    { suite: suite.slice(0, LONGEST), name: name.slice(0, LONGEST), status },
    status === "failed" ? bounded(failure) : {},
  ),
});

function bounded({ message = "", compared }) {
  const [text, expected, actual] = [message, compared && compared.expected, compared && compared.actual].map(
    (part) => (part || "").slice(0, LONGEST_TEXT),
  );
  const length = text.length + expected.length + actual.length;
  if (length === 0 || length > textLeft) return {};
  textLeft -= length;
  return compared
    ? { message: text, compared: Object.assign({}, compared, { expected, actual }) }
    : { message: text };
}

/** `alone`: its tests run in this process, and no child process is its own. */
exports.begin = (runner, alone) => {
  open += 1;
  surroundings.put("AGENT_FOREMAN_RUNNER", String(pid));
  if (alone) surroundings.conceal();
  report({ begin: runner });
};

exports.end = (runner) => {
  open -= 1;
  report({ end: runner });
  exports.over = open <= 0;
};

/** Whether the runner in this process has finished: ending the process then loses nothing. */
exports.over = false;
