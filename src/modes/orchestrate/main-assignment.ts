import { nameOnBoard } from "./disk/names.ts";
import { findDanger } from "../../text/danger/danger.ts";
import type { MainAnswer } from "../../core/board/answer.ts";
import { commandsOf, currentTask } from "./call.ts";
import { decisionsOf, skippedTasks } from "./user-decisions.ts";
import { iterationOf, openIteration } from "../../core/board/iterations.ts";
import { isAfterCutOff, judgeAnswer } from "./judge-answer.ts";
import { openCalls } from "./open-calls.ts";
import { tasksOf } from "../../core/board/plan.ts";
import { readAnswer } from "./rules/read-answer.ts";
import { readPlan } from "./rules/read-plan.ts";
import type { Broken } from "../../core/board/rule.ts";
import { selfCheckFor } from "./self-check.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { isMarked } from "../../text/secret.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { sessionKey, type Attempt, type RunState } from "../../core/state.ts";
import { historyForMain } from "./history.ts";
import { mainPrompt, mainReminder, situationText, type Situation } from "./board-prompts.ts";
import { treeText, forbiddenChanges } from "./board-tree.ts";
import type { Assignment } from "../../engine/assignment.ts";
import { previousFeedbackOf } from "../../engine/feedback.ts";
import { writeIterationReport } from "./iteration-report.ts";
import type { RunContext } from "../../engine/ports.ts";
import { keptInput } from "../../engine/turn-files.ts";

/** MAIN decides by its prompt alone; it must not read files or work. */
export function mainAssignment(
  attempt: number,
  state: RunState,
  settings: OrchestrateSettings,
  context: RunContext,
): Assignment {
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  return {
    prompt: promptFor(attempt, state, settings, context),
    tools: "none",
    env: {
      GA_ROLE: "MAIN",
      GA_ITERATION: String(iterationOf(state, attempt)),
      GA_WORKDIR: settings.cwd,
    },
    answers: (finalText) => "answer" in readAnswer(finalText),
    conclude: (finalText, ended, tools) => {
      // Output of a turn that failed is not a decision, however much it looks like one.
      const { failure } = ended.agent;
      const worked = succeeded(ended.process.end) && (failure === null || failure.class === "no_output");
      const read = worked ? readAnswer(finalText) : TURN_FAILED;
      const answer = "answer" in read ? read.answer : null;
      const refusedCommands = answer ? refusedIn(answer, state) : [];
      const { changed } = forbiddenChanges("MAIN", before, state, context);
      // After an interrupted turn, changes from before this turn may be that turn's or a person's.
      const isBlamed = !isAfterCutOff(state) || before?.sha256 !== context.tree.last?.sha256;
      const broken =
        "broken" in read
          ? read.broken
          : judgeAnswer(state, read.answer, { changed: isBlamed ? changed : [], refusedCommands });
      return { type: "main_ended", ...ended, tools, answer, broken, refusedCommands, changed };
    },
  };
}

const TURN_FAILED: { readonly broken: readonly Broken[] } = { broken: [{ rule: "turn_failed", about: "" }] };

/** New commands in the plan that are redacted or dangerous to run. */
function refusedIn({ devPlanNext }: MainAnswer, { board }: RunState): readonly string[] {
  const read = devPlanNext === null ? null : readPlan(devPlanNext);
  if (!read || !board || "problems" in read) return [];
  const known = new Set(commandsOf(tasksOf(board.plan)));
  return commandsOf(tasksOf(read.plan)).filter(
    (command) => !known.has(command) && (isMarked(command) || findDanger(command) !== undefined),
  );
}

function promptFor(
  attempt: number,
  state: RunState,
  settings: OrchestrateSettings,
  context: RunContext,
): string {
  const situation = situationText(settings.lang, situationOf(attempt, state, settings));
  const session = state.sessions[sessionKey("main", state.openTurn?.agent ?? "")];
  if (state.openTurn?.resumes != null && session?.compacted !== true)
    return `${situation}\n\n${mainReminder(settings.lang)}\n`;
  const { historySha256 } = settings;
  const earlier = historySha256 === null ? "" : keptInput(context, { sha256: historySha256 });
  return mainPrompt(settings, {
    iteration: iterationOf(state, attempt),
    maxIterations: iterationOf(state, state.maxLoops),
    context: state.board?.context ?? "",
    environment: state.board?.projectEnv ?? "",
    tree: treeText(context.tree.last, settings.boardDir),
    history: historyForMain(earlier, state, settings.lang),
    situation,
  });
}

function situationOf(attempt: number, state: RunState, settings: OrchestrateSettings): Situation {
  const { board, attempts } = state;
  if (!board) throw new Error("there is no board");
  const iteration = iterationOf(state, attempt);
  const reported = attempts.findLast(({ judged }) => judged !== null);
  const asked = state.decisions.findLast((decision) => decision.about === "main");
  const current = currentTask(board.plan, skippedTasks(state));
  return {
    iteration,
    lastIteration: iterationOf(state, state.maxLoops),
    plan: board.text,
    report: reported ? previousFeedbackOf(state, reported, writeIterationReport) : null,
    decisions: [...settings.decided, ...decisionsOf(state)],
    current: current?.id ?? null,
    currentTodo: current?.status === "TODO",
    ...brokenBefore(state),
    comment: asked?.attempt === attempt ? asked.note : null,
    selfCheck: selfCheckFor(state, iteration, attempt),
    changedBoard: changedOnBoard(state, settings),
  };
}

/** Changes to the board since MAIN was last asked, including MAIN's own. */
function changedOnBoard({ attempts }: RunState, { boardDir }: OrchestrateSettings): readonly string[] {
  const turns = attempts.flatMap(({ main, turn }) => [...main, ...(turn ? [turn] : [])]);
  const since = turns.slice(
    Math.max(
      0,
      turns.findLastIndex(({ type }) => type === "main_ended"),
    ),
  );
  const paths = new Set(since.flatMap(({ changedInputs }) => changedInputs));
  return [...paths].flatMap((path) => nameOnBoard(path, boardDir) ?? []);
}

/** Feedback on MAIN's last answer: in this iteration, or after a FINISH that came too early. */
function brokenBefore(state: RunState): Pick<Situation, "broken" | "brokenPlanApplied" | "openCalls"> {
  const open = openIteration(state);
  const last: Attempt | undefined = state.attempts.findLast(({ main }) => main.length > 0);
  const isPlanApplied = last?.call?.finishRefused === true;
  const counts = isPlanApplied || (open !== undefined && open === last);
  const broken = counts ? (last?.main.at(-1)?.broken ?? []) : [];
  return { broken, brokenPlanApplied: isPlanApplied, openCalls: broken.length > 0 ? openCalls(state) : [] };
}
