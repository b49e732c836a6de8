// Changes one place of the code at a time and runs the fast tests that import it: a change that no test notices is printed.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";

const USAGE = `usage: npm run mutate -- [options] [folder or file …]   (default: src/core src/evidence src/modes)

  --count <n>   mutants to try (default 200; 0 = all)
  --seed <n>    repeats a sample (default 1)
  --skip <n>    leave out the first mutants of the sample, to go on after an interruption
  --only <text> only mutants whose "file:line" contains the text
  --near <n>    run only the n tests of a mutant that import it most directly (default 0 = all)
  --limit <s>   seconds a mutant may run (default 180); longer counts as killed: it loops

Left out are tests that start processes, so a slower test may kill what survives here.`;

const DEFAULT_FOLDERS = ["src/core", "src/evidence", "src/modes"];
const REPO = join(import.meta.dirname, "..");
/** A test that imports it, itself or by a helper, starts processes. It is slow, or runs the built program, which no mutant changes. */
const PROCESSES = "node:child_process";
const CONFIG = "mutate.config.mjs";
const OPPOSITES = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    skip: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    near: { type: "string", default: "0" },
    limit: { type: "string", default: "180" },
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
const asts = new Map(code.map((path) => [path, parsed(path)]));

const folders = positionals.length > 0 ? positionals.map((path) => path.replace(/\/$/, "")) : DEFAULT_FOLDERS;
const sources = code.filter((path) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`)),
);
const testsOf = testsBySource();
const all = sources
  .filter((path) => testsOf.has(path))
  .flatMap(mutantsIn)
  .filter(({ path, line }) => `${path}:${line}`.includes(values.only));
const sample = shuffled(all, Number(values.seed)).slice(
  Number(values.skip),
  Number(values.count) || all.length,
);
const untested = sources.filter((path) => !testsOf.has(path) && mutantsIn(path).length > 0);

print(`${sample.length} of ${all.length} mutants in ${sources.length} files, seed ${values.seed}`);
if (untested.length > 0) print(`imported by no fast test: ${untested.join(", ")}`);

const tree = copyOfTree();
process.on("exit", () => fs.rmSync(tree, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

const whole = [...new Set(sample.flatMap(({ path }) => testsOf.get(path) ?? []))];
const untouched = await testsPass(whole, 3600);
if (untouched !== true) {
  print(`The tests fail without a mutant:\n${untouched}`);
  process.exit(1);
}

const survivors = [];
for (const [index, mutant] of sample.entries()) {
  const { path, start, end, text, line, what } = mutant;
  const original = fs.readFileSync(join(tree, path), "utf8");
  const mutated = original.slice(0, start) + text + original.slice(end);
  fs.writeFileSync(join(tree, path), mutated);
  const before = Date.now();
  const survived = (await testsPass(testsOf.get(path), Number(values.limit))) === true;
  const seconds = Math.round((Date.now() - before) / 1000);
  fs.writeFileSync(join(tree, path), original);
  if (survived) survivors.push(mutant);
  const verdict = survived ? "SURVIVED" : "killed";
  print(`${index + 1}/${sample.length} ${verdict} ${path}:${line} ${what} (${seconds} s)`);
  if (survived) print(difference(original, mutant));
}
const killed = sample.length - survivors.length;
print(
  `\nkilled ${killed} of ${sample.length} (${((100 * killed) / Math.max(1, sample.length)).toFixed(1)} %)`,
);

function print(text) {
  process.stdout.write(`${text}\n`);
}

function parsed(path) {
  return parseAst(fs.readFileSync(join(REPO, path), "utf8"), { lang: path.endsWith(".ts") ? "ts" : "js" });
}

/** For each source file the tests that import it, nearest first. */
function testsBySource() {
  const imports = new Map(code.map((path) => [path, importsOf(path)]));
  const found = new Map();
  for (const test of code.filter((path) => path.endsWith(".test.ts"))) {
    const distances = new Map([[test, 0]]);
    for (const [path, distance] of distances)
      for (const next of imports.get(path) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
    const helpers = [...distances.keys()].filter((path) => path.startsWith("test/"));
    if (helpers.some((path) => imports.get(path)?.includes(PROCESSES))) continue;
    for (const [path, distance] of distances)
      found.set(path, [...(found.get(path) ?? []), { test, distance }]);
  }
  const nearest = (a, b) => a.distance - b.distance || a.test.localeCompare(b.test);
  const most = Number(values.near) || code.length;
  return new Map(
    [...found].map(([path, tests]) => [
      path,
      tests
        .toSorted(nearest)
        .slice(0, most)
        .map(({ test }) => test),
    ]),
  );
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

/** Calls for each node but those of types. */
function visit(node, look, parent = null) {
  if (Array.isArray(node)) for (const one of node) visit(one, look, parent);
  if (typeof node?.type !== "string") return;
  const hasValue = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type);
  if (node.type.startsWith("TS") && !hasValue) return;
  look(node, parent);
  for (const key of Object.keys(node)) if (typeof node[key] === "object") visit(node[key], look, node);
}

function mutantsIn(path) {
  const source = fs.readFileSync(join(REPO, path), "utf8");
  const mutants = [];
  visit(asts.get(path), (node, parent) => {
    const textOf = ({ start, end }) => source.slice(start, end);
    const change = ({ start, end }, text, what) => {
      const line = source.slice(0, start).split("\n").length;
      mutants.push({ path, line, start, end, text, what });
    };
    /** The operator between two operands. */
    const operator = (text) => {
      const start = source.indexOf(node.operator, node.left.end);
      change({ start, end: start + node.operator.length }, text, `${node.operator} → ${text}`);
    };
    switch (node.type) {
      case "BinaryExpression":
        if (Object.hasOwn(OPPOSITES, node.operator)) operator(OPPOSITES[node.operator]);
        break;
      case "LogicalExpression":
        if (node.operator !== "??") operator(node.operator === "&&" ? "||" : "&&");
        break;
      case "UnaryExpression":
        if (node.operator === "!") change(node, textOf(node.argument), "drop negation");
        break;
      case "IfStatement":
        if (isPlain(node.test)) change(node.test, `!(${textOf(node.test)})`, "negate condition");
        if (node.alternate === null && leaves(node.consequent)) change(node, ";", "drop early exit");
        break;
      case "ConditionalExpression":
        if (isPlain(node.test)) change(node.test, `!(${textOf(node.test)})`, "negate condition");
        break;
      case "ExpressionStatement":
        if (node.directive == null) change(node, ";", "drop statement");
        break;
      case "Literal":
        if (typeof node.value === "boolean")
          change(node, String(!node.value), `${node.value} → ${!node.value}`);
        if (typeof node.value === "number" && parent.type !== "Property")
          for (const value of [node.value + 1, node.value - 1])
            change(node, value < 0 ? `(${value})` : String(value), `${node.value} → ${value}`);
        break;
      case "ArrayExpression":
        for (const [at, element] of node.elements.entries())
          if (element !== null)
            change(withComma(node.elements, at, source), "", `drop element ${textOf(element)}`);
        break;
      case "ObjectExpression":
        for (const [at, property] of node.properties.entries())
          if (property.type === "SpreadElement" && property.argument.type !== "Identifier")
            change(withComma(node.properties, at, source), "", `drop ${textOf(property)}`);
        break;
      case "CallExpression":
        if (node.callee.type === "MemberExpression" && !node.callee.computed) inCall(node, change);
        break;
    }
  });
  return mutants;
}

/** What other mutations do not turn into its opposite already. */
function isPlain({ type, operator }) {
  return type !== "UnaryExpression" && !(type === "BinaryExpression" && /^[!=]==?$/.test(operator));
}

function leaves(statement) {
  const last = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  return /^(?:Return|Continue|Break|Throw)Statement$/.test(last?.type ?? "");
}

function inCall({ callee, end }, change) {
  const { name } = callee.property;
  if (name === "filter") change({ start: callee.object.end, end }, "", "drop filter");
  if (name === "some") change(callee.property, "every", "some → every");
  if (name === "every") change(callee.property, "some", "every → some");
}

/** The element and the comma after it. */
function withComma(elements, at, source) {
  const { start, end } = elements[at];
  const comma = /^\s*,/.exec(source.slice(end));
  return { start, end: end + (comma?.[0].length ?? 0) };
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

/** Mutants go into a copy, so that the checkout stays as it is. */
function copyOfTree() {
  const dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-mutate-")));
  for (const path of files) {
    fs.mkdirSync(join(dir, dirname(path)), { recursive: true });
    fs.cpSync(join(REPO, path), join(dir, path), { verbatimSymlinks: true });
  }
  fs.symlinkSync(join(REPO, "node_modules"), join(dir, "node_modules"));
  fs.writeFileSync(
    join(dir, CONFIG),
    `import usual from "./vitest.config.ts";
const order = JSON.parse(process.env.MUTATE_TESTS);
class InOrder {
  shard(specs) { return specs; }
  sort(specs) { return specs.toSorted((a, b) => at(a) - at(b)); }
}
const at = ({ moduleId }) => order.findIndex((path) => moduleId.endsWith("/" + path));
export default { test: { ...usual.test, include: order, maxWorkers: 1, bail: 1, experimental: { fsModuleCache: true, fsModuleCachePath: ".cache" }, sequence: { sequencer: InOrder } } };
`,
  );
  return dir;
}

/** True, or what failed. One process at a time: whoever works on this machine notices little. */
function testsPass(tests, seconds) {
  return new Promise((done) => {
    const vitest = join(REPO, "node_modules", "vitest", "vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", "--config", CONFIG, "--reporter", "dot"], {
      cwd: tree,
      env: { ...process.env, MUTATE_TESTS: JSON.stringify(tests), NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    // A mutant may loop for ever in a worker, which its parent does not end.
    const end = () => process.kill(-child.pid, "SIGKILL");
    const timer = setTimeout(end, seconds * 1000);
    process.once("exit", end);
    child.on("close", (status) => {
      clearTimeout(timer);
      process.off("exit", end);
      done(status === 0 ? true : output.slice(-5000));
    });
  });
}

function difference(original, { start, end, text }) {
  const from = original.lastIndexOf("\n", start - 1) + 1;
  const newline = original.indexOf("\n", end);
  const to = newline < 0 ? original.length : newline;
  const marked = (lines, mark) =>
    lines
      .split("\n")
      .map((line) => `  ${mark} ${line}`)
      .join("\n");
  return `${marked(original.slice(from, to), "-")}\n${marked(original.slice(from, start) + text + original.slice(end, to), "+")}`;
}
