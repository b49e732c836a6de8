// Searches the sources for product code that may have passed a function to Node. Used when the stack shows no caller.
"use strict";

// Taken now, because tests replace these functions.
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

/** The file, if it is a product file and not the program itself. */
exports.named = (file) => {
  const product = places.productFile(file);
  return product === null || isMain(product) ? null : product;
};

/** A package may run another program in its own process, as ts-node does. Both count as the main program. */
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

/** Null if a test, the program or a package contains the same code, because it may be theirs. */
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

/** The file that makes Node itself call `process.exit`. */
exports.handedOver = () =>
  only((text) => HANDED_OVER.test(text)) ||
  (Error.stackTraceLimit ? null : only((text) => CALLED.test(text)));

/** The file that turned a failure's code into a success. */
exports.takerBack = () => only((text) => TAKEN_BACK.test(text));

/** The file that replaced a test file with an object that Node did not load. */
exports.standIn = () => {
  const isOfTests = (file) => places.isOfTree(file) && places.productFile(file) === null && isReadable(file);
  const found = Object.keys(require.cache).some(
    (file) => !(require.cache[file] instanceof Module) && isAbsolute(file) && isOfTests(file),
  );
  return found ? only((text) => /\b(?:require\.cache|_cache)\b/.test(text)) : null;
};

/** The product file that contains a function, found by its text beside the name that it replaces. A function does not know its file. */
exports.writerOf = (action, name) => {
  if (typeof action !== "function") return null;
  const source = String(action);
  // As the target of an assignment, or the name of a defined property.
  const named = new RegExp(`\\b${name}["'\`]?\\]?\\s*(?:=(?!=)|,)`);
  return only((text) => text.includes(source) && named.test(text));
};
