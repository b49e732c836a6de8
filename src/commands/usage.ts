import type { CommanderError } from "commander";
import type { Lang } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";

/** The parser's complaint in our words: cause, subject, what was probably meant. */
export function usageProblem(error: CommanderError, args: readonly string[], lang: Lang): Failure {
  const zh = lang === "zh";
  const subject = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const meant = /Did you mean (?:one of )?([^?]*)\?/.exec(error.message)?.[1];
  const hint = meant === undefined ? "" : zh ? `；是否想用 ${meant}？` : `; did you mean ${meant}?`;
  const flag = subject.split(" ").find((word) => word.startsWith("--")) ?? subject;
  const command = args.find((arg) => !arg.startsWith("-"));
  const problem = ((): string => {
    switch (error.code) {
      case "commander.unknownOption":
        return zh ? `未知参数 ${subject}${hint}` : `unknown flag ${subject}${hint}`;
      case "commander.unknownCommand":
        return zh ? `未知命令 ${subject}${hint}` : `unknown command ${subject}${hint}`;
      case "commander.missingMandatoryOptionValue":
        return zh ? `缺少必需参数 ${flag}` : `missing required flag ${flag}`;
      case "commander.optionMissingArgument":
        return zh ? `参数 ${flag} 缺少值` : `flag ${flag} needs a value`;
      case "commander.missingArgument":
        return zh ? `缺少参数 ${subject}` : `missing argument ${subject}`;
      case "commander.invalidArgument": {
        const given = /argument '([^']*)'/.exec(error.message)?.[1] ?? "";
        const choices = /Allowed choices are (.*)\.$/s.exec(error.message)?.[1];
        if (choices !== undefined)
          return zh
            ? `${flag} 只能是 ${choices}，实际为 ${given}`
            : `${flag} must be one of ${choices}, got ${given}`;
        return `${flag} ${/ is invalid\. (.*)$/s.exec(error.message)?.[1] ?? ""}`;
      }
      case "commander.conflictingOption": {
        const [one, other] = [...error.message.matchAll(/'(--[\w-]+)/g)].map((match) => match[1]);
        return zh ? `${one} 不能与 ${other} 同时使用` : `${one} cannot be used with ${other}`;
      }
      case "commander.excessArguments":
        return zh ? "参数过多" : "too many arguments";
      default:
        return error.message.replace(/^error: /, "");
    }
  })();
  return new Failure("usage", { problem, ...(command !== undefined && { command }) });
}
