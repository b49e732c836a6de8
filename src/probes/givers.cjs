// Who of the product may have given a function to Node, where nobody can be asked: by what the sources say.
"use strict";

// Taken now: tests put their own functions in place of these.
const { readFileSync, realpathSync } = require("fs");
const Module = require("module");
const { isAbsolute } = require("path");
const process = require("process");
const places = require("./places.cjs");

/** The function itself, not a call of it. */
const HANDED_OVER = /\b(?:exit|reallyExit)\b(?!\s*\(|["'`:])/;
const CALLED = /\b(?:exit|reallyExit)\b/;
const TAKEN_BACK = /\bexitCode\s*=(?!=)\s*(?:0|null|undefined|void|["'`])|delete\s+process\.exitCode/;

let main = "";

exports.begin = (file) => {
  main = file;
};

exports.isText = () => main === "";

/** The file, if it is one of the product and not the program itself. */
exports.named = (file) => {
  const product = places.productFile(file);
  return product === null || isMain(product) ? null : product;
};

/** A package may have another program take its place in its own process, as ts-node does: both are the main one. */
function isMain(file) {
  const mains = places.isOfTree(main) ? [main] : [main, process.argv[1]];
  return mains.some((path) => path && (file === path || file === real(path)));
}

function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Null where a test, the program or a package has the same: it may be theirs as well. */
function only(matches) {
  const found = loaded().filter((file) => matches(readFileSync(file, "utf8")));
  const named = found.map(exports.named);
  return named.includes(null) ? null : named[0] || null;
}

function loaded() {
  const files = Object.keys(require.cache).filter(
    (file) => !file.startsWith(__dirname) && /\.[cm]?[jt]s$/.test(file),
  );
  return isReadable(main) && !files.includes(main) ? [main, ...files] : files;
}

function isReadable(file) {
  try {
    return file !== "" && readFileSync(file).length > 0;
  } catch {
    return false;
  }
}

/** Who has Node itself call `process.exit`. */
exports.handedOver = () =>
  only((text) => HANDED_OVER.test(text)) ||
  (Error.stackTraceLimit ? null : only((text) => CALLED.test(text)));

/** Who made a success of a failure's code. */
exports.takerBack = () => only((text) => TAKEN_BACK.test(text));

/** Who put something that Node did not load in the place of a file of the tests. */
exports.standIn = () => {
  const isOfTests = (file) => places.isOfTree(file) && places.productFile(file) === null && isReadable(file);
  const found = Object.keys(require.cache).some(
    (file) => !(require.cache[file] instanceof Module) && isAbsolute(file) && isOfTests(file),
  );
  return found ? only((text) => /\b(?:require\.cache|_cache)\b/.test(text)) : null;
};

/** Who made a property of the global object by hand. */
exports.definer = (name) => {
  const named = new RegExp(`["'\`]${name}["'\`]\\s*,|\\b${name}["'\`]?\\s*:\\s*\\{`);
  return only((text) => /\bdefinePropert(?:y|ies)\b/.test(text) && named.test(text));
};

/** The file of the product in which a function stands, and beside it the name that it is put in for: the function does not know. */
exports.writerOf = (action, name) => {
  if (typeof action !== "function") return null;
  const stands = String(action);
  // As what something is assigned to, or as the name of a property that is defined.
  const named = new RegExp(`\\b${name}["'\`]?\\]?\\s*(?:=(?!=)|,)`);
  return only((text) => text.includes(stands) && named.test(text));
};
