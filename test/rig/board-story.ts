import type { MainAnswer, NextAgent } from "../../src/domain/board/answer.ts";
import { commandsDue } from "../../src/domain/board/call.ts";
import { iterationOf, openIteration, roleOf } from "../../src/domain/board/iterations.ts";
import { judgeAnswer } from "../../src/domain/board/judge-answer.ts";
import type { TaskStatus } from "../../src/domain/board/plan.ts";
import { DEFAULT_SHARED_PATHS, DEFAULT_TEST_PATHS } from "../../src/domain/board/read-project-env.ts";
import type { RoleSaid } from "../../src/domain/board/role-said.ts";
import type { Broken } from "../../src/domain/board/rule.ts";
import type {
  CheckEnded,
  MainEnded,
  RoleReport,
  RunEnded,
  RunEvent,
  RunStarted,
  TurnEnded,
} from "../../src/domain/event.ts";
import { verdictOn } from "../../src/domain/evidence.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import type { OrchestrateSettings } from "../../src/domain/settings.ts";
import { lastAttempt, type RunState } from "../../src/domain/state.ts";
import { answerNow, type Says } from "./board-says.ts";
import { AT, exited, NO_AGENTS, NOTHING, profile, ran, started, told, turnEnded } from "./story.ts";

/**
 * Events of an `orchestrate` run that nobody ran, for whoever tests what is made of them. `new BoardStory()` tells one event by event:
 * it knows whose turn it is, numbers iterations and turns, holds MAIN's answers against the rules and judges by the evidence, so that
 * every story is one that can happen. Its answers keep the rules unless a test says otherwise.
 */

const TASKS = {
  "M1-T1": "store a file",
  "M1-T2": "list files",
  "M2-T1": "retry failed uploads",
} as const;
export type TaskId = keyof typeof TASKS;
/** A status, and for a task that is VERIFIED the iteration of its REVIEW. */
export type Standing = TaskStatus | readonly ["VERIFIED", number];

/** Two milestones with three tasks, `M1-T1` accepted by the command `check M1-T1` and so on; all are TODO unless told otherwise. */
export function aPlan(standing: Partial<Record<TaskId, Standing>> = {}): string {
  const task = (id: TaskId): readonly string[] => {
    const stands = standing[id] ?? "TODO";
    const [status, iteration] = typeof stands === "string" ? [stands, null] : stands;
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

const { prompt: _, ...COMMON } = NO_AGENTS;
const A_PROMPT = { text: "", sha256: NOTHING.sha256, path: null };

/** claude is MAIN and DEV, codex TEST and REVIEW. */
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
      cwd: "/project",
      calledFrom: "/project",
      reportPath: "/project/report.json",
      force: false,
      agentTimeoutMs: 0,
      testTimeoutMs: 0,
      maxOutputBytes: 1024 * 1024,
      lang: "en",
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

export class BoardStory {
  readonly #events: RunEvent[] = [];
  #state: RunState;
  #questions = 0;

  constructor(settings: Partial<OrchestrateSettings> = {}, more: Partial<RunStarted> = {}) {
    const first = boardStarted(settings, more);
    this.#events.push(first);
    this.#state = begin(first, AT);
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Throws where it cannot happen. */
  add(...events: readonly RunEvent[]): this {
    for (const event of events) {
      this.#state = fold(this.#state, event, AT);
      this.#events.push(event);
    }
    return this;
  }

  /** MAIN's turn has begun. */
  asks(agent = "claude"): this {
    return this.#opens("main", this.#iteration.index, agent);
  }

  /** MAIN's turn; it answers as it is told to, whether or not that keeps the rules. */
  main(says: Says, more: Partial<MainEnded> = {}): this {
    if (!this.#state.openTurn) this.asks();
    const { changed = [], refusedCommands = [] } = more;
    const answer = answerNow(this.#state, this.#iteration.number, says);
    const broken = judgeAnswer(this.#state, answer, { changed, refusedCommands });
    return this.#mainEnds({ answer, broken, changed, refusedCommands, ...more });
  }

  /** MAIN's turn; what it said is no answer. */
  babbles(
    broken: readonly Broken[] = [{ rule: "not_one_json_line", about: "prose" }],
    more: Partial<MainEnded> = {},
  ): this {
    if (!this.#state.openTurn) this.asks();
    return this.#mainEnds({ answer: null, broken, ...more });
  }

  /** The turn of the role that MAIN called on has begun. `tree`: the digests before it. */
  works(agent?: string, tree: string | null = null): this {
    const open = lastAttempt(this.#state);
    const role = open && roleOf(open);
    const { settings } = this.#state;
    if (!role || settings.mode !== "orchestrate") throw new Error("nobody was called on");
    const [first = ""] = {
      TEST: settings.roles.test,
      DEV: settings.roles.dev,
      REVIEW: settings.roles.review,
    }[role];
    return this.#opens("worker", open.index, agent ?? first, tree);
  }

  /** The turn of the role that MAIN called on; it says PASS and all that belongs to it, unless told otherwise. */
  role(said: Partial<RoleSaid> = {}, report: Partial<RoleReport> = {}, more: Partial<TurnEnded> = {}): this {
    if (!this.#state.openTurn) this.works();
    const { openTurn } = this.#state;
    const call = lastAttempt(this.#state)?.call;
    if (!openTurn || !call) throw new Error("nobody works");
    return this.add({
      ...turnEnded(openTurn.attempt, {}, exited(0), openTurn.turn),
      claim: null,
      agent: told(openTurn.agent ?? ""),
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

  /** The foreman runs the acceptance commands that are due; they exit with these codes, and with 0 where none is given. */
  checks(...codes: readonly number[]): this {
    const open = lastAttempt(this.#state);
    for (const [index] of (open ? commandsDue(open) : []).entries()) this.check(codes[index] ?? 0);
    return this;
  }

  /** The foreman runs the next acceptance command. */
  check(code: number, more: Partial<CheckEnded> = {}): this {
    const open = lastAttempt(this.#state);
    const index = (open?.checks.length ?? 0) + 1;
    const command = open && commandsDue(open)[index - 1];
    if (command === undefined) throw new Error("no command is due");
    return this.add({
      type: "check_ended",
      attempt: open?.index ?? 0,
      phase: "acceptance",
      index,
      process: ran(command, exited(code)),
      output: NOTHING,
      ...more,
    });
  }

  /** The verdict that the evidence bears. */
  judge(): this {
    const verdict = verdictOn(this.#state);
    if (!verdict) throw new Error("nothing can be judged");
    const attempt = lastAttempt(this.#state)?.index ?? 0;
    return this.add({ type: "attempt_judged", attempt, ...verdict, feedback: NOTHING });
  }

  /** A person is asked. */
  ask(): this {
    this.#questions += 1;
    return this.add({ type: "question_asked", id: `q${this.#questions}` });
  }

  /** A person answers the open question. */
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

  ends(status: RunEnded["status"], reason: RunEnded["reason"], more: Partial<RunEnded> = {}): this {
    const exitCode = status === "passed" || status === "manually_passed" ? 0 : 1;
    return this.add({ type: "run_ended", status, reason, exitCode, messageId: null, ...more });
  }

  /** TEST writes a test for the current task that is red, as it has to be. `plan`: what MAIN makes of the plan. */
  test(plan: string | null = null): this {
    return this.main({ nextAgent: "TEST", devPlanNext: plan }).role().checks(1).judge();
  }

  /** DEV makes it green. */
  dev(plan: string | null = null): this {
    return this.main({ nextAgent: "DEV", devPlanNext: plan }).role().checks().judge();
  }

  /** TEST wrote a red test, and DEV changed it; `t1` is the digest of TEST's tests. */
  edited(): this {
    return this.test(aPlan({ "M1-T1": "DOING" }))
      .main({ nextAgent: "DEV" })
      .works(undefined, "t1.p.o")
      .role({}, { changed: ["test/a.test.ts"], tests: "t2" });
  }

  /** TEST has its turn after DEV changed its test, and leaves tests with this digest; all commands are green. */
  restores(tests = "t1"): this {
    return this.edited()
      .judge()
      .main({ nextAgent: "TEST" })
      .works(undefined, "t2.p.o")
      .role({}, { tests })
      .checks(0);
  }

  /** REVIEW looks at all of the milestone. */
  review(plan: string | null = null): this {
    return this.main({ nextAgent: "REVIEW", devPlanNext: plan }).role().checks().judge();
  }

  /** From the beginning to an end that is accepted: ten iterations over three tasks, the last but one of which FINISH is refused in. */
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

  /** What MAIN would answer now, for tests that want it a little different. */
  answerFor(nextAgent: NextAgent, header: readonly string[] = []): MainAnswer {
    return answerNow(this.#state, this.#iteration.number, { nextAgent, header });
  }

  get #iteration(): { readonly index: number; readonly number: number } {
    const open = openIteration(this.#state);
    const index = open?.index ?? (lastAttempt(this.#state)?.index ?? 0) + 1;
    return { index, number: iterationOf(this.#state, index) };
  }

  #opens(role: "main" | "worker", attempt: number, agent: string, tree: string | null = null): this {
    const turn = this.#state.turns + 1;
    return this.add({ type: "turn_started", role, attempt, turn, agent, resumes: null, tree });
  }

  #mainEnds(more: Pick<MainEnded, "answer" | "broken"> & Partial<MainEnded>): this {
    const { openTurn } = this.#state;
    if (!openTurn) throw new Error("MAIN was not asked");
    return this.add({
      type: "main_ended",
      attempt: openTurn.attempt,
      turn: openTurn.turn,
      process: ran("claude", exited(0)),
      stdout: NOTHING,
      stderr: NOTHING,
      agent: told(openTurn.agent ?? ""),
      tools: "none",
      refusedCommands: [],
      changed: [],
      changedInputs: [],
      ...more,
    });
  }
}
