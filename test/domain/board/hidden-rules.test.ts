import { describe, expect, test } from "vitest";
import type { MainAnswer } from "../../../src/core/board/answer.ts";
import { isOver } from "../../../src/core/board/iterations.ts";
import type { BoardRule } from "../../../src/core/board/rule.ts";
import type { MainEnded } from "../../../src/core/event.ts";
import { fold } from "../../../src/core/fold.ts";
import type { RunState } from "../../../src/core/state.ts";
import { AT, exited, agentRecord, turnEnded } from "../../rig/story.ts";
import { ROWS } from "./rows.ts";
import { says, Scene } from "./scene.ts";

/** Rules that keep a plan correct. Rules about an answer's form may differ in another version. */
const KEPT_IN_JOURNALS: ReadonlySet<BoardRule> = new Set<BoardRule>([
  "plan_invalid",
  "task_lost",
  "new_task_not_todo",
  "status_jump",
  "done_without_green",
  "verified_without_review",
  "acceptance_changed",
  "dangerous_command",
  "milestone_not_reviewed",
  "red_not_confirmed",
  "finish_with_update",
  "finish_done_left",
  "finish_not_verified",
  "finish_todo_left",
]);

describe("MAIN's answer is recorded with the wrong broken rules, and breaks", () => {
  const recorded = (at: RunState, answer: MainAnswer, more: Partial<MainEnded>): RunState => {
    const last = at.attempts.at(-1);
    const attempt = (last?.index ?? 0) + (last && !isOver(last, at) ? 0 : 1);
    const turn = at.turns + 1;
    const started = { type: "turn_started", role: "main", attempt, turn, agent: "claude" } as const;
    const asking = fold(at, { ...started, resumes: null, tree: null }, AT);
    const { type: _, product: _product, claim: _claim, ...ended } = turnEnded(attempt, {}, exited(0), turn);
    return fold(
      asking,
      {
        ...ended,
        type: "main_ended",
        agent: agentRecord("claude"),
        tools: "none",
        answer,
        broken: [],
        refusedCommands: [],
        changed: [],
        ...more,
      },
      AT,
    );
  };
  const rows = ROWS.map((row) => [`${row.rule}: ${row.what}`, row] as const);

  test.each(rows.filter(([, { rule }]) => KEPT_IN_JOURNALS.has(rule)))(
    "%s, which is refused",
    (_, { rule, at, broken, seen }) => {
      expect(() => recorded(at, says(at, broken), seen ?? {})).toThrow(`it breaks ${rule}`);
    },
  );

  test.each(rows.filter(([, { rule }]) => !KEPT_IN_JOURNALS.has(rule)))("%s", (_, { at, broken, seen }) => {
    expect(recorded(at, says(at, broken), seen ?? {}).attempts.at(-1)?.call).not.toBeNull();
  });

  test("none of the recorded ones: then no part of it counts", () => {
    const at = new Scene().state;
    const say = { next: "TEST", statuses: { "M1-T1": "DOING" } } as const;
    const state = recorded(at, says(at, say), { broken: [{ rule: "task_lost", about: "M1-T1" }] });
    expect(state.attempts.at(-1)?.call).toBeNull();
    expect(state.board?.text).toBe(at.board?.text);
  });

  test("more than a too early finish: the plan is not taken over", () => {
    const at = new Scene().state;
    const answer = says(at, { next: "FINISH", lost: ["M1-T2"] });
    const broken = [{ rule: "finish_with_update", about: "M1-T1" }] as const;
    expect(() => recorded(at, answer, { broken })).toThrow("it breaks task_lost");
  });
});
