// Finds product code that ends a test process with success. Loaded only in test processes.
"use strict";

// Taken now, because tests replace these functions.
const { isAbsolute, sep } = require("path");
const process = require("process");
const assertions = require("./assertions.cjs");
const givers = require("./givers.cjs");
const listeners = require("./listeners.cjs");
const places = require("./places.cjs");
const reporter = require("./report.cjs");

const { defineProperty, getOwnPropertyDescriptor } = Object;
/** Jest wraps `process.exit`. */
const IN_BETWEEN = /[\\/]node_modules[\\/](?:@jest[\\/]|jest-)/;

/** Text passed to Node to run. Text that a program creates acts for its creator. */
const GIVEN = /^\[(?:eval|stdin)/;
const isFile = (name) => name.startsWith("file:") || isAbsolute(name);

/** The calling file, if it is a product file and not the program itself; otherwise null. */
function callerOfProduct() {
  const names = callers();
  const file = names === null ? undefined : names.find(acts);
  return file === undefined || !isFile(file) ? null : givers.named(file);
}

function acts(name) {
  if (!name || name.startsWith(__dirname + sep) || IN_BETWEEN.test(name)) return false;
  return isFile(name) || (givers.isText() && GIVEN.test(name));
}

/** As above, or the file that may have passed the function that Node calls without a caller. */
function leaverOfProduct() {
  const names = callers();
  return names !== null && names.some(acts) ? callerOfProduct() : givers.handedOver();
}

/** Null: the product hides its callers. */
function callers() {
  const kept = ["stackTraceLimit", "prepareStackTrace"].map((name) => [
    name,
    getOwnPropertyDescriptor(Error, name),
  ]);
  const put = (name, value) => defineProperty(Error, name, { value, writable: true, configurable: true });
  try {
    put("stackTraceLimit", 60);
    // Stack text is unreliable, because source maps and tests' own functions change it.
    put("prepareStackTrace", (_error, sites) => sites.map((site) => site.getFileName()));
    const { stack } = new Error("who");
    // If the product requests a trace during this one, that trace is made as text.
    return Array.isArray(stack) ? stack : filesIn(String(stack));
  } catch {
    return null;
  } finally {
    for (const [name, was] of kept) restore(name, was);
  }
}

function filesIn(text) {
  return text.match(/(?<=\(|at )(?:file:\/\/|[A-Za-z]:\\|\/)[^\n()]+(?=:\d+:\d+)/g);
}

function restore(name, was) {
  try {
    if (was === undefined) delete Error[name];
    else defineProperty(Error, name, was);
  } catch {
    // Then it could not be changed before either.
  }
}

function reportExit(file) {
  if (file !== null && !reporter.over) reporter.report({ exit: { file } });
}

/** The functions expected at the end of the process. */
const ours = { exit: process.exit, emit: process.emit };

/** `process.exit` ends in this function too, and stays what tests expect. */
function watchReallyExit() {
  const { reallyExit } = process;
  process.reallyExit = function (code) {
    try {
      if (!Number(code)) reportExit(leaverOfProduct());
    } catch {
      // Then its exits are not reported.
    }
    return Reflect.apply(reallyExit, process, arguments);
  };
  ours.reallyExit = process.reallyExit;
}

const OF_ENDS = new Set(["beforeExit", "exit"]);
const OF_ERRORS = new Set(["uncaughtException", "unhandledRejection"]);

/**
 * Finds product listeners that turn a failure into a success. They do so while the process ends, because a code cannot be watched otherwise,
 * or by handling an uncaught error that would have ended it.
 */
function watchListeners() {
  const files = new Map();
  listeners.on("newListener", (event) => {
    if (!OF_ENDS.has(event) && !OF_ERRORS.has(event)) return;
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

/** An uncaught error passes its code only to the event. Then only a zero counts as success. */
function isTakenBack(before, given) {
  const { exitCode } = process;
  return Number(before) ? !Number(exitCode) : Boolean(Number(given)) && exitCode === 0;
}

function watchEvents(files) {
  const { emit } = process;
  process.emit = function (event, code) {
    const before = process.exitCode;
    const heard = Reflect.apply(emit, process, arguments);
    if (files.has(event) && (OF_ERRORS.has(event) || (OF_ENDS.has(event) && isTakenBack(before, code))))
      reportExit(files.get(event));
    return heard;
  };
  ours.emit = process.emit;
}

/** Wraps a product function that Node asks about an uncaught error. If it returns, the error did not end the process. */
function reporting(action, file) {
  return function () {
    const result = Reflect.apply(action, this, arguments);
    reportExit(file);
    return result;
  };
}

/** Returns functions of other files unchanged. */
function watched(action) {
  try {
    const file = typeof action === "function" ? callerOfProduct() : null;
    return file === null ? action : reporting(action, file);
  } catch {
    return action;
  }
}

/** Domains install their own from the process as well, when they are loaded. */
function watchCapture() {
  const { setUncaughtExceptionCaptureCallback: set } = process;
  if (typeof set !== "function") return;
  process.setUncaughtExceptionCaptureCallback = function setUncaughtExceptionCaptureCallback(capture) {
    return Reflect.apply(set, this, [watched(capture)]);
  };
}

/** Node calls this for each uncaught error. It has no public name. */
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

/** Listeners that were never added through the API were written into the list directly. */
function watchUnseen() {
  const seen = new WeakSet(process.listeners("uncaughtException"));
  listeners.on("newListener", (event, listener) => {
    if (event === "uncaughtException") seen.add(listener);
  });
  listeners.on("uncaughtExceptionMonitor", () => {
    try {
      const unseen = process.listeners("uncaughtException").filter((listener) => !seen.has(listener));
      for (const listener of unseen) reportExit(givers.writerOf(listener, "uncaughtException"));
    } catch {
      // Then no file is named.
    }
  });
}

/** A code that the program set and that is gone at the end. It cannot be watched, so it is read once the program has finished. */
function watchCode() {
  let given = 0;
  const look = () => {
    given = given || Number(process.exitCode) || 0;
  };
  // Immediately, for programs that are ES modules.
  process.nextTick(look);
  setImmediate(look).unref();
  return (code) => given !== 0 && !Number(code);
}

/** Looks for a replaced global `process`, and names the file that replaced it. */
function watchGlobal() {
  const put = { process, file: null };
  const property = getOwnPropertyDescriptor(globalThis, "process") || {};
  if (typeof property.set === "function" && property.configurable === true)
    defineProperty(globalThis, "process", {
      ...property,
      set(next) {
        property.set.call(this, next);
        put.process = next;
        put.file = null;
        try {
          put.file = callerOfProduct();
        } catch {
          // Then no file is named.
        }
      },
    });
  return () => {
    const now = globalThis.process;
    return now !== process && now === put.process ? put.file : null;
  };
}

/** Functions of the product in place of those that end a process. */
function watchEnd() {
  const isGone = watchCode();
  const other = watchGlobal();
  listeners.on("exit", (code) => {
    try {
      assertions.look();
      if (isGone(code)) reportExit(givers.takerBack());
      if (!Number(code)) reportExit(other() || givers.standIn());
      for (const name of Object.keys(ours)) {
        const now = process[name];
        if (now !== ours[name] && (name !== "exit" || !Number(code))) reportExit(givers.writerOf(now, name));
      }
    } catch {
      // Then no file is named.
    }
  });
}

/** `main` is the program's file; empty for text input. */
exports.watch = (main) => {
  givers.begin(main);
  watchReallyExit();
  watchListeners();
  watchCapture();
  watchFatal();
  watchUnseen();
  // A runner reports its tests however the process ends, and tests count listeners.
  if (places.isOfTree(main) && process.env.NODE_TEST_CONTEXT === undefined) watchEnd();
};
