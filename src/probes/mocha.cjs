// What mocha's runner emits, also the one that has its files run by other processes: it emits what they heard. Neither has a
// name that could be asked for from here, so that it is met at its first event.
"use strict";

const { EventEmitter } = require("events");
const assertions = require("./assertions.cjs");
const { failureOf } = require("./messages.cjs");
const places = require("./places.cjs");
const teller = require("./tell.cjs");

const STATUSES = { pass: "passed", fail: "failed", pending: "skipped" };

/** The runner that is under way. Those that its tests run, as tests of reporters do, are the tests' own business. */
let current = null;
let failedElsewhere = false;

exports.watch = () => {
  const inherited = EventEmitter.prototype.emit;
  let isMet = false;
  // All that emits is slowed down from here to the first event only, which comes at once.
  EventEmitter.prototype.emit = function firstEvent(type) {
    if (!isMet && isFirst(type) && typeof this.grepTotal === "function") {
      isMet = true;
      // Who has put theirs before it since keeps it.
      if (EventEmitter.prototype.emit === firstEvent) EventEmitter.prototype.emit = inherited;
      watchRunners(prototypeOf(this));
      return Reflect.apply(this.emit, this, arguments);
    }
    return Reflect.apply(inherited, this, arguments);
  };
};

/** With `--delay` it waits for the tests before it starts. */
function isFirst(type) {
  return type === "start" || type === "waiting";
}

/** That of all its runners. */
function prototypeOf(runner) {
  let found = runner;
  while (!Object.prototype.hasOwnProperty.call(found, "grepTotal")) found = Object.getPrototypeOf(found);
  return found;
}

function watchRunners(prototype) {
  const { emit } = prototype;
  const value = function (type, runnable, error) {
    try {
      hear(this, type, runnable, error);
    } catch {
      // The tests go on as if nobody listened.
    }
    return Reflect.apply(emit, this, arguments);
  };
  Object.defineProperty(prototype, "emit", { value, configurable: true, writable: true, enumerable: false });
}

function hear(runner, type, runnable, error) {
  if (current === null && isFirst(type)) {
    current = runner;
    failedElsewhere = false;
    teller.begin("mocha");
  }
  if (runner !== current) return;
  assertions.look();
  if (type === "end") {
    current = null;
    if (!failedElsewhere) teller.end("mocha");
  } else if (Object.prototype.hasOwnProperty.call(STATUSES, type)) {
    const status = type === "pass" && isDry(runner) ? "skipped" : STATUSES[type];
    const results = resultsOf(runnable, status, type === "fail" ? failureOf(error) : {});
    if (results.length > 0) teller.tell(...results);
    else failedElsewhere = true;
  }
}

/** Then all tests pass, and none has run. */
function isDry({ _opts: options }) {
  return Boolean(options && options.dryRun);
}

/**
 * None of what failed outside of all tests, or in a place that is not known, such as a file that another process could not load. It
 * would be a test that is gone as soon as it is well; so nothing is told of it but that the runner did not get through.
 */
function resultsOf(runnable, status, failure) {
  const titles = runnable.titlePath();
  if (runnable.type === "test")
    return [teller.test(places.suiteOf(runnable.file), titles.join(" > "), status, failure)];
  if (runnable.type !== "hook") return [];
  // What a group's tests need, or leave behind: its name is told, as it is where node:test cannot begin one.
  const group = titles.slice(0, -1).join(" > ");
  if (group !== "") return [teller.test(places.suiteOf(runnable.file), group, status, failure)];
  return filesOf(runnable).map((file) => {
    const suite = places.suiteOf(file);
    return teller.test(suite, suite, status, failure);
  });
}

/** Those that a hook outside of all groups is for: it does not know its own. */
function filesOf({ ctx, parent, originalTitle }) {
  const test = ctx && ctx.currentTest;
  const ofEach = /^"(?:before|after) each"/.test(originalTitle || "");
  const concerned = ofEach && test ? [test] : [].concat(parent.suites || [], parent.tests || []);
  return [...new Set(concerned.map(({ file }) => file).filter(Boolean))];
}
