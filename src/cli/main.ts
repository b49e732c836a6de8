import { CommanderError } from "commander";
import { ConfigFailure } from "../platform/config-problem.ts";
import { Failure, ListFailure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { visible } from "../text/text.ts";
import { failureText, failureWords } from "./words/failures.ts";
import { chooseLang } from "./io.ts";
import { buildProgram } from "./program.ts";
import { refuseFlagAsValue, usageProblem, verbOf } from "./usage.ts";

/** Runs one command line and returns its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // The language is needed before flags are parsed, because parse errors use it.
  const { stdin, stdout, stderr, env } = process;
  const io = {
    stdin,
    stdout,
    stderr,
    env,
    args,
    cwd: workingDirectory(),
    lang: chooseLang(langFlag(splitArgs(args).own), env),
  };
  let exitCode: number = ExitCode.accepted;
  const { own, agents } = splitArgs(args);
  const program = buildProgram(io, (code) => (exitCode = code), agents);
  // By default this signal opens Node's inspector. An agent without its own namespace could send it.
  process.on("SIGUSR1", () => undefined);
  // A closed reader (`| head`) must not look like a crash.
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
  try {
    refuseFlagAsValue(own, program, io.lang);
    await program.parseAsync([...own], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return ExitCode.accepted;
    if (error instanceof CommanderError && error.code === "commander.help") {
      program.outputHelp();
      return ExitCode.badInput;
    }
    const failure = error instanceof CommanderError ? usageProblem(error, program, io.lang) : error;
    const lang = (failure instanceof Failure ? failure.lang : undefined) ?? io.lang;
    const words = failureWords[lang];
    if (!(failure instanceof Failure)) {
      stderr.write(
        `${words.bug}${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}\n`,
      );
      return ExitCode.bug;
    }
    if (failure instanceof ConfigFailure) {
      const { problemLines } = await import("./config-problems.ts");
      stderr.write(
        problemLines(failure.problems, io)
          .map((line) => `${visible(line)}\n`)
          .join(""),
      );
      return failure.exitCode;
    }
    const { message, lines: more, next, also } = failureText(failure, lang);
    const details = failure instanceof ListFailure ? failure.lines : [];
    const lines = [...details.map((line) => `${words.error}${line}`), `${words.error}${message}`].map(
      visible,
    );
    const { wrapToWidth } = await import("../ui/format.ts");
    const { columnsOf } = await import("../ui/page.ts");
    // Further lines and the next command are not wrapped, so that they can be pasted.
    const rows = [
      ...(stderr.isTTY ? lines.flatMap((line) => wrapToWidth(line, columnsOf(stderr) - 1)) : lines),
      ...more.map((line) => visible(`  ${line}`)),
      ...(next === undefined ? [] : [visible(`${words.next}${next}`)]),
      ...(also === undefined ? [] : [visible(`${" ".repeat(10)}${also}`)]),
    ];
    stderr.write(rows.map((row) => `${row}\n`).join(""));
    return failure.exitCode;
  }
}

/** In `chat`, everything after `--` belongs to the agent. */
function splitArgs(args: readonly string[]): { own: readonly string[]; agents: readonly string[] } {
  const at = verbOf(args) === "chat" ? args.indexOf("--") : -1;
  return at < 0 ? { own: args, agents: [] } : { own: args.slice(0, at), agents: args.slice(at + 1) };
}

function langFlag(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  if (at < 0) return undefined;
  return args[at] === "--lang" ? args[at + 1] : args[at]?.slice("--lang=".length);
}

/** Empty if the shell's directory was removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}
