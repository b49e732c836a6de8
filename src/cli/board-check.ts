import type { Board } from "../modes/orchestrate/disk/read-board.ts";
import { tasksOf } from "../core/board/plan.ts";
import { ExitCode } from "../platform/outcome.ts";
import { boardProblemText } from "../modes/orchestrate/words/board-problems.ts";
import { boardTexts } from "../modes/orchestrate/words/board.ts";
import type { BoardFlags, BoardPlace } from "./board-place.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { boardFailure, checkBoard } from "./read-board.ts";

/** `board check`: lists every problem that would prevent a run, with file and line. */
export function boardCheck(flags: BoardFlags, { dir, redactor }: BoardPlace, io: Io): number {
  const checked = checkBoard(dir, { force: false }, redactor);
  if (flags.json === true) return asJson(checked, dir, io);
  if ("problems" in checked) throw boardFailure(dir, checked.problems, io);
  const { milestones, tasks } = countsOf(checked.board);
  openPaper(io).print([{ text: boardTexts[io.lang].ok(milestones, tasks), tone: "good" }]);
  return ExitCode.accepted;
}

type Checked = ReturnType<typeof checkBoard>;

function asJson(checked: Checked, dir: string, io: Io): number {
  const problems = "problems" in checked ? checked.problems : [];
  const { milestones, tasks } =
    "board" in checked ? countsOf(checked.board) : { milestones: null, tasks: null };
  printJson(io, {
    ok: problems.length === 0,
    board_dir: dir,
    milestones,
    tasks,
    problems: problems.map((problem) => ({
      file: problem.file,
      line: problem.line,
      code: problem.kind,
      message: boardProblemText({ ...problem, line: null }, io.lang),
    })),
  });
  return problems.length === 0 ? ExitCode.accepted : ExitCode.badInput;
}

function countsOf({ plan }: Board): { readonly milestones: number; readonly tasks: number } {
  return { milestones: plan.milestones.length, tasks: tasksOf(plan).length };
}
