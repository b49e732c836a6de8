// What node:test reports, to whomever it reports. Its stream has no public name, so that it is met at its first event.
"use strict";

const { sep } = require("path");
const { Readable } = require("stream");
const assertions = require("./assertions.cjs");
const { failureOf } = require("./messages.cjs");
const places = require("./places.cjs");
const teller = require("./tell.cjs");

/** The names of the tests that are open, by depth. Events of one depth come in order, however tests ran. */
const path = [];

exports.watch = (alone) => {
  teller.begin("node:test", alone);
  meet(watchStream);
};

/** In a process whose tests another one tells of. */
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
  // Streams that are not the one are slowed down from here to the first event only.
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
    // Nobody listens to the stream that tests report to that a name pattern leaves out.
    quietly(() => this.eventNames().length > 0 && hear(type, data));
    return Reflect.apply(parent.emit, this, arguments);
  });
  const { end } = stream;
  override(stream, "end", function () {
    quietly(() => this.eventNames().length > 0 && teller.end("node:test"));
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
    // The tests go on as if nobody listened.
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
      ? teller.test("", suite, status, failure)
      : teller.test(suite, names.join(" > "), status, failure);
    teller.tell(entry);
  }
}

/**
 * A file that told of no test is a test itself, also where the product ended its process before it could tell. It must not
 * count for the file's own tests: so it is told beside the suite, not in it.
 */
function isFile({ name, nesting, file }) {
  return nesting === 0 && Boolean(file) && (file === name || file.endsWith(sep + name));
}

/** Null: a group of tests, which is none itself, and whose tests tell. */
function statusOf(type, data) {
  const details = data.details || {};
  // An absent reason is told as `true` or as an empty text.
  const left = isSet(data.skip) || isSet(data.todo);
  if (details.type === "suite" && !left) {
    const failure = details.error && details.error.failureType;
    return type === "test:fail" && failure !== "subtestsFailed" ? "failed" : null;
  }
  // What is still to be done counts for nothing, whether it passes or not.
  if (left) return "skipped";
  return type === "test:pass" ? "passed" : "failed";
}

/** The error that the test threw, without the wrapper of node:test. */
function causeOf(error) {
  return error && error.code === "ERR_TEST_FAILURE" && error.cause ? error.cause : error;
}

function isSet(directive) {
  return directive !== undefined && directive !== false && directive !== null;
}
