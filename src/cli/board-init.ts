import fs from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { isCancel, log, text } from "@clack/prompts";
import { BOARD } from "../modes/orchestrate/disk/names.ts";
import { findDanger } from "../text/danger/danger.ts";
import { detectTests, type TestCommands } from "./config/detect.ts";
import { isThere } from "./config/read.ts";
import { oneLine } from "../text/json/values.ts";
import { DEFAULT_SHARED_PATHS } from "../modes/orchestrate/rules/read-project-env.ts";
import { DEFAULT_TEST_PATHS } from "../evidence/protected/test-paths.ts";
import { readPlan } from "../modes/orchestrate/rules/read-plan.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import { isDirectory, makeDirectories, removeEmpty } from "../platform/files/directories.ts";
import { homeDirectory } from "../platform/files/home.ts";
import { writeFileAtomic } from "../platform/files/write-file.ts";
import { boardProblemText } from "../modes/orchestrate/words/board-problems.ts";
import { boardTexts, type BoardTexts } from "../modes/orchestrate/words/board.ts";
import { usageTexts } from "./words/usage.ts";
import { shortPath } from "./config-problems.ts";
import { canAsk, type Io } from "./io.ts";
import { openPaper } from "./print.ts";
import { withTerminal } from "./prompt.ts";
import { usage } from "./usage.ts";
import { boardFlagsOf, type BoardCall } from "./read-board.ts";
import { refuseSecrets } from "./run-flags.ts";

const MAX_TITLE = 100;

interface Answers {
  readonly goal: string;
  readonly acceptance: readonly string[];
}

/** `board init`: creates a board with the goal, the known project facts and a plan with one task. Asks for missing values. */
export async function boardInit({ flags, cwd, dir, redactor, io }: BoardCall): Promise<number> {
  refusePlace(dir, io);
  refuseWhatIsThere(dir);
  const words = boardTexts[io.lang];
  const tests = detectTests(cwd);
  const given = { goal: flags.goal?.trim(), acceptance: flags.test?.map((command) => command.trim()) };
  refuseEmpty(given, io);
  const asks = flags.yes !== true && canAsk(io);
  const answers = asks
    ? await withTerminal(io, (left) => ask(given, tests, io, left))
    : { goal: given.goal ?? "", acceptance: given.acceptance ?? tests.full };
  if (!answers) {
    log.message(words.ask.nothingWritten, { output: io.stderr });
    return ExitCode.interrupted;
  }
  const { goal, acceptance } = answers;
  if (goal === "") throw usage(words.noGoal, "board");
  if (acceptance.length === 0) throw usage(words.noTests, "board");
  for (const command of acceptance) {
    const danger = findDanger(command);
    if (danger) throw usage(words.dangerousTest(danger.command, danger.rule), "board");
  }
  refuseSecrets([["--goal", goal], ...acceptance.map((command) => ["--test", command] as const)], redactor);
  const written = writeAll(dir, [
    [BOARD.context, words.context(goal)],
    [BOARD.env, envText(tests)],
    [BOARD.plan, planText(answers, words, io)],
  ]);
  openPaper(io).print([
    ...written.map((path) => ({ text: words.wrote(shortPath(path, io.cwd)), tone: "good" as const })),
    { text: `${words.show.next}  ${["agent-foreman orchestrate", ...boardFlagsOf(flags)].join(" ")}` },
  ]);
  return ExitCode.accepted;
}

interface Given {
  readonly goal: string | undefined;
  readonly acceptance: readonly string[] | undefined;
}

function refuseEmpty({ goal, acceptance }: Given, io: Io): void {
  const { empty } = usageTexts[io.lang];
  if (goal === "") throw usage(empty("--goal"), "board");
  if (acceptance?.includes("") === true) throw usage(empty("--test"), "board");
}

/** Null: the person cancelled. */
async function ask(given: Given, tests: TestCommands, io: Io, signal: AbortSignal): Promise<Answers | null> {
  const words = boardTexts[io.lang].ask;
  const asked = async (message: string, placeholder: string, initialValue = ""): Promise<string | null> => {
    const validate = (value: string | undefined): string | undefined =>
      (value ?? "").trim() === "" ? words.needed : undefined;
    const streams = { input: io.stdin, output: io.stderr, signal };
    const answer = await text({ ...streams, message, placeholder, initialValue, validate });
    return isCancel(answer) ? null : answer.trim();
  };
  const goal = given.goal ?? (await asked(words.goal, words.goalHint));
  if (goal === null) return null;
  if (given.acceptance) return { goal, acceptance: given.acceptance };
  const found = tests.full.join(" && ");
  const command = await asked(words.tests, words.testsHint, found);
  if (command === null) return null;
  return { goal, acceptance: command === found ? tests.full : [command] };
}

/** Agents may write anywhere in a board, so it must not be a system directory, a home directory or a repository. */
function refusePlace(dir: string, io: Io): void {
  const real = realPath(dir);
  const { badPlace } = boardTexts[io.lang];
  const refused = [
    ...(dirname(real) === real ? [badPlace.root] : []),
    ...(real === realPath(homeDirectory(io.env)) ? [badPlace.home] : []),
    ...(real.split(sep).includes(".git") ? [badPlace.git] : []),
  ];
  const [why] = refused;
  if (why) throw usage(why(dir), "board");
}

/** Resolves links even if the end of the path does not exist yet. */
function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}

/** `board init` never overwrites a file. */
function refuseWhatIsThere(dir: string): void {
  if (isThere(dir) && !isDirectory(dir)) throw new Failure("board_not_a_directory", { path: dir });
  for (const name of [BOARD.plan, BOARD.context, BOARD.env]) {
    const path = join(dir, name);
    if (isThere(path)) throw new Failure("board_file_exists", { path });
  }
}

/** Writes all files or none. */
function writeAll(dir: string, files: readonly (readonly [name: string, text: string])[]): readonly string[] {
  const written: string[] = [];
  let made: string | undefined;
  try {
    made = makeDirectories(dir);
    for (const [name, content] of files) {
      const path = join(dir, name);
      writeFileAtomic(path, content);
      written.push(path);
    }
    return written;
  } catch (error) {
    for (const path of written) fs.rmSync(path, { force: true });
    if (made !== undefined) removeEmpty(dir, made);
    throw new Failure("board_not_writable", { path: dir, why: messageOf(error) }, { cause: error });
  }
}

function envText(tests: TestCommands): string {
  const env = {
    runtime: { platform: `${process.platform} ${process.arch}`, node: process.version },
    test_commands: tests,
    test_paths: DEFAULT_TEST_PATHS,
    shared_paths: DEFAULT_SHARED_PATHS,
    env: {},
  };
  return `${JSON.stringify(env, null, 2)}\n`;
}

function planText({ goal, acceptance }: Answers, { plan, badTest }: BoardTexts, io: Io): string {
  const content = [
    plan.head,
    "",
    `## M1: ${plan.milestone}`,
    "",
    `### M1-T1: ${oneLine(goal, MAX_TITLE)}`,
    "",
    "- status: TODO",
    "- acceptance:",
    ...acceptance.map((command, index) => `  ${index + 1}. ${codeSpan(command)} → exit 0`),
    "- evidence: none",
    "",
  ].join("\n");
  const read = readPlan(content);
  const [problem] = "problems" in read ? read.problems : [];
  if (problem) throw usage(badTest(boardProblemText({ ...problem, line: null }, io.lang)), "board");
  return content;
}

/** Uses more backticks than the longest row of backticks in the command. */
function codeSpan(command: string): string {
  const longest = Math.max(0, ...Array.from(command.matchAll(/`+/g), ([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${marks}${space}${command}${space}${marks}`;
}
