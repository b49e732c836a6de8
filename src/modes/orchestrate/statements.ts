import { boardTerms } from "./words/terminal.ts";
import { BOARD } from "./disk/names.ts";
import type { BoardEdited, MainEnded, TreeChange, TurnEnded } from "../../core/event.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { changedText } from "./board-inputs.ts";
import { brief, isFirstWithTools } from "./board-wording.ts";
import { warns, type Statement } from "../../ui/statement.ts";

/** Shown before the decision that MAIN made with its tools. */
export function toolStatements(
  event: MainEnded,
  state: RunState,
  { lang }: TerminalTexts,
): readonly Statement[] {
  const board = boardTerms[lang];
  return event.tools !== "none" && isFirstWithTools(event, state)
    ? [warns("agent", board.mainTools(visible(event.agent.name), event.tools))]
    : [];
}

/** Changes to the plan in an answer. */
export function planStatements(
  { attempt: index }: MainEnded,
  attempt: Attempt | undefined,
  plan: string | null,
  { lang }: TerminalTexts,
): readonly Statement[] {
  const board = boardTerms[lang];
  const waiver = attempt?.call?.order?.redWaiver ?? null;
  return [
    ...(plan === null ? [] : [{ subject: "agent", attempt: index, text: plan, isDetail: true } as const]),
    ...(waiver === null ? [] : [warns("agent", board.waived(brief(waiver)), index)]),
  ];
}

/** An answer that is refused because MAIN changed files says so itself. After an interrupted turn the author of changes is unknown. */
export function mainChanges(event: MainEnded, state: RunState, texts: TerminalTexts): readonly Statement[] {
  const isRefused = event.broken.some(({ rule }) => rule === "main_changed_files");
  return isRefused ? [] : changeStatements("MAIN", event.changed, event, state, texts);
}

/** Files that a turn changed without permission. */
export function changeStatements(
  who: string,
  changed: TreeChange,
  event: MainEnded | TurnEnded,
  state: RunState,
  texts: TerminalTexts,
): readonly Statement[] {
  if (changed === null || changed.length === 0) return [];
  return [warns("agent", changedText(who, changed, event, state, texts), event.attempt)];
}

export function editedStatement(
  { plan, context, projectEnv }: BoardEdited,
  { lang }: TerminalTexts,
): Statement {
  const board = boardTerms[lang];
  const names = [
    ...(plan === null ? [] : [BOARD.plan]),
    ...(context === null ? [] : [BOARD.context]),
    ...(projectEnv === null ? [] : [BOARD.env]),
  ];
  return { ...warns("person", board.edited(names.join(", "))), isDetail: false };
}
