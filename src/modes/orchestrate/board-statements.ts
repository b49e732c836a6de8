import { boardTerms } from "./words/terminal.ts";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { isBoardFile, BOARD } from "./disk/names.ts";
import { followsCutOff } from "../../core/board/iterations.ts";
import type { RunResumed, TurnEnded, BoardEdited, MainEnded, TreeChange } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import type { RunState, Attempt } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { listed } from "../steps/step-error.ts";
import { brief, isFirstWithTools } from "./board-wording.ts";
import { warns, type Statement } from "../../ui/statement.ts";

/** Files that changed during a turn. The board is restored at once; other inputs keep the contents from the start of the run. */
export function inputTexts(
  { changedInputs, stdout }: Pick<TurnEnded, "changedInputs" | "stdout">,
  { boardDir }: OrchestrateSettings,
  texts: TerminalTexts,
): string[] {
  const under = `${boardDir}/`;
  const onBoard = changedInputs
    .filter((path) => path.startsWith(under))
    .map((path) => path.slice(under.length));
  const names = onBoard.filter(isBoardFile);
  const added = onBoard.filter((name) => !isBoardFile(name));
  const others = changedInputs.filter((path) => !path.startsWith(under)).map((path) => visible(path));
  // Copies are beside the turn's transcripts. A removed file has no copy.
  const copyOf = (name: string): string => join(dirname(stdout.path), `board-${name.replaceAll("/", "-")}`);
  const kept = names.filter((name) => fs.existsSync(copyOf(name)));
  const removed = names.filter((name) => !kept.includes(name));
  const [only] = kept;
  const where = only === undefined ? null : copyOf(kept.length === 1 ? only : "*");
  return [
    ...(names.length === 0
      ? []
      : [
          boardTerms[texts.lang].meddled(
            listed(names),
            where && visible(where),
            removed.length === 0 ? null : listed(removed),
          ),
        ]),
    ...(added.length === 0 ? [] : [boardTerms[texts.lang].added(listed(added))]),
    ...(others.length === 0 ? [] : [texts.inputsChanged(others)]),
  ];
}

/** Unexpected changes of a role's or MAIN's files. After an interrupted turn their author is unknown. */
export function changedText(
  who: string,
  changed: readonly string[],
  { attempt, turn }: Pick<TurnEnded, "attempt" | "turn">,
  state: RunState,
  { lang }: TerminalTexts,
): string {
  const board = boardTerms[lang];
  const files = listed(changed);
  return followsCutOff(state, attempt, turn) ? board.changedAround(who, files) : board.forbidden(who, files);
}

/** Files of the board that were restored when the run was resumed. */
export function restoredText({ restoredFiles = [] }: RunResumed, { lang }: TerminalTexts): string | null {
  const board = boardTerms[lang];
  if (restoredFiles.length === 0) return null;
  const kept = restoredFiles.flatMap((one) => one.kept ?? []);
  const [only] = kept;
  return board.restoredFiles(
    listed(restoredFiles.map(({ file }) => file)),
    only === undefined ? null : visible(dirname(only)),
  );
}

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
