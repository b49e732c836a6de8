// Who ends a process in which tests run as if all were well. Loaded only there.
"use strict";

const { realpathSync } = require("fs");
const { sep } = require("path");
const places = require("./places.cjs");
const teller = require("./tell.cjs");

const MAIN = process.argv[1] || "";
/** Jest puts a function of its own in front of `process.exit`. */
const IN_BETWEEN = /[\\/]node_modules[\\/](?:@jest[\\/]|jest-)/;

/** The file that called, if it is one of the product and not the program itself; null: nobody to be named. */
function callerOfProduct() {
  const file = callers().find(
    (name) =>
      name && !name.startsWith("node:") && !name.startsWith(__dirname + sep) && !IN_BETWEEN.test(name),
  );
  const product = file ? places.productFile(file) : null;
  return product === null || isMain(product) ? null : product;
}

function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 60;
    // Texts cannot be relied on: source maps and tests' own functions change them.
    Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName());
    const { stack } = new Error("who");
    return Array.isArray(stack) ? stack : [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** A program may take the place of another in its own process, as ts-node does: both are the main one. */
function isMain(file) {
  return [MAIN, process.argv[1]].some((main) => main && (file === main || file === real(main)));
}

function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function tellExit(file) {
  if (file !== null && !teller.over) teller.tell({ exit: { file } });
}

/** `process.exit` ends here as well, and stays what tests expect it to be. */
function watchReallyExit() {
  const { reallyExit } = process;
  process.reallyExit = function (code) {
    try {
      if (!Number(code)) tellExit(callerOfProduct());
    } catch {
      // Then it exits untold.
    }
    return Reflect.apply(reallyExit, process, arguments);
  };
}

const OF_ERRORS = new Set(["uncaughtException", "unhandledRejection"]);

/**
 * Listeners of the product's that make a failure a success: while the process ends, for a code cannot be watched otherwise, or by hearing
 * of an error that nobody caught, which would have ended it.
 */
function watchListeners() {
  const files = new Map();
  process.on("newListener", (event) => {
    if (event !== "exit" && !OF_ERRORS.has(event)) return;
    try {
      const file = callerOfProduct();
      if (file === null) return;
      if (files.size === 0) watchEvents(files);
      files.set(event, file);
    } catch {
      // Then it is not watched.
    }
  });
}

function watchEvents(files) {
  const { emit } = process;
  process.emit = function (event, code) {
    const heard = Reflect.apply(emit, process, arguments);
    const ends = event === "exit" ? Number(code) && process.exitCode === 0 : OF_ERRORS.has(event);
    if (ends && files.has(event)) tellExit(files.get(event));
    return heard;
  };
}

exports.watch = () => {
  watchReallyExit();
  watchListeners();
};
