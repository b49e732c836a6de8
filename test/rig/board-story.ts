import type { MainAnswer, NextAgent } from "../../src/core/board/answer.ts";
import { commandsDue } from "../../src/modes/orchestrate/call.ts";
import { iterationOf, openIteration, roleOf } from "../../src/core/board/iterations.ts";
import { judgeAnswer } from "../../src/modes/orchestrate/judge-answer.ts";
import type { TaskStatus } from "../../src/core/board/plan.ts";
import { DEFAULT_SHARED_PATHS } from "../../src/modes/orchestrate/rules/read-project-env.ts";
import { DEFAULT_TEST_PATHS } from "../../src/evidence/protected/test-paths.ts";
import type { RoleSaid } from "../../src/core/board/role-said.ts";
import type { Broken } from "../../src/core/board/rule.ts";
import type { CheckEnded, MainEnded, RoleReport, RunStarted, TurnEnded } from "../../src/core/event.ts";
import type { OrchestrateSettings } from "../../src/core/settings.ts";
import { lastAttempt } from "../../src/core/state.ts";
import { answerNow, type Says } from "./board-says.ts";
import {
  A_PROMPT,
  COMMON,
  exited,
  NOTHING,
  profile,
  ran,
  started,
  Story,
  agentRecord,
  turnEnded,
} from "./story.ts";

/**
 * Synthetic events of an `orchestrate` run, for tests of the code that reads them. `new BoardStory()` adds one event at a time. It knows whose turn
 * it is, numbers iterations and turns, checks MAIN's answers against the rules and judges by the evidence. So every story is possible. Answers
 * follow the rules unless a test overrides them.
 */

const TASKS = {
  "M1-T1": "store a file",
  "M1-T2": "list files",
  "M2-T1": "retry failed uploads",
} as const;
export type TaskId = keyof typeof TASKS;
/** A status; for a VERIFIED task also the iteration of its REVIEW. */
export type Standing = TaskStatus | readonly ["VERIFIED", number];

/** Two milestones with three tasks. `M1-T1` is accepted by the command `check M1-T1` and so on. The default status is TODO. */
export function aPlan(statuses: Partial<Record<TaskId, Standing>> = {}): string {
  const task = (id: TaskId): readonly string[] => {
    const standing = statuses[id] ?? "TODO";
    const [status, iteration] = typeof standing === "string" ? [standing, null] : standing;
    return [
      `### ${id}: ${TASKS[id]}`,
      `- status: ${status}`,
      `- acceptance: \`${commandOf(id)}\` → exit 0`,
      `- evidence: ${iteration === null ? "none" : `REVIEW Iteration ${iteration} PASS`}`,
      "",
    ];
  };
  return [
    "# Dev plan",
    "",
    "## M1: upload API",
    ...task("M1-T1"),
    ...task("M1-T2"),
    "## M2: resilience",
    ...task("M2-T1"),
  ].join("\n");
}

const commandOf = (task: string): string => `check ${task}`;

/** claude is MAIN and DEV, codex is TEST and REVIEW. */
export function boardStarted(
  settings: Partial<OrchestrateSettings> = {},
  more: Partial<RunStarted> = {},
): RunStarted {
  return {
    ...started({}, more),
    settings: {
      mode: "orchestrate",
      ...COMMON,
      task: "the upload service",
      agents: [profile("claude"), profile("codex")],
      maxLoops: 60,
      boardDir: "/project/blackboard",
      iterationsBefore: 0,
      plan: aPlan(),
      context: "# Goal\nAn upload service.\n",
      projectEnv: "{}\n",
      historySha256: null,
      decided: [],
      redBefore: null,
      env: { testPaths: DEFAULT_TEST_PATHS, sharedPaths: DEFAULT_SHARED_PATHS, env: {} },
      roles: { main: ["claude"], test: ["codex"], dev: ["claude"], review: ["codex"] },
      prompts: { main: A_PROMPT, test: A_PROMPT, dev: A_PROMPT, review: A_PROMPT },
      ...settings,
    },
  };
}

export class BoardStory extends Story {
  #questions = 0;

  constructor(settings: Partial<OrchestrateSettings> = {}, more: Partial<RunStarted> = {}) {
    super(boardStarted(settings, more));
  }

  /** Starts MAIN's turn. */
  asks(agent = "claude"): this {
    return this.opens("main", this.#iteration.index, agent);
  }

  /** MAIN's turn with a given answer, which may break rules. */
  main(says: Says, more: Partial<MainEnded> = {}): this {
    if (!this.state.openTurn) this.asks();
    const { changed = [], refusedCommands = [] } = more;
    const answer = answerNow(this.state, this.#iteration.number, says);
    const broken = judgeAnswer(this.state, answer, { changed, refusedCommands });
    return this.#mainEnds({ answer, broken, changed, refusedCommands, ...more });
  }

  /** MAIN's turn with a text that is no answer. */
  babbles(
    broken: readonly Broken[] = [{ rule: "not_one_json_line", about: "prose" }],
    more: Partial<MainEnded> = {},
  ): this {
    if (!this.state.openTurn) this.asks();
    return this.#mainEnds({ answer: null, broken, ...more });
  }

  /** Starts the turn of the role that MAIN called. `tree`: the digests before it. */
  works(agent?: string, tree: string | null = null): this {
    const open = lastAttempt(this.state);
    const role = open && roleOf(open);
    const { settings } = this.state;
    if (!role || settings.mode !== "orchestrate") throw new Error("MAIN has not called a role");
    const [first = ""] = {
      TEST: settings.roles.test,
      DEV: settings.roles.dev,
      REVIEW: settings.roles.review,
    }[role];
    return this.opens("worker", open.index, agent ?? first, tree);
  }

  /** The turn of the role that MAIN called. By default it reports PASS with everything required. */
  role(said: Partial<RoleSaid> = {}, report: Partial<RoleReport> = {}, more: Partial<TurnEnded> = {}): this {
    if (!this.state.openTurn) this.works();
    const { openTurn } = this;
    const call = lastAttempt(this.state)?.call;
    if (!call) throw new Error("no role is at work");
    return this.add({
      ...turnEnded(openTurn.attempt, {}, exited(0), openTurn.turn),
      claim: null,
      agent: agentRecord(openTurn.agent ?? ""),
      product: {
        kind: "role_report",
        said: {
          claim: "PASS",
          testFiles: ["test/a.test.ts"],
          commands: call.commands,
          covered: Array.from({ length: call.order?.requirements ?? 0 }, (_each, index) => index + 1),
          blockType: null,
          failureType: null,
          fault: null,
          testFeedback: null,
          clarification: null,
          tasks: call.tasks,
          ...said,
        },
        absentFiles: [],
        changed: [],
        unrestored: [],
        tests: null,
        ...report,
      },
      ...more,
    });
  }

  /** The foreman runs the due acceptance commands. Missing exit codes are 0. */
  checks(...codes: readonly number[]): this {
    const open = lastAttempt(this.state);
    for (const [index] of (open ? commandsDue(open) : []).entries()) this.check(codes[index] ?? 0);
    return this;
  }

  /** The foreman runs the next acceptance command. */
  check(code: number, more: Partial<CheckEnded> = {}): this {
    const open = lastAttempt(this.state);
    const index = (open?.checks.length ?? 0) + 1;
    const command = open && commandsDue(open)[index - 1];
    if (command === undefined) throw new Error("no command is due");
    return this.add({
      type: "check_ended",
      attempt: this.lastIndex,
      phase: "acceptance",
      index,
      process: ran(command, exited(code)),
      output: NOTHING,
      ...more,
    });
  }

  /** The foreman asks a person. */
  ask(): this {
    this.#questions += 1;
    return this.add({ type: "question_asked", id: `q${this.#questions}` });
  }

  /** The person answers the open question. */
  chooses(option: string, note: string | null = null): this {
    return this.add({
      type: "question_answered",
      id: `q${this.#questions}`,
      answer: { kind: "option", option },
      note,
      via: "decide",
      messageId: null,
    });
  }

  /** TEST writes a failing test for the current task, as required. `plan`: MAIN's new plan. */
  test(plan: string | null = null): this {
    return this.main({ nextAgent: "TEST", devPlanNext: plan }).role().checks(1).judge();
  }

  /** DEV makes the test pass. */
  dev(plan: string | null = null): this {
    return this.main({ nextAgent: "DEV", devPlanNext: plan }).role().checks().judge();
  }

  /** DEV changed the failing test that TEST wrote; `t1` is the digest of TEST's tests. */
  edited(): this {
    return this.test(aPlan({ "M1-T1": "DOING" }))
      .main({ nextAgent: "DEV" })
      .works(undefined, "t1.p.o")
      .role({}, { changed: ["test/a.test.ts"], tests: "t2" });
  }

  /** TEST's turn after DEV changed its test. It leaves tests with this digest; all commands pass. */
  restores(tests = "t1"): this {
    return this.edited()
      .judge()
      .main({ nextAgent: "TEST" })
      .works(undefined, "t2.p.o")
      .role({}, { tests })
      .checks(0);
  }

  /** REVIEW checks the whole milestone. */
  review(plan: string | null = null): this {
    return this.main({ nextAgent: "REVIEW", devPlanNext: plan }).role().checks().judge();
  }

  /** A complete accepted run: ten iterations over three tasks. FINISH is refused in the ninth. */
  finishes(): this {
    const m1 = { "M1-T1": ["VERIFIED", 5], "M1-T2": ["VERIFIED", 5] } as const;
    return this.test(aPlan({ "M1-T1": "DOING" }))
      .dev()
      .test(aPlan({ "M1-T1": "DONE", "M1-T2": "DOING" }))
      .dev()
      .review(aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }))
      .test(aPlan({ ...m1, "M2-T1": "DOING" }))
      .dev()
      .review(aPlan({ ...m1, "M2-T1": "DONE" }))
      .main({ nextAgent: "FINISH", devPlanNext: aPlan({ ...m1, "M2-T1": ["VERIFIED", 8] }) })
      .main({ nextAgent: "FINISH" })
      .checks()
      .judge()
      .ends("passed", "accepted");
  }

  /** MAIN's default answer now, for tests that change a part of it. */
  answerFor(nextAgent: NextAgent, header: readonly string[] = []): MainAnswer {
    return answerNow(this.state, this.#iteration.number, { nextAgent, header });
  }

  get #iteration(): { readonly index: number; readonly number: number } {
    const open = openIteration(this.state);
    const index = open?.index ?? this.lastIndex + 1;
    return { index, number: iterationOf(this.state, index) };
  }

  #mainEnds(more: Pick<MainEnded, "answer" | "broken"> & Partial<MainEnded>): this {
    const { attempt, turn, agent } = this.openTurn;
    return this.add({
      type: "main_ended",
      attempt,
      turn,
      process: ran("claude", exited(0)),
      stdout: NOTHING,
      stderr: NOTHING,
      agent: agentRecord(agent ?? ""),
      tools: "none",
      refusedCommands: [],
      changed: [],
      changedInputs: [],
      ...more,
    });
  }
}
