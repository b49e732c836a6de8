import { historyFields } from "./history.ts";
import { oneLine, repeatsWords, sameQuestion, type BoardDecision } from "./decisions.ts";
import { allDecisions, decisionsOf, isForThisRun } from "./decided.ts";
import { reportIn } from "./iterations.ts";
import type { RoleSaid } from "./role-said.ts";
import type { Broken } from "./rule.ts";
import type { Case, Rules } from "./rules-case.ts";

const UNRESOLVED_AFTER = 3;

/** When a person may be asked, and what: `user_cause:` in the history, where MAIN names one, has to be true. */
export const userRules: Rules = (seen) => {
  const { answer, previous } = seen;
  if (answer.nextAgent !== "USER" || !answer.question) return [];
  const { question } = answer.question;
  const said = (previous && reportIn(previous)?.said) ?? null;
  const asked = said?.clarification ?? null;
  const isPassedOn = asked === null || repeatsWords(question, asked);
  const decided = standingDecisions(seen).find((decision) => sameQuestion(decision.question, question));
  return [
    ...causeRules(seen, said),
    ...(isPassedOn ? [] : [{ rule: "question_not_passed_on", about: oneLine(asked).slice(0, 500) } as const]),
    ...(decided
      ? [{ rule: "already_decided", about: `[${decided.iteration}] ${decided.option}` } as const]
      : []),
  ];
};

function causeRules({ answer, failures }: Case, said: RoleSaid | null): readonly Broken[] {
  const cause = historyFields(answer.historyAppend).fields.get("user_cause");
  if (cause === undefined) return [];
  const blocked = said?.claim === "BLOCKED" || said?.blockType != null;
  const founded: Readonly<Record<string, boolean>> = {
    permission: blocked,
    environment: blocked,
    unresolved: failures.count >= UNRESOLVED_AFTER,
    clarification: said?.clarification != null || said?.fault === "requirements",
    major_choice: true,
  };
  return founded[cause] === true ? [] : [{ rule: "user_cause_unfounded", about: cause }];
}

/** What was dropped or skipped in an earlier run is asked again. */
function standingDecisions({ state }: Case): readonly BoardDecision[] {
  const own = decisionsOf(state);
  return allDecisions(state).filter((decision) => !isForThisRun(decision) || own.includes(decision));
}
