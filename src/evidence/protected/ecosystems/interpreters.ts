import { mentionedIn, programsNamed } from "../parts.ts";
import { hasCheckerName } from "../judging.ts";
import { interpreterNamed, operandAt, VALUE_OPTIONS, type Program } from "../programs.ts";
import type { ExecContext, Walk } from "../walk.ts";
import { traceModule } from "./python.ts";

/** With these options a file is only checked. */
const NOT_RUN = /^(?:-[a-z]*[nc]|-n[a-z]+|--check)$/;
/** The text of a program follows. */
const TEXT_OPTION = /^(?:-[a-zA-Z]*[cep]|--eval|--print)$/;

interface Fed {
  readonly input: readonly string[];
  /** `xargs` turns the input into words. */
  readonly isFed: boolean;
}

/** Traces the files that an interpreter or test runner runs. */
export function traceInterpreter(
  walk: Walk,
  { name, words }: Program,
  { input, isFed }: Fed,
  where: ExecContext,
): void {
  const interpreter = interpreterNamed(name);
  const args = words.slice(1);
  if (interpreter === null) return;
  if (args.some((word) => /^tsx(?:\/\w+)?$|=tsx(?:\/\w+)?$/.test(word))) walk.useTool("tsx");
  if (interpreter === "deno") walk.useTool(`deno ${args[0]}`);
  for (const word of args)
    if (word.startsWith("--env-file-if-exists=")) walk.awaitFile(word.slice(word.indexOf("=") + 1), where);
  const verb = /^(?:deno|bun)$/.test(interpreter) && /^(?:run|test)$/.test(args[0] ?? "") ? 1 : 0;
  // `-euo pipefail`
  const values = [...VALUE_OPTIONS, ...args.filter((word) => /^-[a-z]*o$/.test(word))];
  const at = operandAt(args, verb, values);
  const options = args.slice(0, at);
  const module = interpreter === "python" ? args.findIndex((word) => /^-[a-zA-Z]*m$/.test(word)) : -1;
  if (module >= 0 && module < at) traceModule(walk, args.slice(module + 1), where);
  else if (options.some((word) => TEXT_OPTION.test(word)) && !/^(?:sh|source)$/.test(interpreter)) {
    for (const path of mentionedIn(walk.base, args.join("\n"), where.folders))
      if (hasCheckerName(path) || walk.base.isHelper(path, true)) walk.run(path, { ...where, folders: [""] });
  } else if (!options.some((word) => NOT_RUN.test(word))) {
    const operands = options.includes("--test") ? args.slice(at) : args.slice(at, at + 1);
    if (operands.length === 0 || operands[0] === "-" || options.includes("-s") || isFed)
      for (const fed of input) walk.run(fed, where);
    for (const operand of operands) {
      // A file sourced into the same shell may override the results of others.
      if (interpreter === "source" && operand.includes("*")) walk.awaitFile(operand, where);
      for (const word of programsNamed(walk, interpreter, operand, where.folders))
        walk.run(word, where, args.slice(at + 1));
    }
  }
}
