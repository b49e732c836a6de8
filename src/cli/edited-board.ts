import { isOnBoard } from "../modes/orchestrate/on-board.ts";
import { boardTexts } from "../modes/orchestrate/disk/read-board.ts";
import type { BoardEdited } from "../core/event.ts";
import type { BoardState } from "../core/state.ts";
import type { RunContext } from "../engine/ports.ts";
import { isDirectory } from "../platform/files/directories.ts";
import { boardFailure, checkBoard } from "./read-board.ts";

/**
 * A person's edits of the board since the foreman left it in order. No agent has run since then, so every difference is the person's. After a crash
 * this is unknown, so the journal counts.
 */
export function editedBoard({
  journal,
  redactor,
}: Pick<RunContext, "journal" | "redactor">): BoardEdited | null {
  const { settings, board } = journal.state;
  if (!isOnBoard(settings) || board?.settled !== true) return null;
  const { boardDir, force, lang, calledFrom } = settings;
  // A missing board is written again.
  if (!isDirectory(boardDir)) return null;
  const checked = checkBoard(boardDir, { force }, redactor);
  if ("problems" in checked) {
    // A missing file is written again, too, unless that would lose edits in another file.
    const isGone = checked.problems.every(({ kind }) => kind === "missing");
    if (isGone && !isRewritten(boardDir, board)) return null;
    throw boardFailure(boardDir, checked.problems, { cwd: calledFrom, lang });
  }
  const { planText, context, envText } = checked.board;
  const edit: BoardEdited = {
    type: "board_edited",
    plan: planText === board.text ? null : planText,
    context: context === board.context ? null : context,
    projectEnv: envText === board.projectEnv ? null : envText,
  };
  return edit.plan === null && edit.context === null && edit.projectEnv === null ? null : edit;
}

function isRewritten(boardDir: string, { text, context, projectEnv }: BoardState): boolean {
  const there = boardTexts(boardDir);
  const isOther = (found: string | null, known: string): boolean => found !== null && found !== known;
  return isOther(there.plan, text) || isOther(there.context, context) || isOther(there.env, projectEnv);
}
