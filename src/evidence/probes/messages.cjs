// The full message of a failed test. Secrets are removed before it is shortened, because half a secret would not be recognized.
"use strict";

// Taken now, because tests replace these functions.
const { inspect } = require("util");
const { LONGEST_TEXT } = require("./report.cjs");

/** Runs no product code: no getters, proxy traps or custom inspection. */
const PLAINLY = {
  breakLength: Infinity,
  customInspect: false,
  depth: 4,
  maxArrayLength: 20,
  maxStringLength: LONGEST_TEXT,
  showProxy: true,
};

/** The message of an error or another thrown value, and the two values that an assertion compared. */
exports.failureOf = (error) => {
  try {
    if (error === null || typeof error !== "object") return { message: show(error) };
    const message = show(typeof error.message === "string" ? error.message : error);
    if (!("expected" in error && "actual" in error)) return { message };
    const generated = error.generatedMessage === true;
    return { message, compared: { expected: show(error.expected), actual: show(error.actual), generated } };
  } catch {
    return {};
  }
};

/** The message at the start of a text that continues with a stack. */
exports.failureIn = (text) => {
  const stack = /^[ \t]+at /m.exec(text);
  return { message: stack === null ? text : text.slice(0, stack.index) };
};

/** Some runners pass values as text. */
function show(value) {
  return typeof value === "string" ? value : inspect(value, PLAINLY);
}
