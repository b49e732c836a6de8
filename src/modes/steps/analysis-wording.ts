import { succeeded } from "../../platform/process/process-end.ts";
import type { Attempt } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import { analysisProblemText } from "./words/step-problems.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { listed } from "./step-error.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { endText } from "../../ui/wording.ts";

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
