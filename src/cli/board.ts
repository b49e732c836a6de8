import { tasksOf } from "../core/board/plan.ts";
import type { Board } from "../modes/orchestrate/disk/read-board.ts";
import { boardProblemText } from "../modes/orchestrate/words/board-problems.ts";
import { boardTexts } from "../modes/orchestrate/words/board.ts";
import { ExitCode } from "../platform/outcome.ts";
import { boardInit } from "./board-init.ts";
import { boardShow } from "./board-show.ts";
import { usage } from "./usage.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { boardDirFrom, boardFailure, checkBoard, type BoardCall, type BoardFlags } from "./read-board.ts";
import { redactorFor } from "./redactor.ts";
import { inProject, secretsOf } from "./run-flags.ts";
import { usageTexts } from "./words/usage.ts";

export type BoardAction = "show" | "check" | "init";

/** `board init|show|check`: creates a board, prints its state, or lists its problems. */
export async function board(action: BoardAction, flags: BoardFlags, io: Io): Promise<number> {
  refuseIdleFlags(action, flags, io);
  return inProject("board", flags, io, async (call) => {
    const redactor = redactorFor({ secrets: secretsOf(call.config), agents: [] }, io.env);
    return ACTIONS[action]({ ...call, dir: boardDirFrom(call), redactor });
  });
}

const ACTIONS: Readonly<Record<BoardAction, (call: BoardCall) => number | Promise<number>>> = {
  init: boardInit,
  check: boardCheck,
  show: boardShow,
};

function refuseIdleFlags(action: BoardAction, { goal, test, yes, json }: BoardFlags, io: Io): void {
  const given = { "--goal": goal, "--test": test, "--yes": yes, "--json": json };
  const idle = action === "init" ? (["--json"] as const) : (["--goal", "--test", "--yes"] as const);
  const found = idle.find((flag) => given[flag] !== undefined);
  if (found !== undefined) throw usage(usageTexts[io.lang].conflict(found, `board ${action}`), "board");
}

/** `board check`: lists every problem that would prevent a run, with file and line. */
function boardCheck({ flags, dir, redactor, io }: BoardCall): number {
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
