import fs from "node:fs";
import { join, resolve } from "node:path";
import { BOARD } from "../modes/orchestrate/disk/names.ts";
import { readBoard, type Board, type FileProblem } from "../modes/orchestrate/disk/read-board.ts";
import { findDanger } from "../text/danger/danger.ts";
import { isThere } from "./config/read.ts";
import { codeSpans, linesOf } from "../text/lines.ts";
import { tasksOf } from "../core/board/plan.ts";
import { Failure, ListFailure } from "../platform/failure.ts";
import type { Redactor } from "../text/redact.ts";
import { shellWord } from "../text/shell-quote.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { boardProblemText } from "../modes/orchestrate/words/board-problems.ts";
import { boardTexts } from "../modes/orchestrate/words/board.ts";
import { usageTexts } from "./words/usage.ts";
import { DEFAULT_BOARD } from "../modes/orchestrate/orchestrate-command.ts";
import { shortPath } from "./config-problems.ts";
import type { Io } from "./io.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";
import type { FlagsOf } from "./settings/table.ts";

/** Flags of `board` as commander passes them. */
export interface BoardFlags extends FlagsOf<"board"> {
  readonly goal?: string;
  readonly test?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `board` as called, with the board's directory and a redactor for secrets that must not be written there. */
export interface BoardCall extends Call<"board", BoardFlags> {
  readonly dir: string;
  readonly redactor: Redactor;
}

/** Uses the real path, so that runs on it can be found again and a replaced link is noticed. */
export function boardDirFrom({
  verb,
  flags,
  cwd,
  io,
}: Call<"board" | "orchestrate", { readonly board?: string }>): string {
  if (flags.board === "") throw usage(usageTexts[io.lang].empty("--board"), verb);
  const path = flags.board === undefined ? join(cwd, DEFAULT_BOARD) : resolve(io.cwd, flags.board);
  return isDirectory(path) ? fs.realpathSync(path) : path;
}

/** Reads a usable board or lists all its problems. `force` accepts dangerous commands. */
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

/** `killed`: the run whose foreman was killed, so its journal counts instead of these files. */
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

/** A run stores the board for good and sends it to agents. The message does not quote the secret. */
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
    // Some secrets, such as a private key, span several lines.
    const places = lines.length > 0 ? lines.map(({ number }) => number) : [null];
    return places.map((line) => ({ file, kind: "holds_secret", line, about: "" }) as const);
  });
}

/** The flags that name the board, for a command to paste. */
export function boardFlagsOf({ board, cwd }: BoardFlags): readonly string[] {
  return [
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
    ...(board === undefined ? [] : [`--board ${shellWord(board)}`]),
  ];
}
