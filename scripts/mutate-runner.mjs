// Runs each test once as it is, then once for each mutant that it executed and that no test noticed yet.
import fs from "node:fs";
import { VitestTestRunner } from "vitest/runners";

/** A slower test would be repeated for every survivor it executes. */
const MOST_SECONDS = 2;

const { MUTATE_LOG: log, MUTATE_ONLY: only } = process.env;
const noted = fs
  .readFileSync(log, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
const killed = new Set(noted.filter(({ kind }) => kind === "killed").map(({ id }) => id));
const tried = new Set(noted.filter(({ kind }) => kind === "trying").map(({ id, test }) => `${id} ${test}`));
/** Executed while files load. */
const loading = new Set();

let chosen = Number(only ?? 0);
let executed = loading;
let deadline = Infinity;
globalThis.isMutant = (id) => {
  executed.add(id);
  if (performance.now() > deadline) throw new Error("The mutant loops");
  return id === chosen;
};

function note(entry) {
  fs.appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

export default class extends VitestTestRunner {
  onBeforeRunFiles(files) {
    if (only === undefined) note({ kind: "loaded", ids: [...loading] });
    super.onBeforeRunFiles?.(files);
  }

  async runTask(test) {
    const name = `${test.file.name} ${test.fullTestName ?? test.name}`;
    const execute = VitestTestRunner.getTestFn(test);
    if (only !== undefined) return execute();
    executed = new Set();
    const start = performance.now();
    await execute();
    const seconds = (performance.now() - start) / 1000;
    const mutants = [...executed];
    executed = loading;
    note({ kind: "executed", ids: mutants });
    if (seconds > MOST_SECONDS) return;
    const left = mutants.filter((id) => !killed.has(id) && !tried.has(`${id} ${name}`));
    // A test that cannot be repeated says nothing. A mutant that made it fail may have left something behind.
    let repeatable = left.length > 0 && (await this.passes(test, 0));
    for (const id of left) {
      if (!repeatable) break;
      note({ kind: "trying", id, test: name });
      if (await this.passes(test, id)) continue;
      killed.add(id);
      note({ kind: "killed", id, test: name });
      repeatable = await this.passes(test, 0);
    }
    this.onBeforeTryTask(test);
  }

  async passes(test, id) {
    this.onBeforeTryTask(test);
    executed = new Set();
    chosen = id;
    deadline = performance.now() + 20_000;
    try {
      await VitestTestRunner.getTestFn(test)();
      this.onAfterTryTask(test);
      return true;
    } catch {
      return false;
    } finally {
      chosen = 0;
      executed = loading;
      deadline = Infinity;
    }
  }
}
