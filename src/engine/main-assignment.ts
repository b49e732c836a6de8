import { nameOnBoard } from "../board/names.ts";
import { findDanger } from "../checks/danger.ts";
import type { MainAnswer } from "../domain/board/answer.ts";
import { commandsOf, currentTask } from "../domain/board/call.ts";
import { decisionsOf, skippedTasks } from "../domain/board/decided.ts";
import { iterationOf, openIteration } from "../domain/board/iterations.ts";
import { isAfterCutOff, judgeAnswer } from "../domain/board/judge-answer.ts";
import { openCalls } from "../domain/board/open-calls.ts";
import { tasksOf } from "../domain/board/plan.ts";
import { readAnswer } from "../domain/board/read-answer.ts";
import { readPlan } from "../domain/board/read-plan.ts";
import type { Broken } from "../domain/board/rule.ts";
import { selfCheckFor } from "../domain/board/self-check.ts";
import { succeeded } from "../domain/process-end.ts";
import { isMarked } from "../domain/secret.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { sessionKey, type Attempt, type RunState } from "../domain/state.ts";
import { historyForMain } from "../reports/board-history.ts";
import { mainPrompt, mainReminder, situationText, type Situation } from "../reports/board-prompts.ts";
import { treeText } from "../reports/board-tree-text.ts";
import type { Assignment } from "./assignment.ts";
import { forbiddenChanges } from "./board-tree.ts";
import { previousFeedbackOf } from "./feedback.ts";
import type { RunContext } from "./ports.ts";
import { keptInput } from "./turn-files.ts";

/** MAIN decides on what it is told; it has nothing to look at and nothing to do. */
export function mainAssignment(
  attempt: number,
  state: RunState,
  settings: OrchestrateSettings,
  context: RunContext,
): Assignment {
  // Seen when the turn was opened.
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
      // What a turn left that broke off is no decision, however much it looks like one.
      const { failure } = ended.agent;
      const worked = succeeded(ended.process.end) && (failure === null || failure.class === "no_output");
      const read = worked ? readAnswer(finalText) : TURN_FAILED;
      const answer = "answer" in read ? read.answer : null;
      const refusedCommands = answer ? refusedIn(answer, state) : [];
      const { changed } = forbiddenChanges("MAIN", before, state, context);
      // After a cut-off turn, files that this turn left alone may be that turn's change or a person's.
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

/** Commands that the plan does not have yet and that nobody should run. */
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
    report: reported ? previousFeedbackOf(state, reported) : null,
    decisions: [...settings.decided, ...decisionsOf(state)],
    current: current?.id ?? null,
    currentTodo: current?.status === "TODO",
    ...brokenBefore(state),
    comment: asked?.attempt === attempt ? asked.note : null,
    selfCheck: selfCheckFor(state, iteration, attempt),
    changedBoard: changedOnBoard(state, settings),
  };
}

/** What somebody has made of the board since MAIN was last asked, MAIN itself not excepted. */
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

/** What MAIN is told about its own last answer: in this iteration, or when it wanted to finish too early. */
function brokenBefore(state: RunState): Pick<Situation, "broken" | "brokenPlanApplied" | "openCalls"> {
  const open = openIteration(state);
  const last: Attempt | undefined = state.attempts.findLast(({ main }) => main.length > 0);
  const isPlanApplied = last?.call?.finishRefused === true;
  const counts = isPlanApplied || (open !== undefined && open === last);
  const broken = counts ? (last?.main.at(-1)?.broken ?? []) : [];
  return { broken, brokenPlanApplied: isPlanApplied, openCalls: broken.length > 0 ? openCalls(state) : [] };
}
