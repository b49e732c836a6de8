import { followBuild } from "./follow-builds.ts";
import { followCall, followScripts, followTasks } from "./follow-packages.ts";
import { followProgramText, programsNamed } from "./follow-parts.ts";
import { followModule, followSetup, followTests } from "./follow-tests.ts";
import { packageCall } from "./package-call.ts";
import { interpreterNamed, operandAt, type Program } from "./programs.ts";
import type { Walk, Where } from "./walk.ts";

const SEVERAL_TEXTS = new Set(["concurrently", "conc"]);
const SEVERAL_SCRIPTS = new Set(["npm-run-all", "npm-run-all2", "run-s", "run-p", "start-server-and-test"]);

/** What a program runs, by its words. */
export function followProgram(walk: Walk, { name, words }: Program, where: Where): void {
  const args = words.slice(1);
  if (!where.byTest) followTests(walk, { name, words }, where);
  const interpreter = interpreterNamed(name);
  if (interpreter !== null) interpreted(walk, interpreter, args, where);
  const call = packageCall(name, args);
  // What these print is what tests say.
  const unread = { ...where, outputRead: false };
  if (call !== null) followCall(walk, call, unread);
  else if (followBuild(walk, name, args, unread)) return;
  else if (SEVERAL_TEXTS.has(name)) for (const text of args) concurrent(walk, text, where);
  else if (SEVERAL_SCRIPTS.has(name))
    for (const text of args) followScripts(walk, text.split(/\s/)[0] ?? "", unread);
  else if (name === "composer") followTasks(walk, "composer.json", args, unread);
  else if (name === "eval") walk.text(args.join(" "), where);
  else if (name === "find") {
    const at = args.findIndex((word) => /^-(?:exec|execdir|ok)$/.test(word));
    if (at >= 0) walk.command(args.slice(at + 1), where);
  }
}

function concurrent(walk: Walk, text: string, where: Where): void {
  if (text.startsWith("npm:")) followScripts(walk, text.slice(4).split(/\s/)[0] ?? "", where);
  else if (!text.startsWith("-")) walk.text(text, where);
}

/** An option whose value is the text of a program, alone or behind others that have no value. */
const TEXT_OPTIONS: Readonly<Record<string, RegExp>> = {
  sh: /^-[a-zA-Z]*c$/,
  python: /^-[a-zA-Z]*c$/,
  node: /^(?:-e|-p|-pe|--eval|--print)$/,
};
/** Those of other programs; or with it, a file is only looked at. */
const NOT_RUN = /^(?:-e|-p|-c|-n|--eval|--print|--check)$/;

function interpreted(
  walk: Walk,
  { name, values: always }: { readonly name: string; readonly values: readonly string[] },
  args: readonly string[],
  where: Where,
): void {
  // `-euo pipefail`
  const values = name === "sh" ? [...always, ...args.filter((word) => /^-[a-z]*o$/.test(word))] : always;
  const first = operandAt(args, 0, values);
  const options = args.slice(0, first);
  if (name === "deno") walk.useTool(`deno ${args[0]}`);
  if (name === "deno" && args[0] === "task") followTasks(walk, "deno.json", args.slice(1), where);
  if (options.some((word) => /^tsx(?:\/\w+)?$|=tsx(?:\/\w+)?$/.test(word))) walk.useTool("tsx");
  if (name === "node" && options.includes("--run")) followScripts(walk, args[first] ?? "", where);
  for (const word of options)
    if (word.startsWith("--env-file-if-exists=")) walk.awaitRead(word.slice(word.indexOf("=") + 1), where);
  const module = name === "python" ? options.findIndex((word) => /^-[a-zA-Z]*m$/.test(word)) : -1;
  if (module >= 0) {
    pythonModule(walk, args.slice(module + 1), where);
    return;
  }
  if (options.some((word) => TEXT_OPTIONS[name]?.test(word))) {
    if (name === "sh") walk.text(args[first] ?? "", where);
    else followProgramText(walk, args[first] ?? "", name === "python" ? ".py" : ".js", where);
    return;
  }
  if (options.some((word) => (name === "sh" ? /^-[a-z]*n[a-z]*$/ : NOT_RUN).test(word))) return;
  const verb = (name === "deno" || name === "bun") && ["run", "test"].includes(args[0] ?? "");
  const at = operandAt(args, verb ? 1 : 0, values);
  const operands = options.includes("--test") ? args.slice(at) : args.slice(at, at + 1);
  if (name === "python") followSetup(walk, args.slice(at), where);
  for (const operand of operands) {
    // What is read into the same shell as others may take back what they say.
    if (name === "source" && operand.includes("*")) walk.awaitRead(operand, where);
    for (const word of programsNamed(walk, name, operand, where)) walk.run(word, where);
  }
}

/** Modules of Python's that run another one, or a program. */
const RUNS_OTHERS = new Set(["runpy", "trace", "cProfile", "profile", "pdb"]);

function pythonModule(walk: Walk, words: readonly string[], where: Where): void {
  if (!where.byTest) followModule(walk, words, where);
  const other = RUNS_OTHERS.has(words[0] ?? "") ? operandAt(words, 1, ["-o", "-s"]) : 0;
  const path = (words[other] ?? "").replace(/\.py$/, "").replaceAll(".", "/");
  for (const file of [`${path}.py`, `${path}/__main__.py`]) walk.run(file, where);
  walk.command(words, where);
}
