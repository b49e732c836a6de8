import { isSameAgent } from "../../../core/board/answer.ts";
import { historyFields } from "../history.ts";
import { reportIn } from "../../../core/board/iterations.ts";
import { tasksOf } from "../../../core/board/plan.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { Case, Rules } from "./rules-case.ts";

/** A reason may follow in brackets or after a full stop. Other punctuation may introduce an exception, which is a change. */
const NO_CHANGE = /^(?:无变更|无|no changes?|unchanged|none)\s*(?:[(（][^]*[)）]\s*)?(?:$|\.(?=\s|$)|。)/iu;
const FIELDS = ["next_agent", "reason", "dev_plan"] as const;

/** The form of an entry for `project_history.md`, which is read again when the history is compacted. */
export const historyRules: Rules = (seen) => {
  const { answer, iteration } = seen;
  const { iteration: said, fields } = historyFields(answer.historyAppend);
  const broken: Broken[] = [];
  // One entry per answer: a second header would move words into another iteration.
  const headers = answer.historyAppend.match(/^## Iteration \d/gm) ?? [];
  if (said !== iteration || headers.length > 1)
    broken.push({ rule: "history_header", about: String(iteration) });
  for (const field of FIELDS)
    if ((fields.get(field) ?? "") === "") broken.push({ rule: "history_field", about: field });
  const next = fields.get("next_agent");
  if (next !== undefined && !isSameAgent(next, answer.nextAgent))
    broken.push({ rule: "history_next_agent", about: `${next}, ${answer.nextAgent}` });
  return [...broken, ...changeRules(fields.get("dev_plan"), seen), ...addedFields(fields, seen)];
};

function changeRules(said: string | undefined, { answer, state }: Case): readonly Broken[] {
  if (said === undefined || said === "") return [];
  const changes = answer.devPlanNext !== null && answer.devPlanNext.trim() !== state.board?.text.trim();
  return NO_CHANGE.test(said) === changes ? [{ rule: "history_dev_plan", about: said }] : [];
}

function addedFields(fields: ReadonlyMap<string, string>, seen: Case): readonly Broken[] {
  const { plan, previous, failures } = seen;
  const lacks = (field: string): boolean => (fields.get(field) ?? "") === "";
  const blocked = tasksOf(plan).filter(({ status }) => status === "BLOCKED");
  const isBlocked = blocked.length > 0 || (previous && reportIn(previous)?.said.claim) === "BLOCKED";
  return [
    ...(isBlocked && lacks("blockers")
      ? [{ rule: "history_blockers", about: blocked.map(({ id }) => id).join(", ") } as const]
      : []),
    ...(failures.count >= 2 && lacks("root_cause_analysis")
      ? [{ rule: "root_cause_missing", about: String(failures.count) } as const]
      : []),
  ];
}
