import fs from "node:fs";
import { dirname, join } from "node:path";
import { ROLE_KEYS } from "../../core/board/answer.ts";
import { followsCutOff } from "../../core/board/iterations.ts";
import type { BoardEdited, MainEnded, RunResumed, RunStarted, TurnEnded } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { listed, visible } from "../../text/text.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import { agentStatements } from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { containmentText } from "../../ui/wording.ts";
import { firstOf, iterationsUsed, milestoneText } from "./board-wording.ts";
import { BOARD, isBoardFile } from "./disk/names.ts";
import { boardTerms } from "./words/terminal.ts";

const PREVIEWED = 6;

export function boardStart(
  event: RunStarted,
  state: RunOf<OrchestrateSettings>,
  texts: TerminalTexts,
): Description {
  const limit = texts.upTo(state.maxLoops);
  return [...headLines([], limit, state, texts), ...agentStatements(event, state, texts)];
}

export function boardResumed(
  event: RunResumed,
  state: RunOf<OrchestrateSettings>,
  texts: TerminalTexts,
): Description {
  const used = boardTerms[texts.lang].iterationsUsed(iterationsUsed(state), state.maxLoops);
  return [...headLines([texts.resumed], used, state, texts), ...restoredStatements(event, texts)];
}

/** The roles with their agents, and the progress of the plan. */
function headLines(
  terms: readonly string[],
  limit: string,
  { runId, settings, containment, board }: RunOf<OrchestrateSettings>,
  texts: TerminalTexts,
): Description {
  const roles = rolesOf(settings).map(([role, names]) => `${role} ${names}`);
  const head = [`orchestrate ${runId}`, ...terms, ...roles, limit, containmentText(containment, texts)];
  const milestones = (board?.plan.milestones ?? []).map(milestoneText);
  return [{ text: head.join("  ") }, { text: firstOf(milestones, PREVIEWED, texts, "  ") }];
}

/** The agents of each role: `MAIN`, `claude, codex`, and so on. */
export function rolesOf({ roles }: OrchestrateSettings): readonly (readonly [role: string, names: string])[] {
  return Object.entries(ROLE_KEYS).map(([role, key]) => [
    role,
    roles[key].map((name) => visible(name)).join(", "),
  ]);
}

/** Files of the board that were restored when the run was resumed. */
export function restoredStatements({ restoredFiles = [] }: RunResumed, { lang }: TerminalTexts): Description {
  if (restoredFiles.length === 0) return [];
  const [kept] = restoredFiles.flatMap((one) => one.kept ?? []);
  const files = listed(restoredFiles.map(({ file }) => file));
  const where = kept === undefined ? null : visible(dirname(kept));
  return [warns("run", boardTerms[lang].restoredFiles(files, where))];
}

/** Files that changed during a turn. The board is restored at once; other inputs keep the contents from the start of the run. */
export function inputStatements(
  { changedInputs, stdout }: Pick<TurnEnded, "changedInputs" | "stdout">,
  { boardDir }: OrchestrateSettings,
  texts: TerminalTexts,
): Description {
  const board = boardTerms[texts.lang];
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
  const where = only === undefined ? null : visible(copyOf(kept.length === 1 ? only : "*"));
  const lost = removed.length === 0 ? null : listed(removed);
  return [
    ...(names.length === 0 ? [] : [board.meddled(listed(names), where, lost)]),
    ...(added.length === 0 ? [] : [board.added(listed(added))]),
    ...(others.length === 0 ? [] : [texts.inputsChanged(others)]),
  ].map((text) => warns("agent", text));
}

/** Files that a turn changed without permission. After an interrupted turn their author is unknown. */
export function changeStatements(
  who: string,
  changed: readonly string[] | null,
  { attempt, turn }: Pick<MainEnded | TurnEnded, "attempt" | "turn">,
  state: RunState,
  { lang }: TerminalTexts,
): Description {
  if (changed === null || changed.length === 0) return [];
  const board = boardTerms[lang];
  const say = followsCutOff(state, attempt, turn) ? board.changedAround : board.forbidden;
  return [warns("agent", say(who, listed(changed)), attempt)];
}

/** Shown before the decision that MAIN made with its tools; once a run. */
export function toolStatements(
  { tools, turn, agent }: MainEnded,
  { attempts }: RunState,
  { lang }: TerminalTexts,
): Description {
  const first = attempts.flatMap(({ main }) => main).find((asked) => asked.tools !== "none");
  if (tools === "none" || first?.turn !== turn) return [];
  return [warns("agent", boardTerms[lang].mainTools(visible(agent.name), tools))];
}

export function editStatements(
  { plan, context, projectEnv }: BoardEdited,
  { lang }: TerminalTexts,
): Description {
  const files = [
    plan !== null && BOARD.plan,
    context !== null && BOARD.context,
    projectEnv !== null && BOARD.env,
  ];
  const edited = boardTerms[lang].edited(files.filter(Boolean).join(", "));
  return [{ ...warns("person", edited), isDetail: false }];
}
