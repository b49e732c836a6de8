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
let isTold = false;

/** What can only be read by running something is left alone. */
function valueOf(owner, name) {
  const property = getOwnPropertyDescriptor(owner, name);
  return property === undefined || !("value" in property) ? null : property.value;
}

/** Nobody is named: who tests on the base is the same, and what is so there as well is how these tests are. */
exports.look = () => {
  if (isTold) return;
  const replaced = kept.find(({ owner, name, was }) => valueOf(owner, name) !== was);
  if (replaced === undefined && require("assert") === assert) return;
  isTold = true;
  teller.tell({ exit: { file: replaced ? `${replaced.of} ${replaced.name}` : "node:assert" } });
};
