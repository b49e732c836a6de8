/**
 * A small substitute for mocha, so that the project does not depend on it. It has the file names of mocha 8 to 11. Its runners register with the
 * process, emit events and pass on tests, hooks and messages of other processes like mocha's.
 */
export const MOCHA: Readonly<Record<string, string>> = {
  "node_modules/mocha/bin/mocha.js": `
    const { load } = require("../lib/load.js");
    const Parallel = require("../lib/nodejs/parallel-buffered-runner.js");
    const Runner = require("../lib/runner.js");
    const flags = process.argv.slice(2).filter((arg) => arg.startsWith("--"));
    const files = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
    const has = (flag) => flags.includes(flag);
    const Chosen = has("--parallel") ? Parallel : Runner;
    const suite = load(has("--parallel") ? [] : files);
    const runner = new Chosen(suite, { dryRun: has("--dry-run"), delay: has("--delay") });
    for (const type of ["pass", "fail", "pending"])
      runner.on(type, (runnable) => console.log(type, runnable.title));
    runner.run(
      (failures) => {
        if (has("--exit")) process.exit(failures);
        process.on("exit", () => { process.exitCode = failures; });
      },
      { files },
    );`,
  "node_modules/mocha/index.js": `
    exports.Runner = require("./lib/runner.js");
    exports.load = require("./lib/load.js").load;`,
  "node_modules/mocha/lib/load.js": `
    const { resolve } = require("path");
    class Runnable {
      constructor(type, title, fn, parent, file) {
        Object.assign(this, { type, title, fn, parent, file, ctx: {}, retries: 0 });
      }
      titlePath() { return this.parent.titlePath().concat(this.title); }
    }
    class Suite {
      constructor(title, parent, file) {
        Object.assign(this, { title, parent, file, suites: [], tests: [], hooks: [], root: !parent });
      }
      titlePath() { return this.root ? [] : this.parent.titlePath().concat(this.title); }
    }
    exports.Runnable = Runnable;
    exports.load = (files) => {
      const root = new Suite("", null, undefined);
      let suite = root;
      for (const file of files.map((name) => resolve(name))) {
        global.describe = (title, fn) => {
          const outer = suite;
          suite = new Suite(title, outer, file);
          outer.suites.push(suite);
          fn();
          suite = outer;
        };
        global.it = (title, fn) => {
          const test = new Runnable("test", title, fn, suite, file);
          suite.tests.push(test);
          return test;
        };
        for (const [name, title] of [["before", "before all"], ["beforeEach", "before each"], ["afterEach", "after each"]])
          global[name] = (fn) => {
            const hook = new Runnable("hook", '"' + title + '" hook', fn, suite, suite.file);
            hook.originalTitle = hook.title;
            suite.hooks.push(hook);
          };
        require(file);
      }
      return root;
    };`,
  "node_modules/mocha/lib/runner.js": `
    "use strict";
    const { EventEmitter } = require("events");
    const { Runnable } = require("./load.js");
    module.exports = class Runner extends EventEmitter {
      constructor(suite, options) {
        super();
        Object.assign(this, { suite, _opts: options, failures: 0 });
        this.uncaught = this._uncaught.bind(this);
      }
      grepTotal() { return 1; }
      fail(runnable) {
        this.failures += 1;
        this.emit("fail", runnable, new Error("failed"));
      }
      _uncaught() {
        this.fail(new Runnable(undefined, "Uncaught error outside test suite", null, this.suite, undefined));
      }
      run(done) {
        process.on("uncaughtException", this.uncaught);
        if (this._opts.delay) this.emit("waiting");
        setImmediate(async () => {
          this.emit("start");
          await this.runSuite(this.suite);
          this.emit("end");
          process.removeListener("uncaughtException", this.uncaught);
          done(this.failures);
        });
        return this;
      }
      async runSuite(suite) {
        if (!(await this.hook(suite, "before all"))) return;
        for (const test of suite.tests) if (!(await this.runTest(suite, test))) return;
        for (const child of suite.suites) await this.runSuite(child);
      }
      async hook(suite, title, test) {
        for (const hook of suite.hooks.filter(({ originalTitle }) => originalTitle.includes(title))) {
          hook.ctx.currentTest = test || suite.tests[0];
          if (this._opts.dryRun || (await hook.fn()) !== false) continue;
          this.fail(hook);
          return false;
        }
        return true;
      }
      async runTest(suite, test) {
        if (!test.fn) return this.emit("pending", test), true;
        this.emit("test", test);
        for (let at = suite; at; at = at.parent) if (!(await this.hook(at, "before each", test))) return false;
        for (let left = test.retries; ; left -= 1) {
          if (this._opts.dryRun || (await test.fn()) !== false) this.emit("pass", test);
          else if (left === 0) this.fail(test);
          else { this.emit("retry", test); continue; }
          break;
        }
        this.emit("test end", test);
        return this.hook(suite, "after each", test);
      }
    };`,
  "node_modules/mocha/lib/nodejs/parallel-buffered-runner.js": `
    "use strict";
    const { fork } = require("child_process");
    const Runner = require("../runner.js");
    module.exports = class ParallelBufferedRunner extends Runner {
      run(done, { files }) {
        (async () => {
          process.once("SIGINT", () => {});
          this.emit("start");
          for (const file of files) {
            const events = await new Promise((resolve) => {
              const worker = fork(require.resolve("./worker.js"), [file]);
              worker.on("message", resolve);
              worker.on("exit", () => resolve(null));
            });
            if (events === null) this.uncaught();
            for (const { type, data, path } of events || []) {
              if (type === "fail") this.failures += 1;
              this.emit(type, { ...data, parent: {}, ctx: {}, titlePath: () => path });
            }
          }
          this.emit("end");
          done(this.failures);
        })();
        return this;
      }
    };`,
  "node_modules/mocha/lib/nodejs/worker.js": `
    const { load } = require("../load.js");
    const Runner = require("../runner.js");
    const runner = new Runner(load([process.argv[2]]), {});
    const events = [];
    for (const type of ["pass", "fail", "pending", "retry"])
      runner.on(type, ({ title, type: kind, file, ...runnable }) => {
        const path = runnable.parent.titlePath().concat(title);
        events.push({ type, data: { title, type: kind, file }, path });
      });
    runner.run(() => process.send(events, () => process.exit(0)));`,
};
