import type { MainAnswer } from "../../../src/core/board/answer.ts";
import { judgeAnswer, type MainsTurn } from "../../../src/modes/orchestrate/judge-answer.ts";
import type { PlanTask } from "../../../src/core/board/plan.ts";
import type { RoleSaid } from "../../../src/core/board/role-said.ts";
import type { Broken } from "../../../src/core/board/rule.ts";
import type { OrchestrateSettings } from "../../../src/core/settings.ts";
import type { RunState } from "../../../src/core/state.ts";
import { answerTo, planOf, QUESTION, task, type Move } from "../../rig/board-answers.ts";
import { BoardStory } from "../../rig/board-story.ts";

/** MAIN's move, and an edit of the valid answer. */
export type Say = Move & { readonly edit?: (answer: MainAnswer) => MainAnswer };

export function says(state: RunState, { edit = (answer) => answer, ...move }: Say): MainAnswer {
  return edit(answerTo(state, move));
}

export const inOrder =
  (from: string | RegExp, to: string) =>
  (answer: MainAnswer): MainAnswer => ({ ...answer, task: changed(answer.task ?? "", from, to) });

export const inHistory =
  (from: string | RegExp, to: string) =>
  (answer: MainAnswer): MainAnswer => ({ ...answer, historyAppend: changed(answer.historyAppend, from, to) });

export const inPlan =
  (from: string | RegExp, to: string) =>
  (answer: MainAnswer): MainAnswer => ({
    ...answer,
    devPlanNext: changed(answer.devPlanNext ?? "", from, to),
  });

/** Throws without a change, because the test would prove nothing. */
function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to);
  if (after === text) throw new Error(`nothing to change: ${from}`);
  return after;
}

/** `rule about` for each rule that MAIN would break. */
export function brokenBy(state: RunState, say: Say, seen: Partial<MainsTurn> = {}): readonly string[] {
  return ruleTexts(judgeAnswer(state, says(state, say), { changed: [], refusedCommands: [], ...seen }));
}

export function ruleTexts(broken: readonly Broken[]): readonly string[] {
  return broken.map(({ rule, about }) => `${rule} ${about}`.trim());
}

/** Two milestones with three tasks, each accepted by its own command. */
export const TASKS = ["M1-T1", "M1-T2", "M2-T1"].map((id) => task(id));

export class Scene extends BoardStory {
  constructor(tasks: readonly PlanTask[] = TASKS, settings: Partial<OrchestrateSettings> = {}) {
    super({ plan: planOf(tasks), ...settings });
  }

  calls(say: Say, more: Parameters<BoardStory["main"]>[1] = {}): this {
    return this.main(says(this.state, say), more);
  }

  /** A complete iteration of a working role. */
  does(say: Say, said: Partial<RoleSaid> = {}, ...codes: readonly number[]): this {
    return this.calls(say)
      .role(said)
      .checks(...codes)
      .judge();
  }

  /** A complete iteration in which a person is asked; no report follows. */
  decides(question = `What about ${this.state.attempts.length}?`, option = "a"): this {
    return this.calls({ next: "USER", question: { ...QUESTION, question } })
      .ask()
      .chooses(option);
  }

  fails(times: number, said: Partial<RoleSaid> = { claim: "FAIL" }): this {
    for (let time = 1; time <= times; time += 1)
      this.does({ next: "DEV", historyLines: ANALYSED, orderLines: [`note: ${time}`] }, said, 1);
    return this;
  }
}

export const ANALYSED = ["root_cause_analysis: no lock"];

/** M1-T1 has a test that has failed. */
export const tested = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  new Scene(TASKS, settings).does({ next: "TEST", statuses: { "M1-T1": "DOING" } }, {}, 1);

/** DEV made it pass. */
export const green = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  tested(settings).does({ next: "DEV" });

/** DEV also made M1-T2 pass; M1-T1 is DONE. Four iterations. */
export const bothGreen = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  green(settings)
    .does({ next: "TEST", statuses: { "M1-T1": "DONE", "M1-T2": "DOING" } }, {}, 1)
    .does({ next: "DEV" });

/** REVIEW accepted M1 in the fifth iteration. */
export const reviewed = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  bothGreen(settings).does({ next: "REVIEW", statuses: { "M1-T2": "DONE" } });

export const M1_VERIFIED = {
  statuses: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" },
  evidence: { "M1-T1": "REVIEW Iteration 5 PASS", "M1-T2": "REVIEW Iteration 5 PASS" },
} as const;
