import type { MainAnswer } from "../../../src/domain/board/answer.ts";
import { judgeAnswer, type MainsTurn } from "../../../src/domain/board/judge-answer.ts";
import type { PlanTask } from "../../../src/domain/board/plan.ts";
import type { RoleSaid } from "../../../src/domain/board/role-said.ts";
import type { Broken } from "../../../src/domain/board/rule.ts";
import type { OrchestrateSettings } from "../../../src/domain/settings.ts";
import type { RunState } from "../../../src/domain/state.ts";
import { answerTo, planOf, QUESTION, task, type Move } from "../../rig/board-answers.ts";
import { BoardStory } from "../../rig/board-story.ts";

/** MAIN's move, and what is done to the answer that keeps all the rules. */
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

/** A test that changes nothing would show nothing. */
function changed(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, to);
  if (after === text) throw new Error(`nothing to change: ${from}`);
  return after;
}

/** `rule about`, for each rule that MAIN would break by this. */
export function brokenBy(state: RunState, say: Say, seen: Partial<MainsTurn> = {}): readonly string[] {
  return told(judgeAnswer(state, says(state, say), { changed: [], refusedCommands: [], ...seen }));
}

export function told(broken: readonly Broken[]): readonly string[] {
  return broken.map(({ rule, about }) => `${rule} ${about}`.trim());
}

/** Two milestones with three tasks, each accepted by a command of its own. */
export const TASKS = ["M1-T1", "M1-T2", "M2-T1"].map((id) => task(id));

export class Scene extends BoardStory {
  constructor(tasks: readonly PlanTask[] = TASKS, settings: Partial<OrchestrateSettings> = {}) {
    super({ plan: planOf(tasks), ...settings });
  }

  calls(say: Say, more: Parameters<BoardStory["main"]>[1] = {}): this {
    return this.main(says(this.state, say), more);
  }

  /** A whole iteration of somebody who works. */
  does(say: Say, said: Partial<RoleSaid> = {}, ...codes: readonly number[]): this {
    return this.calls(say)
      .role(said)
      .checks(...codes)
      .judge();
  }

  /** A whole iteration in which a person is asked; there is no report after it. */
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

/** M1-T1 has a test that was seen to fail. */
export const tested = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  new Scene(TASKS, settings).does({ next: "TEST", statuses: { "M1-T1": "DOING" } }, {}, 1);

/** DEV has made it pass. */
export const green = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  tested(settings).does({ next: "DEV" });

/** DEV has made M1-T2 pass as well; M1-T1 is DONE. Four iterations. */
export const bothGreen = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  green(settings)
    .does({ next: "TEST", statuses: { "M1-T1": "DONE", "M1-T2": "DOING" } }, {}, 1)
    .does({ next: "DEV" });

/** REVIEW has accepted M1, in the fifth iteration. */
export const reviewed = (settings: Partial<OrchestrateSettings> = {}): Scene =>
  bothGreen(settings).does({ next: "REVIEW", statuses: { "M1-T2": "DONE" } });

export const M1_VERIFIED = {
  statuses: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" },
  evidence: { "M1-T1": "REVIEW Iteration 5 PASS", "M1-T2": "REVIEW Iteration 5 PASS" },
} as const;
