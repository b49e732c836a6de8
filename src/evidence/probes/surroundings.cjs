// Removes the probes' environment from this process, and adds it again for child processes that need it.
"use strict";

const { env } = process;
const OURS = /^AGENT_FOREMAN_/;
/** Our values for variables that have others as well, with their separator. */
const { first, assigned } = JSON.parse(env.AGENT_FOREMAN_PUT || '{"first":{},"assigned":"(?!)"}');
const kept = {};
let isConcealed = false;

exports.put = (name, value) => {
  if (isConcealed) kept[name] = value;
  else env[name] = value;
};

/** A test, and everything it starts, runs without our variables. */
exports.conceal = () => {
  isConcealed = true;
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (OURS.test(name)) {
      kept[name] = value;
      delete env[name];
    } else if (isOurs(name, value)) {
      kept[name] = value;
      env[name] = value.slice(first[name].length);
      if (env[name] === "") delete env[name];
    }
  }
};

function isOurs(name, value) {
  const before = Object.prototype.hasOwnProperty.call(first, name) ? first[name] : null;
  return before !== null && (value.startsWith(before) || value === before.slice(0, -1));
}

/** Changes the options of child processes before they start. */
function beforeSpawn(change) {
  const { prototype } = require("child_process").ChildProcess;
  const { spawn } = prototype;
  const value = function (options) {
    try {
      change(options);
    } catch {
      // Then it starts unchanged.
    }
    return Reflect.apply(spawn, this, arguments);
  };
  Object.defineProperty(prototype, "spawn", { value, configurable: true, writable: true, enumerable: true });
}

exports.beforeSpawn = beforeSpawn;

/** Restores the variables that `conceal` removed. */
exports.reveal = (options) => {
  const names = Object.keys(kept);
  const others = options.envPairs.filter((pair) => !names.includes(pair.slice(0, pair.indexOf("="))));
  options.envPairs = others.concat(names.map((name) => `${name}=${kept[name]}`));
};

/** A script may set our variables itself; its values come after ours. */
exports.keepInScripts = () => {
  const put = (_, name) => `${name}='${first[name].replace(/'/g, `'\\''`)}'`;
  beforeSpawn(({ args }) => {
    if (args[1] === "-c") args[2] = args[2].replace(new RegExp(assigned, "g"), put);
  });
};
