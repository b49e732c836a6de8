// Checks whether assertions are still the same as before the product was loaded.
"use strict";

const assert = require("assert");
const reporter = require("./report.cjs");

const { getOwnPropertyDescriptor, keys } = Object;

const kept = [
  ["node:assert", assert],
  ["node:assert/strict", assert.strict],
  ["node:assert", assert.Assert && assert.Assert.prototype],
].flatMap(([of, owner]) => keys(owner || {}).map((name) => ({ of, owner, name, was: valueOf(owner, name) })));
/** Under each name, because a module hook may decide by the exact name. */
const NAMES = ["assert", "node:assert", "assert/strict", "node:assert/strict"];
const given = new Map(NAMES.map((name) => [name, get(name)]));
let isReported = false;

/** Some versions of Node lack some of them. */
function get(name) {
  try {
    return require(name);
  } catch {
    return null;
  }
}

/** Skips getters, because reading one would run code. */
function valueOf(owner, name) {
  const property = getOwnPropertyDescriptor(owner, name);
  return property === undefined || !("value" in property) ? null : property.value;
}

/** Names no file. If the run on the base reports the same, the tests themselves replace assertions. */
exports.look = () => {
  if (isReported) return;
  const replaced = kept.find(({ owner, name, was }) => valueOf(owner, name) !== was);
  if (replaced === undefined && NAMES.every((name) => get(name) === given.get(name))) return;
  isReported = true;
  reporter.report({ exit: { file: replaced ? `${replaced.of} ${replaced.name}` : "node:assert" } });
};
