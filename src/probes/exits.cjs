// Who ends a process in which tests run as if all were well. Loaded only there.
"use strict";

// Taken now: tests put their own functions in place of these.
const { readFileSync, realpathSync } = require("fs");
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

/** A function of the product's that Node asks about an error that nobody caught: it came back, so the error ended nothing. */
function telling(action, file) {
  return function () {
    const result = Reflect.apply(action, this, arguments);
    tellExit(file);
    return result;
  };
}

/** The same function, unless it is given by the product. */
function watched(action) {
  try {
    const file = typeof action === "function" ? callerOfProduct() : null;
    return file === null ? action : telling(action, file);
  } catch {
    return action;
  }
}

/** Domains take theirs from the process as well, when they are loaded. */
function watchCapture() {
  const { setUncaughtExceptionCaptureCallback: set } = process;
  if (typeof set !== "function") return;
  process.setUncaughtExceptionCaptureCallback = function setUncaughtExceptionCaptureCallback(capture) {
    return Reflect.apply(set, this, [watched(capture)]);
  };
}

/** What Node calls for each error that nobody caught. It has no name but this. */
const FATAL = "_fatalException";

function watchFatal() {
  let action = process[FATAL];
  Object.defineProperty(process, FATAL, {
    configurable: true,
    enumerable: true,
    get: () => action,
    set: (next) => {
      action = watched(next);
    },
  });
}

/** Listeners that nobody saw come were written into the list by hand. */
function watchUnseen() {
  const seen = new WeakSet(process.listeners("uncaughtException"));
  process.on("newListener", (event, listener) => {
    if (event === "uncaughtException") seen.add(listener);
  });
  process.on("uncaughtExceptionMonitor", () => {
    try {
      const unseen = process.listeners("uncaughtException").filter((listener) => !seen.has(listener));
      for (const listener of unseen) tellExit(writerOf(String(listener)));
    } catch {
      // Then nobody is named.
    }
  });
}

/** The file of the product in which a function stands: the function does not know. */
function writerOf(text) {
  const stands = (file) =>
    places.productFile(file) !== null && !isMain(file) && readFileSync(file, "utf8").includes(text);
  return Object.keys(require.cache).find(stands) || null;
}

exports.watch = () => {
  watchReallyExit();
  watchListeners();
  watchCapture();
  watchFatal();
  watchUnseen();
};
