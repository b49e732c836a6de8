// The environment as it would be without the probes, and with them again for the processes that need them.
"use strict";

const { env } = process;
const OURS = /^AGENT_FOREMAN_/;
/** What we put in front of variables that have other values as well, with what separates the two. */
const { first, assigned } = JSON.parse(env.AGENT_FOREMAN_PUT || '{"first":{},"assigned":"(?!)"}');
const kept = {};
let isConcealed = false;

exports.put = (name, value) => {
  if (isConcealed) kept[name] = value;
  else env[name] = value;
};

/** Whatever a test starts is its own business: neither it nor the test needs anything of ours. */
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

/** Changes what is started from here, before it is. */
function beforeSpawn(change) {
  const { prototype } = require("child_process").ChildProcess;
  const { spawn } = prototype;
  const value = function (options) {
    try {
      change(options);
    } catch {
      // Then it is started as it is.
    }
    return Reflect.apply(spawn, this, arguments);
  };
  Object.defineProperty(prototype, "spawn", { value, configurable: true, writable: true, enumerable: true });
}

exports.beforeSpawn = beforeSpawn;

/** With what `conceal` took away. */
exports.reveal = (options) => {
  const names = Object.keys(kept);
  const others = options.envPairs.filter((pair) => !names.includes(pair.slice(0, pair.indexOf("="))));
  options.envPairs = others.concat(names.map((name) => `${name}=${kept[name]}`));
};

/** A script may give variables of ours other values: these come after ours. */
exports.keepInScripts = () => {
  const put = (_, name) => `${name}='${first[name].replace(/'/g, `'\\''`)}'`;
  beforeSpawn(({ args }) => {
    if (args[1] === "-c") args[2] = args[2].replace(new RegExp(assigned, "g"), put);
  });
};
