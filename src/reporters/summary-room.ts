import type { OracleChange } from "../domain/oracle/change.ts";
import { changesOf, heldChanges } from "../domain/room/held.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { changesText } from "../reports/room-words.ts";
import type { Line } from "./page.ts";
import { testTexts } from "./room-wording.ts";
import { continued, labelled, type End } from "./summary-parts.ts";

/** All speaks for the work, but a person has to look at its tests first. */
export function heldEnd(state: RunState, texts: TerminalTexts): End {
  const attempt = lastAttempt(state);
  const changes = attempt ? heldChanges(state, attempt) : [];
  const { room, listSeparator } = texts;
  return {
    head: { text: `? ${room.held}`, tone: "ask" },
    facts: [labelled(room.label.files, changesText(changes, room, listSeparator))],
    next: `agent-foreman decide ${state.runId}`,
  };
}

/** ` (changed tests allowed by a person)`: what was accepted not by evidence alone. */
export function allowedText(state: RunState, { room }: TerminalTexts): string {
  return isAccepted(state) && allowed(state).length > 0 ? ` (${room.allowedByPerson})` : "";
}

/** What of the evidence is another than it usually is. */
export function roomFacts(state: RunState, texts: TerminalTexts): readonly Line[] {
  if (!isAccepted(state)) return [];
  const { room, listSeparator, partSeparator } = texts;
  const files = changesText(allowed(state), room, listSeparator);
  const weak = weaknesses(state, texts).join(partSeparator);
  return [
    ...(files === "" ? [] : [labelled(room.label.person, files)]),
    ...flakyLines(state, texts),
    ...(weak === "" ? [] : [labelled(room.label.weaker, weak)]),
  ];
}

function isAccepted({ ended }: RunState): boolean {
  return ended?.reason === "accepted";
}

function allowed({ attempts }: RunState): readonly OracleChange[] {
  return attempts
    .filter(({ judged, candidate }) => judged?.verdict === "accepted" && candidate?.decided === "allow")
    .flatMap(changesOf);
}

function flakyLines({ attempts }: RunState, texts: TerminalTexts): readonly Line[] {
  const [first, ...rest] = attempts
    .filter(({ judged }) => judged?.verdict === "accepted")
    .flatMap(({ checks }) => checks.filter(({ room }) => room?.flaky != null))
    .flatMap((check) => testTexts(check, texts));
  return first === undefined ? [] : [labelled(texts.room.label.tests, first), ...rest.map(continued)];
}

/** Where nothing was ever checked there is nothing that could have been kept apart. */
function weaknesses({ settings, base, attempts }: RunState, { room }: TerminalTexts): readonly string[] {
  if (settings.room) return (base?.taken.weak ?? []).map((weakness) => room.weak[weakness]);
  return attempts.some(({ checks }) => checks.length > 0) ? [room.noCleanRoom] : [];
}
