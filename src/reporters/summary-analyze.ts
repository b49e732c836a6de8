import { impasseOf } from "../domain/end.ts";
import type { AnalyzeSettings } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { whyUnusable } from "./analysis-wording.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { coverageFact } from "./planned-steps.ts";
import { analyzeCommand, runWrittenCommand } from "./run-steps-command.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { pathRow, row, type End } from "./summary-parts.ts";

/** How `analyze` leaves a run. */
export function analyzeEnd(
  state: RunState,
  settings: AnalyzeSettings,
  parting: Parting,
  texts: TerminalTexts,
): End {
  const { ended, written, runId } = state;
  if (ended?.status === "passed" && written) {
    const [count, dir, facts] = [written.files.length, visible(written.dir), [coverageFact(written, texts)]];
    if (settings.dryRun)
      return {
        head: { text: texts.steps.notWritten(count, dir) },
        facts,
        next: analyzeCommand(settings, settings.calledFrom),
      };
    return {
      head: {
        text: (written.unchanged ? texts.steps.unchanged : texts.steps.written)(count, dir),
        tone: "good",
      },
      facts,
      next: runWrittenCommand(settings, written.dir, settings.calledFrom),
    };
  }
  if (ended) {
    const why = ended.reason === "cancelled" ? "cancelled" : "limit_reached";
    return {
      head: { text: `✗ ${texts.steps.endNothingWritten(why)}`, tone: "bad" },
      facts: lastAnswer(state, texts),
      next: `agent-foreman show ${runId}`,
    };
  }
  const impasse = impasseOf(state.stopped);
  if (impasse !== null) return stoppedBy(impasse, state, parting, texts);
  const interrupted = texts.endInterrupted(state.stopped, lastAttempt(state)?.index ?? null);
  return {
    head: { text: `! ${interrupted}`, tone: "warn" },
    facts: lastAnswer(state, texts),
    next: `agent-foreman resume ${runId}`,
  };
}

/** Why the last answer was not used, and where it is. */
function lastAnswer(state: RunState, texts: TerminalTexts): Line[] {
  const last = state.attempts.findLast(({ judged }) => judged?.verdict === "rejected");
  if (!last?.turn) return [];
  const { agent, stdout } = last.turn;
  return [
    row("why", whyUnusable(last, texts), texts),
    pathRow("output", (agent?.message ?? stdout).path, texts),
  ];
}
