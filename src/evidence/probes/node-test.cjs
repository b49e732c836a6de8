// Listens to the events of node:test, whatever the reporter. Its stream has no public name, so the probe waits for its first event.
"use strict";

const { sep } = require("path");
const { Readable } = require("stream");
const assertions = require("./assertions.cjs");
const { failureOf } = require("./messages.cjs");
const places = require("./places.cjs");
const reporter = require("./report.cjs");

/** The names of the open tests by depth. Events of one depth arrive in order, however the tests ran. */
const path = [];

exports.watch = (alone) => {
  reporter.begin("node:test", alone);
  meet(watchStream);
};

/** For a process whose tests are reported by another one. */
exports.watchAssertions = () => {
  meet((stream, parent) => {
    override(stream, "emit", function (type) {
      if (type === "test:pass") quietly(assertions.look);
      return Reflect.apply(parent.emit, this, arguments);
    });
  });
};

function meet(watch) {
  const inherited = Object.getPrototypeOf(Readable.prototype);
  // Slows other streams down, but only until the first event, which comes immediately.
  override(Readable.prototype, "emit", function (type) {
    if (typeof type === "string" && type.startsWith("test:") && this.constructor.name === "TestsStream") {
      delete Readable.prototype.emit;
      const stream = Object.getPrototypeOf(this);
      watch(stream, Readable.prototype);
      return Reflect.apply(stream.emit, this, arguments);
    }
    return Reflect.apply(inherited.emit, this, arguments);
  });
}

function watchStream(stream, parent) {
  override(stream, "emit", function (type, data) {
    // The stream of tests that a name pattern leaves out has no listeners.
    quietly(() => this.eventNames().length > 0 && hear(type, data));
    return Reflect.apply(parent.emit, this, arguments);
  });
  const { end } = stream;
  override(stream, "end", function () {
    quietly(() => this.eventNames().length > 0 && reporter.end("node:test"));
    return Reflect.apply(end, this, arguments);
  });
}

function override(object, name, value) {
  Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
}

function quietly(action) {
  try {
    action();
  } catch {
    // The tests run on without the probe.
  }
}

function hear(type, data) {
  if (type === "test:start") {
    path.length = data.nesting;
    path[data.nesting] = data.name;
  } else if (type === "test:pass" || type === "test:fail") {
    const status = statusOf(type, data);
    if (status === "passed") assertions.look();
    if (status === null) return;
    const names = path.slice(0, data.nesting).concat(data.name);
    const suite = places.suiteOf(data.file);
    const failure = status === "failed" ? failureOf(causeOf(data.details.error)) : {};
    const entry = isFile(data)
      ? reporter.test("", suite, status, failure)
      : reporter.test(suite, names.join(" > "), status, failure);
    reporter.report(entry);
  }
}

/**
 * A file without any reported test is a test itself, also if the product ended its process early. It must not count among the file's own
 * tests, so it is reported beside the suite, not in it.
 */
function isFile({ name, nesting, file }) {
  return nesting === 0 && Boolean(file) && (file === name || file.endsWith(sep + name));
}

/** Null: a group, which is not a test itself; its tests report. */
function statusOf(type, data) {
  const details = data.details || {};
  // A missing reason appears as `true` or as an empty text.
  const left = isSet(data.skip) || isSet(data.todo);
  if (details.type === "suite" && !left) {
    const failure = details.error && details.error.failureType;
    return type === "test:fail" && failure !== "subtestsFailed" ? "failed" : null;
  }
  // A todo test counts for nothing, whether it passes or not.
  if (left) return "skipped";
  return type === "test:pass" ? "passed" : "failed";
}

/** The error that the test threw, without node:test's wrapper. */
function causeOf(error) {
  return error && error.code === "ERR_TEST_FAILURE" && error.cause ? error.cause : error;
}

function isSet(directive) {
  return directive !== undefined && directive !== false && directive !== null;
}
