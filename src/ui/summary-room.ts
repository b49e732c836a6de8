import type { ProtectedChange } from "../core/evidence/change.ts";
import { changesOf, heldChanges, listedEdits } from "../evidence/held.ts";
import { weaknessesOf } from "../evidence/weaknesses.ts";
import { checkPassed } from "../evidence/verdict.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { changesText, namesOf, namesText } from "../evidence/report/room-words.ts";
import type { Line } from "./page.ts";
import { heldTexts, testTexts } from "./room-wording.ts";
import { continued, endWith, labelled, labelledList, row, type End } from "./summary-parts.ts";
import { endText } from "./wording.ts";

type Unstarted = keyof TerminalTexts["endUnstarted"];

/** The work passed, but a person has to look at its tests first. */
export function heldEnd(state: RunState, texts: TerminalTexts): End {
  const attempt = lastAttempt(state);
  const changes = attempt ? heldChanges(state, attempt) : [];
  const { room, listSeparator } = texts;
  const found = [...new Set((attempt?.checks ?? []).flatMap((check) => heldTexts(check, texts)))];
  return endWith("?", room.held, `agent-foreman decide ${state.runId}`, [
    labelled(room.label.files, changesText(changes, room, listSeparator)),
    ...found.map(continued),
  ]);
}

/** A test command could not start on the base, the set-up failed there, or the agent command could not start at all. */
export function unstartedEnd(reason: Unstarted, state: RunState, texts: TerminalTexts): End {
  const { base, attempts, settings } = state;
  const ran =
    reason === "agent_cannot_start" ? attempts.flatMap(({ turn }) => turn ?? []) : (base?.checks ?? []);
  const setup = reason === "setup_failed" ? settings.room?.setup : null;
  const facts = ran
    .filter(({ notStarted }) => notStarted)
    .flatMap(({ process, notStarted }) => [
      row("why", `${visible(setup ?? process.command)}${texts.colon}${endText(process.end, texts)}`, texts),
      ...(notStarted?.said ?? "")
        .split("\n")
        .filter(Boolean)
        .map((line) => continued(visible(line))),
    ]);
  return endWith("✗", `${texts.endUnstarted[reason]} (${reason})`, null, facts);
}

/** ` (changed tests allowed by a person)`: the acceptance is not by evidence alone. */
export function allowedText(state: RunState, { room }: TerminalTexts): string {
  return isAccepted(state) && allowed(state).length > 0 ? ` (${room.allowedByPerson})` : "";
}

/** Unusual facts about the evidence. */
export function roomFacts(state: RunState, texts: TerminalTexts): readonly Line[] {
  if (!isAccepted(state))
    return state.ended ? [...waysOut(state, texts), ...silencedLines(state, texts)] : [];
  const { room, listSeparator, partSeparator } = texts;
  const byFlag = state.attempts.at(-1)?.candidate?.taken.allowed ?? [];
  const pathsOf = (changes: readonly ProtectedChange[]): string => changesText(changes, room, listSeparator);
  const edited = state.attempts.flatMap((attempt) => listedEdits(state, attempt));
  return [
    ...(edited.length === 0
      ? []
      : [labelled(room.label.edited, room.edited(pathsOf(edited), state.step !== null))]),
    ...labelledList(room.label.person, [pathsOf(allowed(state))]),
    ...(byFlag.length === 0
      ? []
      : [labelled(room.label.person, room.byFlag(namesText(namesOf(byFlag), room, listSeparator)))]),
    ...labelledList(room.label.tests, flakyTests(state, texts)),
    ...silencedLines(state, texts),
    ...labelledList(room.label.weaker, [weaknesses(state, texts).join(partSeparator)]),
  ];
}

/** A person's options for rejected work, if the agent cannot fix the problem. */
function waysOut(state: RunState, { room, listSeparator }: TerminalTexts): readonly Line[] {
  const last = lastAttempt(state);
  const hidden = last?.candidate?.taken.hidden;
  const failed = last?.checks.some((check) => !checkPassed(check)) === true;
  return [
    ...(last?.judged?.reasons.includes("oracle_changed") && last.candidate?.decided !== "refuse"
      ? [labelled(room.label.wayOut, room.mayAllow)]
      : []),
    ...(failed && hidden && hidden.count > 0
      ? [
          labelled(room.label.hidden, room.hidden(namesText(hidden, room, listSeparator))),
          continued(room.setUp),
        ]
      : []),
  ];
}

function isAccepted({ ended }: RunState): boolean {
  return ended?.reason === "accepted";
}

function allowed({ attempts }: RunState): readonly ProtectedChange[] {
  return attempts
    .filter(({ judged, candidate }) => judged?.verdict === "accepted" && candidate?.decided === "allow")
    .flatMap(changesOf);
}

function flakyTests({ attempts }: RunState, texts: TerminalTexts): readonly string[] {
  return attempts
    .filter(({ judged }) => judged?.verdict === "accepted")
    .flatMap(({ checks }) => checks.filter(({ room }) => room?.flaky != null))
    .flatMap((check) => testTexts(check, texts));
}

/** For the accepted attempt, else for the last one. */
function silencedLines(state: RunState, { room, listSeparator }: TerminalTexts): readonly Line[] {
  const accepted = state.attempts.filter(({ judged }) => judged?.verdict === "accepted");
  const attempts = isAccepted(state) ? accepted : state.attempts.slice(-1);
  const silenced = attempts
    .flatMap(({ candidate }) => candidate?.taken.silenced ?? [])
    .map(({ comment, count, files }) => room.silenced(count, comment, namesText(files, room, listSeparator)));
  return labelledList(room.label.silenced, silenced);
}

/** Without any check there was nothing to isolate. */
function weaknesses(state: RunState, { room }: TerminalTexts): readonly string[] {
  if (state.settings.room) return weaknessesOf(state).map((weakness) => room.weak[weakness]);
  return state.attempts.some(({ checks }) => checks.length > 0) ? [room.noCleanRoom] : [];
}
