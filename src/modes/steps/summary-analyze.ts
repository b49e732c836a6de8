import { stepTerms } from "./words/terminal.ts";
import type { EndReason, Impasse } from "../../core/event.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState, type Attempt } from "../../core/state.ts";
import { listed, visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import type { Parting } from "../../engine/reporter.ts";
import { coverageFact } from "./planned-steps.ts";
import { analyzeCommand, runWrittenCommand } from "./run-steps-command.ts";
import { resumeCommand } from "../../ui/shell-command.ts";
import {
  continued,
  endWith,
  interruptedEnd,
  labelled,
  pathRow,
  row,
  type End,
} from "../../ui/summary-parts.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { analysisProblemText } from "./words/step-problems.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { endText } from "../../ui/wording.ts";

export function analyzeEnd(
  reason: EndReason,
  state: RunOf<AnalyzeSettings>,
  _parting: Parting,
  texts: TerminalTexts,
): End {
  const { ended, written, runId, settings } = state;
  const steps = stepTerms[texts.lang];
  if (ended?.status !== "passed" || !written) {
    const text = steps.endNothingWritten(reason === "cancelled" ? "cancelled" : "limit_reached");
    return endWith("✗", text, `agent-foreman show ${runId}`, lastAnswer(state, texts));
  }
  const [count, dir, facts] = [written.files.length, visible(written.dir), [coverageFact(written, texts)]];
  if (settings.dryRun) {
    const next = analyzeCommand(settings, settings.calledFrom);
    return { head: { text: steps.notWritten(count, dir) }, facts, next };
  }
  const text = (written.unchanged ? steps.unchanged : steps.written)(count, dir);
  const next = runWrittenCommand(settings, written.dir, settings.calledFrom);
  return { head: { text, tone: "good" }, facts, next };
}

export function analyzeInterrupted(state: RunOf<AnalyzeSettings>, texts: TerminalTexts): End {
  const text = texts.endInterrupted(state.stopped, lastAttempt(state)?.index ?? null);
  return interruptedEnd(text, state, lastAnswer(state, texts));
}

/** The answer can be used, but the place for its steps is taken. */
export function analyzeImpasse(impasse: Impasse, state: RunState, texts: TerminalTexts): End | null {
  if (impasse !== "steps_dir_exists") return null;
  const { endDirExists, label, moveItAway } = stepTerms[texts.lang];
  const product = lastAttempt(state)?.turn?.product;
  const dir = visible((product?.kind === "analysis" ? product.dir : null) ?? "");
  return endWith("!", endDirExists, resumeCommand(state), [labelled(label.dir, dir), continued(moveItAway)]);
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

/** Why an answer was not used as steps. */
export function whyUnusable({ turn }: Attempt, texts: TerminalTexts): string {
  if (turn?.product?.kind !== "analysis") return "";
  const { process, agent, product } = turn;
  const { problem, changed } = product;
  const parts = [
    ...agentFacts(agent, texts),
    ...(succeeded(process.end) ? [] : [texts.agentEnded(endText(process.end, texts))]),
    ...(problem ? [visible(analysisProblemText(problem, texts.lang))] : []),
    ...(changed !== null && changed.length > 0
      ? [`${texts.reason.agent_changed_tree}${texts.colon}${listed(changed)}`]
      : []),
  ];
  return parts.join(texts.partSeparator);
}
