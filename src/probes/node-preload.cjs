// Loaded by NODE_OPTIONS into every Node process of a check. Nearly all of them are none of our business (npm, compilers,
// the product's own programs): they have to be left as they are, at once, and whatever goes wrong here goes wrong silently.
// Old versions of Node read this file too, hence the plain syntax; and `worker_threads` is not asked, for loading it takes
// longer than all of this.
"use strict";

/** Programs of runners that load tests, and so the product, into their own process. */
const RUNNER =
  /[\\/]node_modules[\\/](?:\.bin[\\/]_?(?:vitest|jest|mocha|ava|tap|tape|jasmine|uvu|qunit|lab)|(?:vitest|jest|jest-cli|mocha|ava|tap|tape|jasmine|uvu|qunit|@hapi[\\/]lab)[\\/](?!.*[\\/]node_modules[\\/]).*)$/;
/** Processes that runners start to load tests. Others use jest-worker as well. */
const WORKER =
  /[\\/]node_modules[\\/](?:vitest|tinypool|jest-worker|mocha|ava)[\\/](?!.*[\\/]node_modules[\\/]).*$/;

const WITHIN_NODE_TEST = /node:internal\/test_runner\//;
const NODE_TEST = { within: WITHIN_NODE_TEST, watch: () => load("./node-test.cjs").watch(!isTestRunner()) };
/** Of a file whose tests the process that started it tells of. */
const ASSERTIONS = { within: WITHIN_NODE_TEST, watch: () => load("./node-test.cjs").watchAssertions() };
const MOCHA = {
  within: /[\\/]mocha[\\/]lib[\\/](?:runner|nodejs[\\/]parallel-buffered-runner)\.js\b/,
  watch: () => load("./mocha.cjs").watch(),
};
/** The second by the runner that has other processes run its files. */
const MOCHA_LISTENS = new Set(["uncaughtException", "SIGINT"]);

/** Programs that run the scripts of a package. */
const LAUNCHER = /[\\/](?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:-cli)?(?:\.c?js)?$/;

/** What `-e` gave. It has no name but this. */
const TEXT = "_eval";

try {
  // Threads are ended alone, and what runs in them is told by the runner that started them.
  if (process.env.AGENT_FOREMAN_TESTS && !process.chdir.disabled) prepare(process.env, program());
} catch {
  // A process without a probe is better than one that a probe broke.
}

/** A module of ours. It is not left among those that tests find. */
function load(name) {
  const loaded = require(name);
  for (const file of Object.keys(require.cache).filter((path) => path.startsWith(__dirname)))
    Object.defineProperty(require.cache, file, { enumerable: false });
  return loaded;
}

/** The file that was asked for; empty: a text of the command line, or what is read from the input. */
function program() {
  const [, main] = process.argv;
  if (main === undefined || main === "-" || process[TEXT] !== undefined) return "";
  try {
    // Node is given names without an ending, and folders.
    return require.resolve(main);
  } catch {
    return main;
  }
}

function prepare(env, main) {
  // Below a runner that tells its tests, others (fixtures, tests of tools) are the business of the test that started them.
  const told = env.AGENT_FOREMAN_RUNNER !== undefined || env.NODE_TEST_CONTEXT !== undefined;
  if (isTestProcess(env, main)) {
    if (env.AGENT_FOREMAN_RUNNER === undefined) env.AGENT_FOREMAN_MAIN = String(process.pid);
    load("./exits.cjs").watch(main);
  } else if (isOutermost(env) && load("./places.cjs").isOfTree(main)) {
    env.AGENT_FOREMAN_SCRIPT = String(process.pid);
    if (load("./places.cjs").mayCheck(main)) load("./exits.cjs").watch(main);
  }
  if (told) {
    if (env.NODE_TEST_CONTEXT !== undefined) load("./listeners.cjs").on("newListener", lookForAssertions);
    conceal();
    return;
  }
  const runner = runnerWithArguments(main);
  if (runner !== null) load("./runner-arguments.cjs")[runner]();
  if (RUNNER.test(main)) concealFromTests();
  if (LAUNCHER.test(main)) load("./surroundings.cjs").keepInScripts();
  if (runner !== null) return;
  load("./listeners.cjs").on("newListener", lookForTests);
  // Where it does not start processes for its tests, it loads us only when it is under way.
  if (isTestRunner()) lookForTests("beforeExit");
}

/** Null: another program. */
function runnerWithArguments(main) {
  if (/[\\/](?:\.bin[\\/]|vitest[\\/])vitest(?:\.mjs)?$/.test(main)) return "vitest";
  return /[\\/](?:\.bin|jest(?:-cli)?[\\/]bin)[\\/]jest(?:\.js)?$/.test(main) ? "jest" : null;
}

function conceal() {
  // They read the environment when they are loaded.
  for (const name of ["./tell.cjs", "./places.cjs"]) load(name);
  load("./surroundings.cjs").conceal();
}

/** A runner runs tests in its own process, or in others that it starts. */
function concealFromTests() {
  conceal();
  const { beforeSpawn, reveal } = load("./surroundings.cjs");
  beforeSpawn((options) => {
    if (options.args.some((arg) => WORKER.test(arg) || RUNNER.test(arg))) reveal(options);
  });
}

function isTestRunner() {
  return process.execArgv.includes("--test");
}

/**
 * Whether tests run in this very process, so that nobody but them may end it. A process that a test starts is not one, even
 * where it is a file of the tests: a server in `test/` that the product ends on a signal is as it should be.
 */
function isTestProcess(env, main) {
  const parent = String(process.ppid);
  if (env.AGENT_FOREMAN_RUNNER !== undefined)
    return env.AGENT_FOREMAN_RUNNER === parent && (env.NODE_TEST_CONTEXT !== undefined || WORKER.test(main));
  if (env.AGENT_FOREMAN_MAIN !== undefined) return env.AGENT_FOREMAN_MAIN === parent && RUNNER.test(main);
  return RUNNER.test(main) || isTestRunner() || (main !== "" && load("./places.cjs").isTestProgram(main));
}

/** Of all programs of the tree. Below one that is no test by its name, those that are still count. */
function isOutermost(env) {
  const names = ["RUNNER", "MAIN", "SCRIPT"];
  return names.every((name) => env[`AGENT_FOREMAN_${name}`] === undefined) && !env.NODE_TEST_CONTEXT;
}

/**
 * node:test has no way to add a reporter from within: the options of a command line add up with those of NODE_OPTIONS, so
 * that a command that names a reporter of its own would fail; and a reporter of mocha's takes the place of the other. But they
 * register with the process before anything is reported: node:test when its root is made, mocha's runner when it begins.
 */
function lookForTests(event) {
  meet(event === "beforeExit" ? NODE_TEST : MOCHA_LISTENS.has(event) ? MOCHA : null, lookForTests);
}

function lookForAssertions(event) {
  meet(event === "beforeExit" ? ASSERTIONS : null, lookForAssertions);
}

function meet(probe, listener) {
  try {
    if (probe === null || !probe.within.test(stack())) return;
    process.removeListener("newListener", listener);
    probe.watch();
  } catch {
    // As above.
  }
}

function stack() {
  // Frozen intrinsics leave it at ten, which is enough where it matters most.
  const { stackTraceLimit } = Error;
  const deep = Reflect.set(Error, "stackTraceLimit", 60);
  const text = String(new Error("who").stack);
  if (deep) Error.stackTraceLimit = stackTraceLimit;
  return text;
}
