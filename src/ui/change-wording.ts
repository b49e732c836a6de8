import type { LostFiles } from "../core/evidence/changes.ts";
import type { RunState } from "../core/state.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { namesOf, namesText, nameText } from "../evidence/report/room-words.ts";
import type { Line } from "./page.ts";
import { continued, row } from "./summary-parts.ts";

/** More than elsewhere, because a person has to know every hook and every lost file. */
const MAX_NAMED = 20;

/** `a.js (your uncommitted changes), .env (ignored by git) and 3 more` */
export function lostText({ count, some }: LostFiles, texts: TerminalTexts): string {
  const { changes, room, listSeparator } = texts;
  const names = some.map(({ path, was }) => changes.lostFile(nameText(path), was));
  return namesText({ count, some: names }, room, listSeparator, MAX_NAMED);
}

/** The run's changes, the person's losses, and other differences from before. */
export function changeLines(
  { runId, changes }: Pick<RunState, "runId" | "changes">,
  texts: TerminalTexts,
): readonly Line[] {
  if (!changes) return [];
  const { lost, outside, files } = changes;
  const words = texts.changes;
  return [
    row("change", files === 0 ? words.none : words.counts(changes), texts),
    ...(lost.count === 0
      ? []
      : [
          { ...row("lost", lostText(lost, texts), texts), tone: "warn" as const },
          continued(words.bringBack(`agent-foreman restore ${runId}`)),
        ]),
    ...(outside.length === 0
      ? []
      : [
          row("outside", namesText(namesOf(outside), texts.room, texts.listSeparator, MAX_NAMED), texts),
          continued(words.lookFirst),
        ]),
  ];
}
