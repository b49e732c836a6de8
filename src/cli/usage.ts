import type { Command, CommanderError, Option } from "commander";
import { closest } from "../text/closest.ts";
import type { Lang } from "../core/settings.ts";
import { Failure } from "../platform/failure.ts";
import { usageTexts } from "./words/usage.ts";

export function usage(problem: string, command: string): Failure {
  return new Failure("usage", { problem, command });
}

/** Translates the parser's error: cause, subject and suggestion. */
export function usageProblem(error: CommanderError, program: Command, lang: Lang): Failure {
  const [called = ""] = program.args;
  if (error.code === "commander.unknownCommand") return unknownCommand(called, program, lang);
  const command = program.commands.find((known) => known.name() === called);
  return new Failure("usage", {
    problem: problemText(error, command, program, lang),
    ...(command && { command: called }),
  });
}

/** For `--test-fast npm test`, which the shell has split into words. */
function unquotedHint(argument: string, command: Command | undefined, program: Command, lang: Lang): string {
  const { rawArgs } = program as Command & { readonly rawArgs: readonly string[] };
  const [flag = "", value = ""] = rawArgs.slice(Math.max(0, rawArgs.indexOf(argument) - 2));
  const takesCommand = command?.options.some(
    ({ long, flags }) => long === flag && flags.includes("<command>"),
  );
  return takesCommand === true ? usageTexts[lang].quoteIt(`${flag} "${value} ${argument}"`) : "";
}

export function unknownCommand(name: string, program: Command, lang: Lang): Failure {
  const known = program.createHelp().visibleCommands(program);
  const meant = closest(
    name,
    known.map((command) => command.name()),
  );
  const texts = usageTexts[lang];
  return new Failure("usage", {
    problem: texts.unknownCommand(name) + (meant === null ? "" : texts.meant(meant)),
    ...(meant !== null && { command: meant }),
  });
}

/** The command's name; `--lang` may precede it. */
export function verbOf(args: readonly string[]): string | undefined {
  const [verb] = args[0] === "--lang" ? args.slice(2) : args.filter((arg) => !arg.startsWith("--lang="));
  return verb;
}

/** The parser accepts the next flag as a flag's value. `--flag=value` allows values that look like flags. */
export function refuseFlagAsValue(args: readonly string[], program: Command, lang: Lang): void {
  const verb = verbOf(args);
  const command = program.commands.find((known) => known.name() === verb);
  const options = [...program.options, ...(command?.options ?? [])];
  const find = (arg: string | undefined): Option | undefined =>
    options.find(({ long, short }) => arg !== undefined && (arg === long || arg === short));
  for (let at = 0; at < args.length; at++) {
    const flag = find(args[at]);
    if (flag?.required !== true) continue;
    if (find(args[at + 1]))
      throw new Failure("usage", {
        problem: usageTexts[lang].missingValue(flag.long ?? flag.flags),
        ...(command && { command: command.name() }),
      });
    at += 1;
  }
}

/** The parser gives the subject only inside its English sentence. */
function problemText(
  { code, message }: CommanderError,
  command: Command | undefined,
  program: Command,
  lang: Lang,
): string {
  const texts = usageTexts[lang];
  const part = (pattern: RegExp): string => pattern.exec(message)?.[1] ?? "";
  const subject = part(/'([^']*)'/);
  const flag = subject.split(" ").find((word) => word.startsWith("--")) ?? subject;
  const meant = part(/Did you mean (?:one of )?([^?]*)\?/);
  const hint = meant === "" ? "" : texts.meant(meant);
  switch (code) {
    case "commander.unknownOption":
      return texts.unknownFlag(subject) + hint;
    case "commander.optionMissingArgument":
      return texts.missingValue(flag);
    case "commander.missingArgument":
      return texts.missingArgument(subject);
    case "commander.invalidArgument": {
      const choices = part(/Allowed choices are (.*)\.$/s);
      const argument = part(/for argument '([^']*)'/);
      if (argument !== "") return texts.notOneOf(`<${argument}>`, choices, subject);
      if (choices !== "") return texts.notOneOf(flag, choices, part(/argument '([^']*)'/));
      return `${flag} ${part(/ is invalid\. (.*)$/s)}`;
    }
    case "commander.conflictingOption":
      return texts.conflict(part(/'(--[\w-]+)/), part(/with option '(--[\w-]+)/));
    case "commander.excessArguments": {
      const argument = command?.args[command.registeredArguments.length] ?? "";
      return texts.unexpected(argument) + unquotedHint(argument, command, program, lang);
    }
    default:
      return message.replace(/^error: /, "");
  }
}
