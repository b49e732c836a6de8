// Who ends a process in which tests run as if all were well. Loaded only there.
"use strict";

// Taken now: tests put their own functions in place of these.
const { isAbsolute, sep } = require("path");
const process = require("process");
const assertions = require("./assertions.cjs");
const givers = require("./givers.cjs");
const listeners = require("./listeners.cjs");
const places = require("./places.cjs");
const teller = require("./tell.cjs");

const { defineProperty, getOwnPropertyDescriptor } = Object;
/** Jest puts a function of its own in front of `process.exit`. */
const IN_BETWEEN = /[\\/]node_modules[\\/](?:@jest[\\/]|jest-)/;

/** Of texts that were given to Node to run. Others, made by programs, act for whoever made them. */
const GIVEN = /^\[(?:eval|stdin)/;
const isFile = (name) => name.startsWith("file:") || isAbsolute(name);

/** The file that called, if it is one of the product and not the program itself; null: nobody to be named. */
function callerOfProduct() {
  const names = callers();
  const file = names === null ? undefined : names.find(acts);
  return file === undefined || !isFile(file) ? null : givers.named(file);
}

function acts(name) {
  if (!name || name.startsWith(__dirname + sep) || IN_BETWEEN.test(name)) return false;
  return isFile(name) || (givers.isText() && GIVEN.test(name));
}

/** As above, or who may have handed over what Node calls with nobody else around. */
function leaverOfProduct() {
  const names = callers();
  return names !== null && names.some(acts) ? callerOfProduct() : givers.handedOver();
}

/** Null: the product does not let anybody know. */
function callers() {
  const kept = ["stackTraceLimit", "prepareStackTrace"].map((name) => [
    name,
    getOwnPropertyDescriptor(Error, name),
  ]);
  const put = (name, value) => defineProperty(Error, name, { value, writable: true, configurable: true });
  try {
    put("stackTraceLimit", 60);
    // Texts cannot be relied on: source maps and tests' own functions change them.
    put("prepareStackTrace", (_error, sites) => sites.map((site) => site.getFileName()));
    const { stack } = new Error("who");
    // Where the product is asked for a trace, another is made as a text.
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
    // Then it could not be changed before.
  }
}

function tellExit(file) {
  if (file !== null && !teller.over) teller.tell({ exit: { file } });
}

/** What is to be there when the process ends. */
const ours = { exit: process.exit, emit: process.emit };

/** `process.exit` ends here as well, and stays what tests expect it to be. */
function watchReallyExit() {
  const { reallyExit } = process;
  process.reallyExit = function (code) {
    try {
      if (!Number(code)) tellExit(leaverOfProduct());
    } catch {
      // Then it exits untold.
    }
    return Reflect.apply(reallyExit, process, arguments);
  };
  ours.reallyExit = process.reallyExit;
}

/** Another program in the place of this one, in versions of Node that have that. */
function watchExec() {
  const { execve } = process;
  if (typeof execve !== "function") return;
  process.execve = function () {
    try {
      tellExit(callerOfProduct());
    } catch {
      // Then it is gone untold.
    }
    return Reflect.apply(execve, process, arguments);
  };
}

const OF_ENDS = new Set(["beforeExit", "exit"]);
const OF_ERRORS = new Set(["uncaughtException", "unhandledRejection"]);

/**
 * Listeners of the product's that make a failure a success: while the process ends, for a code cannot be watched otherwise, or by hearing
 * of an error that nobody caught, which would have ended it.
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

/** An error that nobody caught gives a code to the event alone: then nothing is success but a zero. */
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
      tellExit(files.get(event));
    return heard;
  };
  ours.emit = process.emit;
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
  listeners.on("newListener", (event, listener) => {
    if (event === "uncaughtException") seen.add(listener);
  });
  listeners.on("uncaughtExceptionMonitor", () => {
    try {
      const unseen = process.listeners("uncaughtException").filter((listener) => !seen.has(listener));
      for (const listener of unseen) tellExit(givers.writerOf(listener, "uncaughtException"));
    } catch {
      // Then nobody is named.
    }
  });
}

/** A code that the program gave itself, and that is gone at the end. It cannot be watched: it is looked at once the program is through. */
function watchCode() {
  let given = 0;
  const look = () => {
    given = given || Number(process.exitCode) || 0;
  };
  // At once, and where the program is a module of the newer kind.
  process.nextTick(look);
  setImmediate(look).unref();
  return (code) => given !== 0 && !Number(code);
}

/** Another `process` for all who ask for it by its name alone: who put it in, if it is there still. */
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
          // Then nobody is named.
        }
      },
    });
  return () => {
    const now = globalThis.process;
    if (now === process) return null;
    return now === put.process ? put.file : givers.definer("process");
  };
}

/** Functions that the product has put in place of those by which a process ends. */
function watchEnd() {
  const isGone = watchCode();
  const other = watchGlobal();
  listeners.on("exit", (code) => {
    try {
      assertions.look();
      if (isGone(code)) tellExit(givers.takerBack());
      if (!Number(code)) tellExit(other() || givers.standIn());
      for (const name of Object.keys(ours)) {
        const now = process[name];
        if (now !== ours[name] && (name !== "exit" || !Number(code))) tellExit(givers.writerOf(now, name));
      }
    } catch {
      // Then nobody is named.
    }
  });
}

/** `main` is the program's file; empty: a text. */
exports.watch = (main) => {
  givers.begin(main);
  watchReallyExit();
  watchExec();
  watchListeners();
  watchCapture();
  watchFatal();
  watchUnseen();
  // A runner tells of its tests whatever becomes of the process, and tests count listeners.
  if (places.isOfTree(main) && process.env.NODE_TEST_CONTEXT === undefined) watchEnd();
};
