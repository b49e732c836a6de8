import { boardTerms } from "./words/terminal.ts";
import type { RunResumed, RunStarted } from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { restoredText } from "./board-inputs.ts";
import { iterationsUsed, listed, milestoneText } from "./board-wording.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import { agentStatements } from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { containmentText } from "../../ui/wording.ts";

const PREVIEWED = 6;

/** The roles with their agents, and the progress of the plan. */
export function boardStart(
  event: RunStarted,
  state: RunOf<OrchestrateSettings>,
  texts: TerminalTexts,
): Description {
  return [
    headLine(state, [], texts.upTo(state.maxLoops), texts),
    overview(state, texts),
    ...agentStatements(event, state, texts),
  ];
}

export function boardResumed(
  event: RunResumed,
  state: RunOf<OrchestrateSettings>,
  texts: TerminalTexts,
): Description {
  const used = boardTerms[texts.lang].iterationsUsed(iterationsUsed(state), state.maxLoops);
  return [
    headLine(state, [texts.resumed], used, texts),
    overview(state, texts),
    ...restoredStatements(event, texts),
  ];
}

export function restoredStatements(event: RunResumed, texts: TerminalTexts): Description {
  const text = restoredText(event, texts);
  return text === null ? [] : [warns("run", text)];
}

function headLine(
  state: RunOf<OrchestrateSettings>,
  terms: readonly string[],
  limit: string,
  texts: TerminalTexts,
): Line {
  const parts = [
    `orchestrate ${state.runId}`,
    ...terms,
    ...rolesOf(state.settings).map(([role, names]) => `${role} ${names}`),
    limit,
    containmentText(state.containment, texts),
  ];
  return { text: parts.join("  ") };
}

/** The agents of each role: `MAIN`, `claude, codex`, and so on. */
export function rolesOf({ roles }: OrchestrateSettings): readonly (readonly [role: string, names: string])[] {
  const { main, test, dev, review } = roles;
  const names = (agents: readonly string[]): string => agents.map((name) => visible(name)).join(", ");
  return [
    ["MAIN", names(main)],
    ["TEST", names(test)],
    ["DEV", names(dev)],
    ["REVIEW", names(review)],
  ];
}

function overview({ board }: RunState, texts: TerminalTexts): Line {
  return { text: listed((board?.plan.milestones ?? []).map(milestoneText), PREVIEWED, texts, "  ") };
}
