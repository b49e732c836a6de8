// Changes one place of the code at a time and runs the fast tests that execute it: a change that no test notices is printed.
// All mutants are in one copy of the code, each behind a condition, so one process can try them all (`mutate-runner.mjs`).
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";
import { difference, mutantsIn, visit, withMutants } from "./mutants.mjs";

const USAGE = `usage: npm run mutate -- [options] [folder or file …]   (default: src/core src/evidence src/modes)

  --count <n>   mutants to try (default 200; 0 = all)
  --seed <n>    repeats a sample (default 1)
  --only <text> only mutants whose "file:line" contains the text

Tests of the built program do not run, so one of them may kill a mutant that survives here. A mutant that runs while
files load needs a process of its own, which runs the nearest tests only. A mutant that loops counts as killed.`;

const DEFAULT_FOLDERS = ["src/core", "src/evidence", "src/modes"];
const REPO = join(import.meta.dirname, "..");
/** A test that imports it, itself or by a helper, runs the built program, which no mutant changes. */
const PROGRAM = "test/rig/rig.ts";
/** A mutant that runs on import needs a process of its own, so only this many tests that import it are tried, the nearest first. */
const MOST_TESTS = 8;
/** Without news for so long, a mutant loops. */
const MOST_SILENT_SECONDS = 120;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  print(USAGE);
  process.exit(0);
}

const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: REPO,
  encoding: "utf8",
});
const files = listed.stdout.split("\n").filter((path) => path !== "" && fs.existsSync(join(REPO, path)));
const code = files.filter((path) => /^(?:src|test)\/.*\.(?:ts|mjs)$/.test(path));
const asts = new Map(
  code.map((path) => [path, parseAst(textOf(path), { lang: path.endsWith(".ts") ? "ts" : "js" })]),
);

const folders = positionals.length > 0 ? positionals.map((path) => path.replace(/\/$/, "")) : DEFAULT_FOLDERS;
const sources = code.filter((path) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`)),
);
const testsOf = testsBySource();
const all = sources
  .flatMap((path) => mutantsIn(textOf(path), asts.get(path)).map((mutant) => ({ ...mutant, path })))
  .filter(({ path, line }) => `${path}:${line}`.includes(values.only));
const sample = shuffled(all, Number(values.seed))
  .slice(0, Number(values.count) || all.length)
  .map((mutant, index) => ({ ...mutant, id: index + 1 }));

print(`${sample.length} of ${all.length} mutants in ${sources.length} files, seed ${values.seed}`);

const tree = copyOfTree();
process.on("exit", () => fs.rmSync(tree, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

const log = join(tree, "mutate.jsonl");
fs.writeFileSync(log, "");
const due = [...new Set(sample.flatMap(({ path }) => [...testsOf.get(path).keys()]))];
// Properties are slow: whatever a table notices is not tried on them.
due.sort((a, b) => isProperties(a) - isProperties(b) || a.localeCompare(b));
for (;;) {
  const { failed, silent, output } = await run(due, {});
  const { kind, id, test } = notes().at(-1) ?? {};
  if (silent && kind === "trying") {
    note({ kind: "killed", id, test: `${test} (it loops)` });
    continue;
  }
  if (failed) print(`Tests that fail without a mutant, or after one, kill nothing:\n${output}`);
  break;
}

const loaded = new Set(noted("loaded").flatMap(({ ids }) => ids));
const executed = new Set([...loaded, ...noted("executed").flatMap(({ ids }) => ids)]);
for (const { id, path } of sample) {
  if (!loaded.has(id) || noted("killed").some((one) => one.id === id)) continue;
  const near = [...testsOf.get(path)].toSorted(([, a], [, b]) => a - b).slice(0, MOST_TESTS);
  if (near.length === 0) continue;
  const { failed, silent } = await run(
    near.map(([test]) => test),
    { MUTATE_ONLY: String(id) },
  );
  if (failed) note({ kind: "killed", id, test: silent ? "the time limit" : "a process of its own" });
}

const killers = new Map(noted("killed").map(({ id, test }) => [id, test]));
for (const mutant of sample) {
  const { id, path, line, what } = mutant;
  const verdict = killers.has(id)
    ? "killed"
    : executed.has(id)
      ? "SURVIVED"
      : "SURVIVED, executed by no test:";
  print(`${verdict} ${path}:${line} ${what} ${killers.has(id) ? `by ${killers.get(id)}` : ""}`);
  if (!killers.has(id)) print(difference(textOf(path), mutant));
}
const rate = (100 * killers.size) / Math.max(1, sample.length);
print(`\nkilled ${killers.size} of ${sample.length} (${rate.toFixed(1)} %)`);

function print(text) {
  process.stdout.write(`${text}\n`);
}

function textOf(path) {
  return fs.readFileSync(join(REPO, path), "utf8");
}

/** For each source file the tests that import it, each with the length of its shortest way there. */
function testsBySource() {
  const imports = new Map(code.map((path) => [path, importsOf(path)]));
  const found = new Map(code.map((path) => [path, new Map()]));
  for (const test of code.filter((path) => path.endsWith(".test.ts"))) {
    const distances = new Map([[test, 0]]);
    for (const [path, distance] of distances)
      for (const next of imports.get(path) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
    if (distances.has(PROGRAM)) continue;
    for (const [path, distance] of distances) found.get(path)?.set(test, distance);
  }
  return found;
}

function isProperties(path) {
  return Number(path.includes("properties"));
}

function note(entry) {
  fs.appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

function notes() {
  return fs
    .readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function noted(kind) {
  return notes().filter((entry) => entry.kind === kind);
}

/** Types are gone when the code runs. */
function importsOf(path) {
  const found = [];
  visit(asts.get(path), (node) => {
    const isType = node.importKind === "type" || node.exportKind === "type";
    const named = node.source?.value;
    if (typeof named === "string" && !isType)
      found.push(named.startsWith(".") ? relative(REPO, resolve(REPO, dirname(path), named)) : named);
  });
  return found;
}

/** The same for the same seed (mulberry32 and Fisher-Yates). */
function shuffled(list, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const result = [...list];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other], result[at]];
  }
  return result;
}

/** With all mutants of the sample, each behind a condition. */
function copyOfTree() {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-mutate-")));
  for (const path of files) {
    fs.mkdirSync(join(dir, dirname(path)), { recursive: true });
    fs.cpSync(join(REPO, path), join(dir, path), { verbatimSymlinks: true });
  }
  for (const path of sources) {
    const mutants = sample.filter((mutant) => mutant.path === path);
    if (mutants.length > 0) fs.writeFileSync(join(dir, path), withMutants(textOf(path), mutants));
  }
  fs.symlinkSync(join(REPO, "node_modules"), join(dir, "node_modules"));
  return dir;
}

/** One process at a time: whoever works on this machine notices little. */
async function run(tests, env) {
  const vitest = join(REPO, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(
    process.execPath,
    [vitest, "run", "--config", "scripts/mutate-config.mjs", "--reporter", "verbose"],
    {
      cwd: tree,
      env: {
        ...process.env,
        ...env,
        MUTATE_LOG: log,
        MUTATE_TESTS: JSON.stringify(tests),
        NO_COLOR: "1",
        CI: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  let output = "";
  let last = Date.now();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      output += data;
      last = Date.now();
    });
  // A mutant may loop for ever in a worker, which its parent does not end.
  const end = () => process.kill(-Number(child.pid), "SIGKILL");
  let silent = false;
  const timer = setInterval(() => {
    last = Math.max(last, fs.statSync(log).mtimeMs);
    silent = Date.now() - last > MOST_SILENT_SECONDS * 1000;
    if (silent) end();
  }, 1000);
  process.prependOnceListener("exit", end);
  const status = await new Promise((done) => child.on("close", done));
  clearInterval(timer);
  process.off("exit", end);
  return { failed: status !== 0, silent, output: output.slice(-5000) };
}
