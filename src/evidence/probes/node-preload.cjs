// NODE_OPTIONS loads this file into every Node process of a check. Most of them do not matter (npm, compilers, the product's own programs), so
// the probe leaves them alone immediately, and every error stays silent. Old versions of Node read this file too, hence the plain syntax. It
// avoids `worker_threads`, because loading that takes longer than everything here.
"use strict";

/** Runner programs that load tests, and so the product, into their own process. */
const RUNNER =
  /[\\/]node_modules[\\/](?:\.bin[\\/]_?(?:vitest|jest|mocha|ava|tap|tape|jasmine|uvu|qunit|lab)|(?:vitest|jest|jest-cli|mocha|ava|tap|tape|jasmine|uvu|qunit|@hapi[\\/]lab)[\\/](?!.*[\\/]node_modules[\\/]).*)$/;
/** Processes that runners start to load tests. Other programs use jest-worker too. */
const WORKER =
  /[\\/]node_modules[\\/](?:vitest|tinypool|jest-worker|mocha|ava)[\\/](?!.*[\\/]node_modules[\\/]).*$/;

const WITHIN_NODE_TEST = /node:internal\/test_runner\//;
const NODE_TEST = { within: WITHIN_NODE_TEST, watch: () => load("./node-test.cjs").watch(!isTestRunner()) };
/** For a file whose tests are reported by its parent process. */
const ASSERTIONS = { within: WITHIN_NODE_TEST, watch: () => load("./node-test.cjs").watchAssertions() };
const MOCHA = {
  within: /[\\/]mocha[\\/]lib[\\/](?:runner|nodejs[\\/]parallel-buffered-runner)\.js\b/,
  watch: () => load("./mocha.cjs").watch(),
};
/** The parallel runner listens to the second event. */
const MOCHA_LISTENS = new Set(["uncaughtException", "SIGINT"]);

/** Programs that run the scripts of a package. */
const LAUNCHER = /[\\/](?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:-cli)?(?:\.c?js)?$/;

/** The text of `-e`. It has no public name. */
const TEXT = "_eval";

try {
  // Threads end alone, and the runner that started them reports their tests.
  if (process.env.AGENT_FOREMAN_TESTS && !process.chdir.disabled) prepare(process.env, program());
} catch {
  // A process without a probe is better than one broken by a probe.
}

/** Loads one of our modules without leaving it in the module cache, where tests would find it. */
function load(name) {
  const loaded = require(name);
  for (const file of Object.keys(require.cache).filter((path) => path.startsWith(__dirname)))
    Object.defineProperty(require.cache, file, { enumerable: false });
  return loaded;
}

/** The main file; empty for text from the command line or standard input. */
function program() {
  const [, main] = process.argv;
  if (main === undefined || main === "-" || process[TEXT] !== undefined) return "";
  try {
    // Node accepts names without an ending, and folders.
    return require.resolve(main);
  } catch {
    return main;
  }
}

function prepare(env, main) {
  // Runners below a reporting runner (fixtures, tests of tools) belong to the test that started them.
  const isReported = env.AGENT_FOREMAN_RUNNER !== undefined || env.NODE_TEST_CONTEXT !== undefined;
  if (isTestProcess(env, main)) {
    if (env.AGENT_FOREMAN_RUNNER === undefined) env.AGENT_FOREMAN_MAIN = String(process.pid);
    load("./exits.cjs").watch(main);
  } else if (isOutermost(env) && load("./places.cjs").isOfTree(main)) {
    env.AGENT_FOREMAN_SCRIPT = String(process.pid);
    if (load("./places.cjs").mayCheck(main)) load("./exits.cjs").watch(main);
  }
  if (isReported) {
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
  // Without child processes for its tests, it loads this file only after it has started.
  if (isTestRunner()) lookForTests("beforeExit");
}

/** Null: another program. */
function runnerWithArguments(main) {
  if (/[\\/](?:\.bin[\\/]|vitest[\\/])vitest(?:\.mjs)?$/.test(main)) return "vitest";
  return /[\\/](?:\.bin|jest(?:-cli)?[\\/]bin)[\\/]jest(?:\.js)?$/.test(main) ? "jest" : null;
}

function conceal() {
  // These read the environment when they are loaded.
  for (const name of ["./report.cjs", "./places.cjs"]) load(name);
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
 * Whether tests run in this process, so that only they may end it. A process that a test starts does not count, even if its file is in a test
 * folder: the product may stop a server in `test/` with a signal.
 */
function isTestProcess(env, main) {
  const parent = String(process.ppid);
  if (env.AGENT_FOREMAN_RUNNER !== undefined)
    return env.AGENT_FOREMAN_RUNNER === parent && (env.NODE_TEST_CONTEXT !== undefined || WORKER.test(main));
  if (env.AGENT_FOREMAN_MAIN !== undefined) return env.AGENT_FOREMAN_MAIN === parent && RUNNER.test(main);
  return RUNNER.test(main) || isTestRunner() || (main !== "" && load("./places.cjs").isTestProgram(main));
}

/** Whether no test or runner started this process. Below a program without a test name, those with one still count. */
function isOutermost(env) {
  const names = ["RUNNER", "MAIN", "SCRIPT"];
  return names.every((name) => env[`AGENT_FOREMAN_${name}`] === undefined) && !env.NODE_TEST_CONTEXT;
}

/**
 * node:test offers no way to add a reporter from inside. Reporter options of a command line add up with those of NODE_OPTIONS, so a command
 * with its own reporter would fail; in mocha one reporter replaces the other. But both register with the process before anything is reported:
 * node:test when it creates its root, mocha's runner when it begins.
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
  // Frozen intrinsics keep it at ten, which is enough for most stacks.
  const { stackTraceLimit } = Error;
  const deep = Reflect.set(Error, "stackTraceLimit", 60);
  const text = String(new Error("who").stack);
  if (deep) Error.stackTraceLimit = stackTraceLimit;
  return text;
}
