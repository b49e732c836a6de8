/*
 * The gauntlet: scripted agents, each with the verdict it must get, run through a tool that supervises agents.
 *
 *   npm run gauntlet -- [--only PATTERN] [--part K/N] [--tool PATH] [--parallel N] [--keep] [--list] [--json]
 *
 *   --only      cases whose name matches this regular expression
 *   --part      the Kth of every N cases
 *   --tool      a module that runs another tool; see tool-agent-foreman.mjs
 *   --parallel  how many cases run at once (default: the number of cores)
 *   --keep      keep the files of all cases (default: only of failed ones)
 *   --list      list the cases without running them
 *   --json      print the results as JSON
 *
 * Exits with 1 after any false accept, false reject, hang, surviving process or other failure, and with 2 after a usage error.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { problemsOf } from "./case.mjs";
import { environmentOf, layOut, placeFor, settled, tidyUp } from "./place.mjs";
import { asTable, describe } from "./results.mjs";
import { endAll, survivorsOf } from "./survivors.mjs";

// Running cases, which must end when this process ends.
const underWay = new Map();

const say = (text) => process.stdout.write(`${text}\n`);

class Misuse extends Error {}

const OPTIONS = {
  only: { type: "string" },
  part: { type: "string" },
  tool: { type: "string" },
  parallel: { type: "string" },
  keep: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
};

function inPart(part) {
  const [, number, of] = (/^(\d+)\/(\d+)$/.exec(part) ?? []).map(Number);
  if (!(number >= 1 && number <= of)) throw new Misuse(`--part takes K/N, as in 1/3, not ${part}`);
  return (at) => at % of === number - 1;
}

async function main() {
  const values = sensibly("", () => parseArgs({ options: OPTIONS }).values);
  if (values.help) return say(usage());
  const parallel = Number(values.parallel ?? os.availableParallelism());
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new Misuse(`--parallel takes a number from 1 on, not ${values.parallel}`);
  const pattern = sensibly("--only: ", () => new RegExp(values.only ?? ""));
  const isWanted = inPart(values.part ?? "1/1");
  const cases = (await allCases()).filter(({ name }) => pattern.test(name)).filter((_, at) => isWanted(at));
  if (cases.length === 0) throw new Misuse(`--only ${values.only}: no case is named so (--list names them)`);
  if (values.list) return list(cases);
  const toolPath = values.tool ?? path.join(import.meta.dirname, "tool-agent-foreman.mjs");
  const tool = await toolAt(path.resolve(toolPath));
  const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "gauntlet-"));
  const started = Date.now();
  const results = await inParallel(cases, parallel, async (one) => {
    const result = await runCase(one, tool, root, values.keep);
    if (!values.json && result.wrong.length > 0) say(describe(result));
    return result;
  });
  // Removes only an empty folder, because failed cases keep their files.
  if (fs.readdirSync(root).length === 0) fs.rmdirSync(root);
  const seconds = (Date.now() - started) / 1000;
  if (values.json) say(JSON.stringify({ tool: tool.name, seconds, cases: results }, null, 2));
  else say(asTable(tool.name, results, seconds));
  process.exitCode = results.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}

function sensibly(what, action) {
  try {
    return action();
  } catch (error) {
    throw new Misuse(`${what}${error.message}`);
  }
}

/** The comment at the top of this file. */
function usage() {
  const [, text] = /\/\*\n([^]*?) \*\//.exec(fs.readFileSync(import.meta.filename, "utf8"));
  return text.replaceAll(/^ \* ?/gm, "").trimEnd();
}

async function toolAt(file) {
  if (!fs.existsSync(file)) throw new Misuse(`--tool ${file}: there is no such file`);
  const { default: tool } = await import(pathToFileURL(file).href);
  if (typeof tool?.name !== "string")
    throw new Misuse(`--tool ${file}: it has to export a tool by default, as tool-agent-foreman.mjs does`);
  return tool;
}

async function allCases() {
  const folder = path.join(import.meta.dirname, "cases");
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(".mjs"));
  const cases = [];
  for (const file of files.sort())
    cases.push(...(await import(pathToFileURL(path.join(folder, file)).href)).default);
  const names = new Set();
  for (const one of cases) {
    const problems = problemsOf(one);
    if (names.has(one.name)) problems.push("the name is taken");
    names.add(one.name);
    if (problems.length > 0) throw new Error(`${one.name}: ${problems.join(", ")}`);
  }
  return cases;
}

function list(cases) {
  for (const { name, kind, expect, about } of cases)
    say(`${name.padEnd(36)} ${kind.padEnd(7)} ${expect}  ${about}`);
}

/** Returns results in the order of the cases. */
async function inParallel(items, width, work) {
  const results = Array.from({ length: items.length });
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
  return results;
}

async function runCase(one, tool, root, keep) {
  const lacking = (one.needs ?? []).find((program) => !onPath(program));
  const known = { name: one.name, kind: one.kind, expect: one.expect };
  if (lacking) return { ...known, leftOut: lacking, wrong: [] };
  const dir = path.join(root, one.name.replaceAll("/", "-"));
  const ready = settled(one, dir, tool.shell);
  const place = placeFor(ready, dir);
  const tag = path.basename(root) + path.basename(dir);
  const env = environmentOf(place, tag);
  try {
    layOut(ready, place, env);
  } catch (error) {
    const broken = `the case could not be laid out: ${error.message}`;
    return {
      ...known,
      accepted: false,
      code: null,
      reasons: null,
      survivors: [],
      broken,
      wrong: ["broken"],
      kept: dir,
    };
  }

  const started = Date.now();
  const { argv, env: more } = tool.command(place, ready);
  const ended = await supervised({ argv, env: { ...env, ...more }, place, limit: ready.limit, tag });
  const ms = Date.now() - started;
  const survivors = ended.hang ? [] : await survivorsOf(tag, dir);
  const came = ended.hang
    ? { accepted: false, reasons: null, rounds: null, broken: null }
    : tool.verdict(place, ended);
  const outcome = ready.outcome && !ended.hang ? await succeeds(ready.outcome, place, env) : true;
  const result = { ...known, ...came, hang: ended.hang, code: ended.code, survivors, ms };
  const wrong = whatWentWrong(ready, result, outcome);
  const wasted = came.accepted && came.rounds !== null ? Math.max(0, came.rounds - ready.rounds) : 0;
  const kept = keep || wrong.length > 0 || wasted > 0;
  if (!kept) tidyUp(dir);
  return { ...result, wasted, wrong, kept: kept ? dir : null };
}

function whatWentWrong(one, result, outcome) {
  if (result.hang) return ["hang"];
  const accepted = one.expect === "accepted";
  return [
    ...(result.accepted && !accepted ? ["false accept"] : []),
    ...(!result.accepted && accepted ? ["false reject"] : []),
    ...(result.survivors.length > 0 ? ["survivors"] : []),
    ...(result.broken !== null ? ["broken"] : []),
    ...(one.reason && result.reasons && !result.reasons.includes(one.reason) && !result.accepted
      ? ["other reason"]
      : []),
    ...(outcome ? [] : ["outcome"]),
  ];
}

function onPath(program) {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => {
    try {
      fs.accessSync(path.join(folder, program), fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs the tool without a terminal until it ends or times out, then ends all processes of the case. */
async function supervised({ argv, env, place, limit, tag }) {
  const [program, ...args] = argv;
  const out = fs.openSync(place.stdout, "w");
  const err = fs.openSync(place.stderr, "w");
  const child = spawn(program, args, { cwd: place.cwd, env, stdio: ["ignore", out, err], detached: true });
  fs.closeSync(out);
  fs.closeSync(err);
  underWay.set(tag, place.dir);
  let hang = false;
  const timer = setTimeout(() => {
    hang = true;
    void endAll(tag, place.dir);
  }, limit * 1000);
  const ended = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  clearTimeout(timer);
  underWay.delete(tag);
  if (hang) await endAll(tag, place.dir);
  return { ...ended, hang };
}

async function succeeds(text, place, env) {
  // The project may be gone; the outcome script finds out.
  const cwd = fs.existsSync(place.project) ? place.project : place.dir;
  const child = spawn("sh", ["-ec", text], { cwd, env, stdio: "ignore" });
  return (await new Promise((resolve) => child.once("exit", resolve))) === 0;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, async () => {
    await Promise.all([...underWay].map(([tag, dir]) => endAll(tag, dir)));
    process.exit(130);
  });

try {
  await main();
} catch (error) {
  if (!(error instanceof Misuse)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 2;
}
