// Listens to mocha's runner, including the parallel one, which repeats the events of its worker processes. Neither is reachable by name from
// here, so the probe waits for its first event.
"use strict";

const { EventEmitter } = require("events");
const assertions = require("./assertions.cjs");
const { failureOf } = require("./messages.cjs");
const places = require("./places.cjs");
const reporter = require("./report.cjs");

const STATUSES = { pass: "passed", fail: "failed", pending: "skipped" };

/** The active runner. Tests of reporters start runners of their own, which do not count. */
let current = null;
let failedElsewhere = false;

exports.watch = () => {
  const inherited = EventEmitter.prototype.emit;
  let isMet = false;
  // Slows every `emit` down, but only until the first event, which comes immediately.
  EventEmitter.prototype.emit = function firstEvent(type) {
    if (!isMet && isFirst(type) && typeof this.grepTotal === "function") {
      isMet = true;
      // Keeps a later replacement by another party.
      if (EventEmitter.prototype.emit === firstEvent) EventEmitter.prototype.emit = inherited;
      watchRunners(prototypeOf(this));
      return Reflect.apply(this.emit, this, arguments);
    }
    return Reflect.apply(inherited, this, arguments);
  };
};

/** With `--delay` the runner waits for the tests before it starts. */
function isFirst(type) {
  return type === "start" || type === "waiting";
}

/** The prototype of all its runners. */
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
      // The tests run on without the probe.
    }
    return Reflect.apply(emit, this, arguments);
  };
  Object.defineProperty(prototype, "emit", { value, configurable: true, writable: true, enumerable: false });
}

function hear(runner, type, runnable, error) {
  if (current === null && isFirst(type)) {
    current = runner;
    failedElsewhere = false;
    reporter.begin("mocha");
  }
  if (runner !== current) return;
  assertions.look();
  if (type === "end") {
    current = null;
    if (!failedElsewhere) reporter.end("mocha");
  } else if (Object.prototype.hasOwnProperty.call(STATUSES, type)) {
    const status = type === "pass" && isDry(runner) ? "skipped" : STATUSES[type];
    const results = resultsOf(runnable, status, type === "fail" ? failureOf(error) : {});
    if (results.length > 0) reporter.report(...results);
    else failedElsewhere = true;
  }
}

/** In a dry run all tests pass without having run. */
function isDry({ _opts: options }) {
  return Boolean(options && options.dryRun);
}

/**
 * Reports no failure outside of all tests or in an unknown place, such as a file that another process could not load. It would count as a test
 * that vanishes once it is fixed. So the report only says that the runner did not finish.
 */
function resultsOf(runnable, status, failure) {
  const titles = runnable.titlePath();
  if (runnable.type === "test")
    return [reporter.test(places.suiteOf(runnable.file), titles.join(" > "), status, failure)];
  if (runnable.type !== "hook") return [];
  // A hook of a group counts under the group's name, as in node:test.
  const group = titles.slice(0, -1).join(" > ");
  if (group !== "") return [reporter.test(places.suiteOf(runnable.file), group, status, failure)];
  return filesOf(runnable).map((file) => {
    const suite = places.suiteOf(file);
    return reporter.test(suite, suite, status, failure);
  });
}

/** The files that a root-level hook applies to, because it does not know its own. */
function filesOf({ ctx, parent, originalTitle }) {
  const test = ctx && ctx.currentTest;
  const ofEach = /^"(?:before|after) each"/.test(originalTitle || "");
  const concerned = ofEach && test ? [test] : [].concat(parent.suites || [], parent.tests || []);
  return [...new Set(concerned.map(({ file }) => file).filter(Boolean))];
}
