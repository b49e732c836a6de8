import { milestoneToReview } from "../call.ts";
import {
  isDroppedOrSkipped,
  allDecisions,
  decisionsOf,
  isForThisRun,
  droppedTasks,
} from "../user-decisions.ts";
import { isAccepted, isInvestigation, overIn, reportIn, roleOf } from "../../../core/board/iterations.ts";
import { openFeedback, whyNotRed } from "../task-evidence.ts";
import {
  isOpen,
  milestoneOf,
  taskIn,
  taskIdsIn,
  type Milestone,
  type PlanTask,
  tasksOf,
} from "../../../core/board/plan.ts";
import { bodyOf } from "./read-order.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { Case, Rules } from "./rules-case.ts";
import { historyFields } from "../history.ts";
import { oneLine, repeatsWords, sameQuestion, type BoardDecision } from "../../../core/board/decisions.ts";
import type { RoleSaid } from "../../../core/board/role-said.ts";

/** A task that has been blocked for more iterations than this does not have to block the others. */
const BLOCKED_FOR = 2;
const DONE_FOR_PARTIAL = 3;
/** After this many failures of the same kind, another try does not help. */
const TOO_OFTEN = 3;

/** The roles that MAIN may call now. */
export const dispatchRules: Rules = (seen) => {
  switch (seen.answer.nextAgent) {
    case "TEST":
    case "DEV":
      return [...workRules(seen), ...followRules(seen), ...retryRules(seen)];
    case "REVIEW":
      return [...reviewRules(seen), ...followRules(seen), ...retryRules(seen)];
    case "USER":
    case "FINISH":
      return followRules(seen);
  }
};

function workRules(seen: Case): readonly Broken[] {
  const { answer, order, state, plan, tasks } = seen;
  const [task] = tasks;
  if (!task) return [{ rule: "no_open_task", about: answer.nextAgent }];
  const unreviewed = plan.milestones
    .slice(
      0,
      plan.milestones.findIndex((milestone) => milestone === milestoneOf(plan, task.id)),
    )
    .filter((milestone) => !isReviewed(milestone, seen));
  const broken: Broken[] = unreviewed.map(({ id }) => ({ rule: "milestone_not_reviewed", about: id }));
  const waived = (order?.redWaiver ?? "") !== "";
  const why = answer.nextAgent === "DEV" && !waived ? whyNotRed(state, task) : null;
  if (why !== null)
    broken.push({ rule: "red_not_confirmed", about: why === "never" ? task.id : `${task.id} ${why}` });
  return broken;
}

/** Every task is verified, except those that have long been blocked or were so before the run, and dropped or skipped ones. */
function isReviewed({ tasks }: Milestone, seen: Case): boolean {
  const left = tasks.filter((task) => !isDroppedOrSkipped(task, seen.skipped));
  const wasBlocked = ({ id, status }: PlanTask): boolean =>
    status === "BLOCKED" && seen.state.board?.since[id] === 0;
  const settled = left.every(
    (task) => task.status === "VERIFIED" || wasBlocked(task) || isLongBlocked(task, seen),
  );
  return settled && (left.length === 0 || left.some(({ status }) => status === "VERIFIED"));
}

function reviewRules(seen: Case): readonly Broken[] {
  const { order, plan, tasks, skipped } = seen;
  if (order?.reviewMode === "investigate") return [];
  const milestone = milestoneToReview(plan);
  if (!milestone || (tasks.length === 0 && order?.task === null))
    return [{ rule: "nothing_to_review", about: milestone?.id ?? "" }];
  const isWhole = milestone.tasks.every(
    (task) => task.status === "DONE" || task.status === "VERIFIED" || isDroppedOrSkipped(task, skipped),
  );
  const isExcluding = milestone.tasks.some((task) => isDroppedOrSkipped(task, skipped));
  if (isWhole && (order?.partial == null || isExcluding)) return [];
  return order?.partial == null ? unlabelled(milestone, seen) : partialRules(milestone, seen);
}

function unlabelled(milestone: Milestone, seen: Case): readonly Broken[] {
  if (whyNotPartial(milestone, seen) === null) return [{ rule: "partial_title", about: milestone.id }];
  const open = milestone.tasks
    .filter((task) => isOpen(task) && !isDroppedOrSkipped(task, seen.skipped))
    .map(({ id }) => id);
  return open.length > 0
    ? [{ rule: "review_too_early", about: open.join(", ") }]
    : [{ rule: "partial_not_allowed", about: whyNotPartial(milestone, seen) ?? "" }];
}

function partialRules(milestone: Milestone, seen: Case): readonly Broken[] {
  const why = whyNotPartial(milestone, seen);
  if (why !== null) return [{ rule: "partial_not_allowed", about: why }];
  const { order, answer } = seen;
  if (order?.partial !== milestone.id) return [{ rule: "partial_title", about: milestone.id }];
  const named = new Set(taskIdsIn(answer.task ?? ""));
  const unnamed = milestone.tasks
    .filter(({ id, status }) => (status === "DONE" || status === "BLOCKED") && !named.has(id))
    .map(({ id }) => id);
  return unnamed.length === 0 ? [] : [{ rule: "partial_scope", about: unnamed.join(", ") }];
}

function isLongBlocked({ id, status }: PlanTask, { state, before, index }: Case): boolean {
  // A task that this very answer sets to BLOCKED has just been something else.
  const was = taskIn(before, id)?.status;
  return status === "BLOCKED" && was === status && index - (state.board?.since[id] ?? index) > BLOCKED_FOR;
}

/** The first unmet condition of a partial review; null: none. */
function whyNotPartial({ tasks }: Milestone, seen: Case): string | null {
  const { before, plan } = seen;
  const blocked = tasks.filter(({ status }) => status === "BLOCKED");
  const done = tasks.filter(({ status }) => status === "DONE");
  const long = blocked.filter((task) => isLongBlocked(task, seen));
  if (long.length === 0) return `BLOCKED <= ${BLOCKED_FOR}`;
  if (done.length < DONE_FOR_PARTIAL) return `DONE < ${DONE_FOR_PARTIAL}`;
  // Also uses the dependencies from before this answer, so that MAIN cannot remove one to get around it.
  const dependsOn = (id: string): readonly string[] => [
    ...(taskIn(plan, id)?.depends ?? []),
    ...(taskIn(before, id)?.depends ?? []),
  ];
  const bound = done.find(({ id }) =>
    blocked.some((other) => dependsOn(id).includes(other.id) || dependsOn(other.id).includes(id)),
  );
  return bound ? `depends: ${bound.id}` : null;
}

/** Consequences of the last report. */
function followRules(seen: Case): readonly Broken[] {
  const { state, answer, order, previous } = seen;
  const report = previous && reportIn(previous);
  if (!previous || !report) return [];
  const { said } = report;
  const investigates = answer.nextAgent === "REVIEW" && order?.reviewMode === "investigate";
  const broken: Broken[] = [];
  const asksPerson = answer.nextAgent === "USER";
  if (openFeedback(overIn(state)) !== null && !investigates && !asksPerson)
    broken.push({ rule: "feedback_not_investigated", about: answer.nextAgent });
  if (roleOf(previous) === "REVIEW") broken.push(...foundRules(seen));
  const replies = order?.sections.some(
    ({ name, text }) => name === "clarification_reply" && text.trim() !== "",
  );
  if (said.clarification !== null && replies !== true && !asksPerson)
    broken.push({ rule: "clarification_unanswered", about: answer.nextAgent });
  return broken;
}

/** REVIEW's finding decides who is next. MAIN may ask a person instead, and is free after an investigation that it started itself. */
function foundRules({ state, answer, previous }: Case): readonly Broken[] {
  const said = previous && reportIn(previous)?.said;
  if (!said || !previous.call || answer.nextAgent === "USER") return [];
  const agents = { implementation: "DEV", test: "TEST", requirements: "USER", none: null } as const;
  if (isInvestigation(previous)) {
    const before = overIn(state).slice(0, -1);
    if (!isAccepted(previous) || openFeedback(before) === null) return [];
    const wanted = said.fault && agents[said.fault];
    return wanted && wanted !== answer.nextAgent
      ? [{ rule: "not_what_investigation_found", about: `${said.fault}, ${wanted}` }]
      : [];
  }
  const wanted = said.claim === "FAIL" && said.failureType ? agents[said.failureType] : null;
  return wanted && wanted !== answer.nextAgent
    ? [{ rule: "not_what_review_found", about: `${said.failureType}, ${wanted}` }]
    : [];
}

/** Repeating the same call after failures is not a plan. */
function retryRules({ answer, failures, tasks }: Case): readonly Broken[] {
  const { count, last } = failures;
  const call = last?.call;
  if (count < 2 || !call) return [];
  const isSame =
    call.answer.nextAgent === answer.nextAgent && call.tasks.join() === tasks.map(({ id }) => id).join();
  if (!isSame) return [];
  if (count >= TOO_OFTEN) return [{ rule: "failed_three_times", about: answer.nextAgent }];
  return bodyOf(call.answer.task ?? "") === bodyOf(answer.task ?? "")
    ? [{ rule: "mechanical_retry", about: answer.nextAgent }]
    : [];
}

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

/** A run passes only if no requested work is left. */
export const finishRules: Rules = (seen) => {
  const { answer, before, plan, previous, state } = seen;
  if (answer.nextAgent !== "FINISH") return [];
  const dropped = droppedTasks(state);
  const tasks = tasksOf(plan);
  const verified = tasks.filter(
    ({ id, status }) => status === "VERIFIED" && taskIn(before, id)?.status !== "VERIFIED",
  );
  const failed = previous?.judged?.verdict === "rejected";
  const undone = tasks.filter(
    (task) => (task.status === "DOING" || task.status === "BLOCKED") && !isDroppedOrSkipped(task, dropped),
  );
  const anyVerified = tasks.some(({ status }) => status === "VERIFIED");
  const todo = tasks.filter((task) => task.status === "TODO" && !isDroppedOrSkipped(task, dropped));
  return [
    ...about("finish_with_update", verified),
    ...about(
      "finish_done_left",
      tasks.filter(({ status }) => status === "DONE"),
    ),
    ...about("finish_not_verified", undone),
    ...(undone.length === 0 && !anyVerified ? [{ rule: "finish_not_verified", about: "" } as const] : []),
    ...about("finish_todo_left", todo),
    ...(failed
      ? [{ rule: "finish_last_report", about: previous.judged?.reasons.join(", ") ?? "" } as const]
      : []),
  ];
};

function about(rule: Broken["rule"], tasks: readonly PlanTask[]): readonly Broken[] {
  return tasks.length === 0 ? [] : [{ rule, about: tasks.map(({ id }) => id).join(", ") }];
}
