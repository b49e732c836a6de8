import { boardTexts } from "../board/read-board.ts";
import type { BoardEdited } from "../domain/event.ts";
import type { BoardState } from "../domain/state.ts";
import type { RunContext } from "../engine/ports.ts";
import { isDirectory } from "../files/directories.ts";
import { boardFailure, checkBoard } from "./read-board.ts";

/**
 * What a person has made of the board since it was left in order. Nothing of an agent is alive then, and all it did before was put
 * right: so whatever is different is theirs. After a crash that cannot be told, and the journal counts.
 */
export function editedBoard({
  journal,
  redactor,
}: Pick<RunContext, "journal" | "redactor">): BoardEdited | null {
  const { settings, board } = journal.state;
  if (settings.mode !== "orchestrate" || board?.settled !== true) return null;
  const { boardDir, force, lang, calledFrom } = settings;
  // What is gone is written again.
  if (!isDirectory(boardDir)) return null;
  const checked = checkBoard(boardDir, { force }, redactor);
  if ("problems" in checked) {
    // So is a single file, but not at the cost of what was written into another.
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
