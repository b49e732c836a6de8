import { followBuild } from "./follow-builds.ts";
import { followCall, followScripts, followTasks } from "./follow-packages.ts";
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

function interpreted(
  walk: Walk,
  { name, values }: { readonly name: string; readonly values: readonly string[] },
  args: readonly string[],
  where: Where,
): void {
  const first = operandAt(args, 0, values);
  const options = args.slice(0, first);
  if (name === "sh" && options.some((word) => /^-[a-z]*c$/.test(word))) {
    walk.text(args[first] ?? "", where);
    return;
  }
  if (name === "deno") walk.useTool(`deno ${args[0]}`);
  if (name === "deno" && args[0] === "task") followTasks(walk, "deno.json", args.slice(1), where);
  if (options.some((word) => /^tsx(?:\/\w+)?$|=tsx(?:\/\w+)?$/.test(word))) walk.useTool("tsx");
  if (name === "node" && options.includes("--run")) followScripts(walk, args[first] ?? "", where);
  if (name === "python" && options.includes("-m")) {
    pythonModule(walk, args.slice(options.indexOf("-m") + 1), where);
    return;
  }
  // The text of a program, or a file that is only looked at.
  if (options.some((word) => /^(?:-e|-p|-c|-n|--eval|--print|--check)$/.test(word))) return;
  const verb = (name === "deno" || name === "bun") && ["run", "test"].includes(args[0] ?? "");
  const at = operandAt(args, verb ? 1 : 0, values);
  const operands = options.includes("--test") ? args.slice(at) : args.slice(at, at + 1);
  if (name === "python") followSetup(walk, args.slice(at), where);
  for (const operand of operands) {
    // What is read into the same shell as others may take back what they say.
    if (name === "source" && operand.includes("*")) walk.awaitRead(operand, where);
    walk.run(operand, where);
  }
}

function pythonModule(walk: Walk, words: readonly string[], where: Where): void {
  if (!where.byTest) followModule(walk, words, where);
  const path = (words[0] ?? "").replaceAll(".", "/");
  for (const file of [`${path}.py`, `${path}/__main__.py`]) walk.run(file, where);
  walk.command(words, where);
}
