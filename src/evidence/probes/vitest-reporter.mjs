// A vitest reporter that reads results at the end of a run: by module since version 3, by file before.
import { createRequire } from "node:module";

// Vitest loads this file with its own loader, which does not share modules with the others.
const load = createRequire(import.meta.url);
const reporter = load("./report.cjs");
const { failureOf } = load("./messages.cjs");
const places = load("./places.cjs");

const STATES = { passed: "passed", pass: "passed", failed: "failed", fail: "failed", skipped: "skipped" };

export default class Reporter {
  #over = false;

  onInit() {
    quietly(() => reporter.begin("vitest"));
  }

  onTestRunEnd(modules) {
    quietly(() => this.#report(modules.flatMap((module) => resultsOfModule(module))));
  }

  onFinished(files = []) {
    quietly(() => this.#report(files.flatMap((file) => resultsOfFile(file))));
  }

  #report(results) {
    if (this.#over) return;
    this.#over = true;
    if (results.length > 0) reporter.report(...results);
    reporter.end("vitest");
  }
}

function quietly(action) {
  try {
    action();
  } catch {
    // Vitest would print the error.
  }
}

function resultsOfModule(module) {
  const suite = places.suiteOf(module.moduleId);
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors } = test.result();
    return result(suite, test.fullName, STATES[state], errors);
  });
  if (tests.length > 0 || module.state() !== "failed") return tests;
  return result(suite, suite, "failed", module.errors?.());
}

function resultsOfFile(file) {
  const suite = places.suiteOf(file.filepath);
  const tests = testsBelow(file, []).flatMap(({ task, names }) => {
    const left = task.mode === "skip" || task.mode === "todo";
    const { state, errors } = task.result ?? {};
    return result(suite, names.join(" > "), left ? "skipped" : STATES[state], errors);
  });
  if (tests.length > 0 || file.result?.state !== "fail") return tests;
  return result(suite, suite, "failed", file.result.errors);
}

function testsBelow(task, names) {
  return task.tasks.flatMap((child) => {
    const path = [...names, child.name];
    return child.tasks === undefined ? [{ task: child, names: path }] : testsBelow(child, path);
  });
}

/** Leaves out tests that never began because the run was interrupted. */
function result(suite, name, status, errors = []) {
  if (status === undefined) return [];
  return [reporter.test(suite, name, status, errors.length > 0 ? failureOf(errors[0]) : {})];
}
