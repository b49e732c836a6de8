import { readVerdict } from "../domain/chat/completed.ts";
import { taskOf } from "../domain/chat/reviews.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { Failure } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";
import { checkPassed, endInEvidence } from "../domain/room/verdict.ts";
import type { ChatSettings } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { readExcerpt } from "../process/read-output.ts";
import { continuePrompt, reviewPrompt } from "../reports/chat-prompts.ts";
import { wholeTree } from "./analyze-assignment.ts";
import type { Assignment } from "./assignment.ts";
import { previousFeedback } from "./feedback.ts";
import type { RunContext } from "./ports.ts";
import { showLive } from "./show.ts";
import { changeSince } from "./tree-change.ts";
import { readKept } from "./turn-files.ts";

const CHECK_EXCERPT: ExcerptLimits = { tailLines: 30, errorLines: 8, bytes: 6000 };
const MAX_QUESTION_LINES = 8;

/** The work that a script asks for, or the look at whatever was done. */
export function chatAssignment(
  attempt: number,
  state: RunState,
  settings: ChatSettings,
  context: RunContext,
): Assignment {
  return state.openTurn?.role === "reviewer"
    ? reviewAssignment(attempt, state, settings, context)
    : workAssignment(attempt, state, settings);
}

/** First what the script asks, then, in the same session, what the review said. */
function workAssignment(attempt: number, state: RunState, settings: ChatSettings): Assignment {
  const feedback = previousFeedback(state);
  return {
    prompt: promptFor(feedback, state, settings),
    tools: "all",
    env: environment("worker", attempt, state),
    answers: () => false,
    conclude: (_, ended) => ({ type: "turn_ended", ...ended, claim: null, product: null }),
  };
}

function promptFor(feedback: string, { openTurn }: RunState, settings: ChatSettings): string {
  if (feedback === "") return settings.prompt ?? "";
  return openTurn?.resumes == null ? continuePrompt(settings, feedback) : feedback;
}

function reviewAssignment(
  index: number,
  state: RunState,
  settings: ChatSettings,
  context: RunContext,
): Assignment {
  const attempt = lastAttempt(state);
  const forked = state.openTurn?.resumes != null;
  // Seen when the turn was opened.
  const before = context.tree.last;
  const given = attempt?.treeReviewed ?? null;
  const earlier = { told: given !== null, given, digestOf: wholeTree };
  const said = attempt?.turn?.agent?.message ?? attempt?.chat?.said ?? null;
  const canSystem = context.agents.get(settings.reviewer)?.adapter.can.system === true;
  return {
    prompt: reviewPrompt(settings, {
      inputs: inputsOf(state, settings, context),
      said: forked || said === null ? null : (readKept(said) ?? null),
      checks: (attempt?.checks ?? []).map((check) => ({
        command: check.process.command,
        end: endInEvidence(check),
        lines: checkPassed(check)
          ? []
          : readExcerpt(check.output, CHECK_EXCERPT, (text) => context.redactor.text(text)),
      })),
      system: canSystem ? null : settings.supervisor.text,
    }),
    system: canSystem ? settings.supervisor.text : null,
    tools: "read",
    env: environment("reviewer", index, state),
    answers: (finalText) => {
      const { completed, waiting } = readVerdict(finalText, settings);
      return completed || waiting;
    },
    conclude: (finalText, ended, tools, misled) => {
      const { completed, waiting, note, words } = readVerdict(finalText, settings);
      const question = waiting && said !== null ? lastLines(readKept(said) ?? "") : "";
      showLive(context, {
        type: "review_words",
        words: [note, words].filter(Boolean).join("\n"),
        question: question || null,
      });
      return {
        type: "review_ended",
        ...ended,
        readOnly: tools !== "all",
        items: [],
        completed,
        waiting,
        problem: misled ? { kind: "misled" } : finalText.trim() === "" ? { kind: "missing" } : null,
        changed: changeSince(before, earlier, context),
      };
    },
  };
}

/** An agent asks its question at the end of its message. */
function lastLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-MAX_QUESTION_LINES).join("\n");
}

/** What was asked in this conversation, the task last; in another session the person asked for something else. */
function inputsOf(state: RunState, { prompt }: ChatSettings, { texts }: RunContext): readonly string[] {
  if (prompt !== null) return [prompt];
  const inputs = state.chat?.inputs ?? [];
  const session = inputs.at(taskOf(state) - 1)?.session ?? null;
  return inputs
    .filter((input) => session === null || input.session === session)
    .flatMap(({ text }) => (text ? [texts.get(text.path) ?? readKept(text) ?? gone(text)] : []));
}

function gone({ path }: Captured): never {
  throw new Failure("kept_plan_changed", { path });
}

function environment(role: string, attempt: number, state: RunState): Record<string, string> {
  return {
    GA_ROLE: role,
    GA_LOOP_INDEX: String(attempt),
    GA_MAX_LOOPS: String(state.maxLoops),
    GA_WORKDIR: state.settings.cwd,
  };
}
