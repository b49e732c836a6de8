import fs from "node:fs";
import { dirname, join } from "node:path";
import { isBoardFile } from "../board/names.ts";
import { followsCutOff } from "../domain/board/iterations.ts";
import type { RunResumed, TurnEnded } from "../domain/event.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { listed } from "../reports/step-error.ts";

/** Files that somebody changed during a turn: the board is put right at once, of other inputs counts what they were when the run began. */
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
  // Beside the transcripts of the turn; where somebody removed a file there was nothing to keep.
  const copyOf = (name: string): string => join(dirname(stdout.path), `board-${name.replaceAll("/", "-")}`);
  const kept = names.filter((name) => fs.existsSync(copyOf(name)));
  const removed = names.filter((name) => !kept.includes(name));
  const [only] = kept;
  const where = only === undefined ? null : copyOf(kept.length === 1 ? only : "*");
  return [
    ...(names.length === 0
      ? []
      : [
          texts.board.meddled(
            listed(names),
            where && visible(where),
            removed.length === 0 ? null : listed(removed),
          ),
        ]),
    ...(added.length === 0 ? [] : [texts.board.added(listed(added))]),
    ...(others.length === 0 ? [] : [texts.inputsChanged(others)]),
  ];
}

/** Files of a role or of MAIN that are not as they were. After a turn that was cut off it is not known who changed them. */
export function changedText(
  who: string,
  changed: readonly string[],
  { attempt, turn }: Pick<TurnEnded, "attempt" | "turn">,
  state: RunState,
  { board }: TerminalTexts,
): string {
  const files = listed(changed);
  return followsCutOff(state, attempt, turn) ? board.changedAround(who, files) : board.forbidden(who, files);
}

/** Files of the board that were put right when a run was resumed. */
export function restoredText({ restoredFiles = [] }: RunResumed, { board }: TerminalTexts): string | null {
  if (restoredFiles.length === 0) return null;
  const kept = restoredFiles.flatMap((one) => one.kept ?? []);
  const [only] = kept;
  return board.restoredFiles(
    listed(restoredFiles.map(({ file }) => file)),
    only === undefined ? null : visible(dirname(only)),
  );
}
