import fs from "node:fs";
import { join, resolve } from "node:path";
import { BOARD } from "../board/names.ts";
import { readBoard, type Board, type FileProblem } from "../board/read-board.ts";
import { findDanger } from "../checks/danger.ts";
import { isThere } from "../config/read.ts";
import { codeSpans, linesOf } from "../domain/board/lines.ts";
import { tasksOf } from "../domain/board/plan.ts";
import { Failure, ListFailure } from "../domain/failure.ts";
import type { Redactor } from "../domain/redact.ts";
import { isDirectory } from "../files/directories.ts";
import { boardProblemText } from "../i18n/board-problems.ts";
import { boardTexts } from "../i18n/board.ts";
import { usageTexts } from "../i18n/usage.ts";
import { DEFAULT_BOARD } from "../reporters/orchestrate-command.ts";
import { shortPath } from "./config-problems.ts";
import type { Io } from "./io.ts";
import { usage } from "./run-flags.ts";

/** By its real path, so that runs on it can be found again, and that it is noticed when a link takes its place. */
export function boardDirFrom(
  flags: { readonly board?: string },
  cwd: string,
  command: string,
  io: Pick<Io, "cwd" | "lang">,
): string {
  if (flags.board === "") throw usage(usageTexts[io.lang].empty("--board"), command);
  const path = flags.board === undefined ? join(cwd, DEFAULT_BOARD) : resolve(io.cwd, flags.board);
  return isDirectory(path) ? fs.realpathSync(path) : path;
}

/** A board that can be worked on, or everything that is wrong with it. `force`: a dangerous command is none of that. */
export function readCheckedBoard(
  dir: string,
  options: { readonly force: boolean },
  redactor: Redactor,
  io: Pick<Io, "cwd" | "lang">,
): Board {
  const checked = checkBoard(dir, options, redactor);
  if ("board" in checked) return checked.board;
  throw boardFailure(dir, checked.problems, io);
}

/** `killed`: the run in which the foreman was, so that the journal counts and not these files. */
export function boardFailure(
  dir: string,
  problems: readonly FileProblem[],
  io: Pick<Io, "cwd" | "lang">,
  killed: string | null = null,
): ListFailure {
  return new ListFailure(
    "board_invalid",
    dir,
    problems.map((problem) => fileProblemText(problem, dir, io)),
    killed === null ? {} : { killed },
  );
}

/** `blackboard/dev_plan.md:12: …` */
function fileProblemText(problem: FileProblem, dir: string, io: Pick<Io, "cwd" | "lang">): string {
  const place =
    shortPath(join(dir, problem.file), io.cwd) + (problem.line === null ? "" : `:${problem.line}`);
  const hint = problem.kind === "command_dangerous" ? boardTexts[io.lang].forceAllows : "";
  return `${place}: ${boardProblemText({ ...problem, line: null }, io.lang)}${hint}`;
}

export function checkBoard(
  dir: string,
  { force }: { readonly force: boolean },
  redactor: Redactor,
): { readonly board: Board } | { readonly problems: readonly FileProblem[] } {
  refuseNoBoard(dir);
  const read = readBoard(dir);
  if ("problems" in read) return read;
  const { board } = read;
  const problems = [...(force ? [] : dangersIn(board)), ...secretsIn(board, redactor)];
  return problems.length > 0 ? { problems } : { board };
}

export function refuseNoBoard(path: string): void {
  if (isDirectory(path)) return;
  throw new Failure(isThere(path) ? "board_not_a_directory" : "board_missing", { path });
}

function dangersIn({ plan, planText }: Board): readonly FileProblem[] {
  const lines = linesOf(planText);
  return tasksOf(plan).flatMap((task) =>
    task.acceptance.flatMap(({ command }) => {
      const danger = findDanger(command);
      if (!danger) return [];
      const at = lines.find(
        ({ number, text }) => number >= task.line && codeSpans(text).some(({ code }) => code === command),
      );
      const about = `${danger.command}: ${danger.rule}`;
      return [{ file: BOARD.plan, kind: "command_dangerous", line: at?.number ?? task.line, about } as const];
    }),
  );
}

/** A run keeps all of it for ever, and agents are told it. Which one it is is not said. */
function secretsIn(board: Board, redactor: Redactor): readonly FileProblem[] {
  const texts = [
    [BOARD.plan, board.planText],
    [BOARD.context, board.context],
    [BOARD.env, board.envText],
    [BOARD.history, board.history ?? ""],
    [BOARD.decisions, board.decisions],
  ] as const;
  return texts.flatMap(([file, text]) => {
    if (!redactor.holds(text)) return [];
    const lines = linesOf(text).filter((line) => redactor.holds(line.text));
    // Some, such as a private key, go over several lines.
    const places = lines.length > 0 ? lines.map(({ number }) => number) : [null];
    return places.map((line) => ({ file, kind: "holds_secret", line, about: "" }) as const);
  });
}
