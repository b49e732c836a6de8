import type { CommanderError } from "commander";
import type { Lang } from "../domain/settings.ts";
import { Failure } from "../domain/failure.ts";
import { usageTexts } from "../i18n/usage.ts";

/** The parser's complaint in our words: cause, subject, what was probably meant. */
export function usageProblem(error: CommanderError, args: readonly string[], lang: Lang): Failure {
  const command = args.find((arg) => !arg.startsWith("-"));
  return new Failure("usage", {
    problem: problemText(error, lang),
    ...(command !== undefined && { command }),
  });
}

/** The parser tells its subject only within its English sentence. */
function problemText({ code, message }: CommanderError, lang: Lang): string {
  const texts = usageTexts[lang];
  const part = (pattern: RegExp): string => pattern.exec(message)?.[1] ?? "";
  const subject = part(/'([^']*)'/);
  const flag = subject.split(" ").find((word) => word.startsWith("--")) ?? subject;
  const meant = part(/Did you mean (?:one of )?([^?]*)\?/);
  const hint = meant === "" ? "" : texts.meant(meant);
  switch (code) {
    case "commander.unknownOption":
      return texts.unknownFlag(subject) + hint;
    case "commander.unknownCommand":
      return texts.unknownCommand(subject) + hint;
    case "commander.missingMandatoryOptionValue":
      return texts.missingFlag(flag);
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
    case "commander.excessArguments":
      return texts.tooMany;
    default:
      return message.replace(/^error: /, "");
  }
}
