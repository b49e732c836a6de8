import { readVerdict } from "./completed.ts";
import type { ExcerptLimits } from "../../text/excerpt.ts";
import { Failure } from "../../platform/failure.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import { checkPassed, endInEvidence } from "../../evidence/verdict.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState, taskOf } from "../../core/state.ts";
import { readExcerpt } from "../../platform/process/read-output.ts";
import { continuePrompt, reviewPrompt } from "./chat-prompts.ts";
import type { Assignment } from "../../engine/assignment.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeChatFeedback } from "./chat-feedback.ts";
import type { RunContext } from "../../engine/ports.ts";
import { showLive } from "../../engine/show.ts";
import { changeInWholeTree } from "../../engine/tree-change.ts";
import { readKept } from "../../platform/files/kept.ts";

const CHECK_EXCERPT: ExcerptLimits = { tailLines: 30, errorLines: 8, bytes: 6000 };
const MAX_QUESTION_LINES = 8;

/** The agent's work for a script, or the review of any work. */
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

/** The first attempt gets the script's prompt. Later ones get the review, in the same session. */
function workAssignment(attempt: number, state: RunState, settings: ChatSettings): Assignment {
  const feedback = previousFeedback(state, writeChatFeedback);
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
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  const given = attempt?.treeReviewed ?? null;
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
        changed: changeInWholeTree(before, given, context),
      };
    },
  };
}

/** An agent asks its question at the end of its message. */
function lastLines(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-MAX_QUESTION_LINES).join("\n");
}

/** All inputs of this conversation, the task last. Inputs of other sessions were about something else. */
function inputsOf(state: RunState, { prompt }: ChatSettings, { texts }: RunContext): readonly string[] {
  if (prompt !== null) return [prompt];
  const inputs = state.chat?.inputs ?? [];
  const session = inputs.at(taskOf(state) - 1)?.session ?? null;
  return inputs
    .filter((input) => session === null || input.session === session)
    .flatMap(({ text }) => (text ? [texts.get(text.path) ?? readKept(text) ?? gone(text)] : []));
}

function gone({ path }: Artifact): never {
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
