import { evidenceRules } from "../../evidence/rules.ts";
import { commandsDue, commandsOf } from "./call.ts";
import { hasFinished, reportIn, roleOf } from "../../core/board/iterations.ts";
import { tasksOf } from "../../core/board/plan.ts";
import { hasRestoredTests } from "./task-evidence.ts";
import type { EventOwnedBy, RunEvent } from "../../core/event.ts";
import type { FoldContext, ModeRules } from "../../core/mode.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import type { Verdict } from "../../core/verdict.ts";
import { judgeFinish, judgeRole } from "./verdict-role.ts";
import { firstBoard, questionAbout, settled, whileWorking, withMain, withPersonsEdits } from "./fold.ts";
import { whyNoBoardQuestion, whyNoBoardTurn, whyNoEdit, whyNotMains } from "./legality.ts";
import { nextOnBoard } from "./policy.ts";

export const orchestrateRules: ModeRules<OrchestrateSettings> = {
  name: "orchestrate",
  turnResult: "role_report",
  claims: false,
  movesBase: true,
  hasPerson: false,
  knowsTestsAtStart: false,
  prompts: ({ prompts }) => Object.values(prompts),
  begin: (settings) => ({ board: firstBoard(settings) }),
  next: nextOnBoard,
  fold: foldBoard,
  verdict: (state, attempt) => judgeIteration(attempt, state),
  // A task's test is written while the task is in progress.
  baseCommands: () => [],
  testCommands: ({ board }) => (board ? commandsOf(tasksOf(board.plan)) : []),
  commandsDue(state, phase) {
    const attempt = lastAttempt(state);
    return attempt && phase === "acceptance" ? commandsDue(attempt) : [];
  },
  checksWithoutTurn: (_, { call }) => call?.answer.nextAgent === "FINISH",
  testsDecide: true,
  // TEST writes tests. The board's rules say what else it must not change.
  protectsTests: (_, { call }) => call?.answer.nextAgent !== "TEST",
  expectsChange: () => false,
  questionAbout,
  evidence: evidenceRules,
  legality: {
    own(state, event: EventOwnedBy<"orchestrate">) {
      switch (event.type) {
        case "main_ended":
          return whyNotMains(state, event);
        case "board_edited":
          return whyNoEdit(state, event);
      }
    },
    turn: whyNoBoardTurn,
    question: whyNoBoardQuestion,
    passed(state, { reason }) {
      if (reason !== "accepted") return "the reason does not fit the status";
      const last = lastAttempt(state);
      return last && hasFinished(last) ? null : "MAIN did not finish, or something was red";
    },
    moreLoops: ({ attempts }, maxLoops) => (maxLoops > attempts.length ? null : "no iteration would be left"),
  },
};

function foldBoard(after: RunState, event: RunEvent, { before }: FoldContext): RunState {
  switch (event.type) {
    case "run_resumed":
      // A person who only answers the question starts nothing. Otherwise a command may be next, and no event announces it.
      return before.question ? after : { ...after, board: settled(after.board, false) };
    case "turn_started":
      return { ...after, board: whileWorking(after.board, event) };
    case "main_ended":
      return withMain(after, event);
    case "board_edited":
      return withPersonsEdits(after, event);
    case "run_stopped":
    case "question_asked":
      return { ...after, board: settled(after.board, true) };
    default:
      return after;
  }
}

/** Compares MAIN's call with the foreman's evidence. */
function judgeIteration(attempt: Attempt, state: RunState): Verdict | null {
  const { call, turn } = attempt;
  if (!call || call.finishRefused) return null;
  const checks = attempt.checks.map(endInEvidence);
  const due = commandsDue(attempt).length;
  if (call.answer.nextAgent === "FINISH") return judgeFinish(checks, due);
  const role = roleOf(attempt);
  const report = reportIn(attempt);
  if (!role || !turn || !report || !call.order) return null;
  return judgeRole({
    role,
    order: call.order,
    tasks: call.tasks,
    turn: { end: turn.process.end, agentFailure: turn.agent?.failure?.class ?? null },
    report,
    checks,
    due,
    restored: hasRestoredTests(state, attempt),
  });
}
