import { historyFields } from "../history.ts";
import { oneLine, repeatsWords, sameQuestion, type BoardDecision } from "../../../core/board/decisions.ts";
import { allDecisions, decisionsOf, isForThisRun } from "../user-decisions.ts";
import { reportIn } from "../../../core/board/iterations.ts";
import type { RoleSaid } from "../../../core/board/role-said.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { Case, Rules } from "./rules-case.ts";

const UNRESOLVED_AFTER = 3;

/** When MAIN may ask a person, and what. `user_cause:` in the history, if MAIN gives one, has to be true. */
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

/** MAIN asks again about tasks that were dropped or skipped in an earlier run. */
function standingDecisions({ state }: Case): readonly BoardDecision[] {
  const own = decisionsOf(state);
  return allDecisions(state).filter((decision) => !isForThisRun(decision) || own.includes(decision));
}
