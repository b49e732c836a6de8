import type { RunResumed, RunStarted } from "../domain/event.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { restoredText } from "./board-inputs.ts";
import { iterationsUsed, listed, milestoneText } from "./board-wording.ts";
import type { Line } from "./page.ts";
import { agentLines, warning } from "./shared-history.ts";
import { containmentText } from "./wording.ts";

const PREVIEWED = 6;

/** Who is who, and how the plan stands. */
export function boardStart(event: RunStarted, state: RunState, texts: TerminalTexts): Line[] {
  return [
    headLine(state, [], texts.board.upTo(state.maxLoops), texts),
    overview(state, texts),
    ...agentLines(event, state, texts),
  ];
}

export function boardResumed(event: RunResumed, state: RunState, texts: TerminalTexts): Line[] {
  const used = texts.board.iterationsUsed(iterationsUsed(state), state.maxLoops);
  const restoredFiles = restoredText(event, texts);
  return [
    headLine(state, [texts.resumed], used, texts),
    overview(state, texts),
    ...(restoredFiles === null ? [] : [warning(restoredFiles)]),
  ];
}

function headLine(state: RunState, terms: readonly string[], limit: string, texts: TerminalTexts): Line {
  const parts = [
    `orchestrate ${state.runId}`,
    ...terms,
    ...(state.settings.mode === "orchestrate" ? rolesOf(state.settings) : []).map(
      ([role, names]) => `${role} ${names}`,
    ),
    limit,
    containmentText(state.containment, texts),
  ];
  return { text: parts.join("  ") };
}

/** `MAIN`, `claude, codex`, and so on. */
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
