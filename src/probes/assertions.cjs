// Whether assertions are still what they were before the product was loaded.
"use strict";

const assert = require("assert");
const teller = require("./tell.cjs");

const { getOwnPropertyDescriptor, keys } = Object;

const kept = [
  ["node:assert", assert],
  ["node:assert/strict", assert.strict],
  ["node:assert", assert.Assert && assert.Assert.prototype],
].flatMap(([of, owner]) => keys(owner || {}).map((name) => ({ of, owner, name, was: valueOf(owner, name) })));
/** By each of their names: what is asked for may be told from the name alone. */
const NAMES = ["assert", "node:assert", "assert/strict", "node:assert/strict"];
const given = new Map(NAMES.map((name) => [name, get(name)]));
let isTold = false;

/** Not every version of Node has each of them. */
function get(name) {
  try {
    return require(name);
  } catch {
    return null;
  }
}

/** What can only be read by running something is left alone. */
function valueOf(owner, name) {
  const property = getOwnPropertyDescriptor(owner, name);
  return property === undefined || !("value" in property) ? null : property.value;
}

/** Nobody is named: who tests on the base is the same, and what is so there as well is how these tests are. */
exports.look = () => {
  if (isTold) return;
  const replaced = kept.find(({ owner, name, was }) => valueOf(owner, name) !== was);
  if (replaced === undefined && NAMES.every((name) => get(name) === given.get(name))) return;
  isTold = true;
  teller.tell({ exit: { file: replaced ? `${replaced.of} ${replaced.name}` : "node:assert" } });
};
