import fs from "node:fs";
import { dirname, join } from "node:path";
import { isBoardFile } from "../board/names.ts";
import type { TurnEnded } from "../domain/event.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
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
