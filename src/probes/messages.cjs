// Why a test failed, whole: secrets are taken out of it before it is shortened, and half a secret would not be recognized.
"use strict";

// Taken now: tests put their own functions in place of these.
const { inspect } = require("util");
const { LONGEST_TEXT } = require("./tell.cjs");

/** No code of the product runs for it: neither getters nor traps of proxies nor a way of its own to be shown. */
const PLAINLY = {
  breakLength: Infinity,
  customInspect: false,
  depth: 4,
  maxArrayLength: 20,
  maxStringLength: LONGEST_TEXT,
  showProxy: true,
};

/** The message of an error, or of another value that was thrown, and the two values that an assertion compared. */
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

/** The message at the start of a text that goes on with a stack. */
exports.failureIn = (text) => {
  const stack = /^[ \t]+at /m.exec(text);
  return { message: stack === null ? text : text.slice(0, stack.index) };
};

/** Some runners hand over values as texts. */
function show(value) {
  return typeof value === "string" ? value : inspect(value, PLAINLY);
}
