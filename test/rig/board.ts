import fs from "node:fs";
import { join } from "node:path";
import type { NextAgent, ReviewMode } from "../../src/core/board/answer.ts";
import type { TaskStatus } from "../../src/core/board/plan.ts";
import type { RoleClaim } from "../../src/core/board/role-said.ts";
import type { BoardReport } from "../../src/modes/orchestrate/board-report.ts";
import { reportName, Rig, type Ended, type StartOptions } from "./rig.ts";

/** Actions of the zoo's `boarder` besides its answer. */
interface Acting {
  /** Null: deletes the file. */
  readonly write?: Readonly<Record<string, string | null>>;
  /** A shell command. */
  readonly run?: string;
  readonly kill?: NodeJS.Signals;
  readonly exit?: number;
}

/** One answer of MAIN. A test gives only the relevant parts; the rest is filled in so that it breaks no rule. */
export interface Move extends Acting {
  readonly next: NextAgent;
  readonly moves?: Readonly<Record<string, TaskStatus>>;
  /** Evidence by task. For DONE and VERIFIED the default is the previous iteration. */
  readonly evidence?: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** Lines added to the history: `blockers`, `user_cause` … */
  readonly fields?: Readonly<Record<string, string>>;
  readonly order?: OrderParts;
  readonly question?: {
    readonly title?: string;
    readonly question?: string;
    /** Descriptions by id. */
    readonly options?: Readonly<Record<string, string>>;
    readonly recommended?: string;
  };
  /** The whole plan, order or answer as text; JSON keys to set and to leave out. */
  readonly plan?: string;
  readonly task?: string;
  readonly raw?: string;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly without?: readonly string[];
}

export interface OrderParts {
  readonly mode?: ReviewMode;
  readonly selfTest?: "enabled" | "disabled";
  readonly task?: string;
  readonly waiver?: string;
  /** The milestone of a partial review. */
  readonly partial?: string;
  readonly goal?: string;
  readonly requirements?: readonly string[];
  /** DEV's feedback. Default: the feedback that MAIN received. */
  readonly feedback?: string;
  /** All sections by title. */
  readonly sections?: Readonly<Record<string, string | readonly string[]>>;
  /** Added at the end. */
  readonly more?: string;
}

/** The work of TEST, DEV or REVIEW. By default TEST writes a failing test, DEV makes it pass, REVIEW changes nothing, and all report PASS. */
export interface Work extends Acting {
  readonly claim?: RoleClaim;
  /** Only for an investigation. */
  readonly fault?: "test" | "implementation" | "requirements" | "none";
  readonly files?: readonly string[];
  readonly commands?: readonly string[];
  readonly coverage?: string;
  /** Added at the end of the report. */
  readonly more?: string;
  /** The whole report. */
  readonly say?: string;
}

export interface BoardCall {
  readonly name: string;
  readonly role: string;
  readonly iteration: number;
  readonly task: string;
  readonly pid: number;
  /** Start time of its process in kernel ticks. */
  readonly started: string;
  readonly prompt: string;
}

export interface PlannedTask {
  readonly title?: string;
  readonly status?: TaskStatus;
  readonly acceptance?: readonly string[];
  readonly evidence?: string;
  readonly depends?: string;
}

export interface BoardEnded extends Ended {
  readonly runId: string;
  readonly report: BoardReport;
}

const BOARD = "blackboard";
const AGENTS = ["main", "test", "dev", "review"] as const;

/** A project with a board. Scripted agents of the zoo take all roles. */
export class BoardRig extends Rig {
  readonly dir = BOARD;

  /** Each task is accepted by its own test. TEST writes it, and DEV makes it pass with a file. */
  constructor(tasks: readonly string[] = ["M1-T1"]) {
    super();
    this.agents();
    this.planned(Object.fromEntries(tasks.map((id) => [id, {}])));
    this.write(join(this.dir, "global_context.md"), "# Context\n\nFiles are to be there.\n");
    this.write(join(this.dir, "project_env.json"), "{}\n");
  }

  /** Agents named after their roles, all of them the zoo's `boarder`. `roles` assigns other agents to a role. */
  agents(roles: Partial<Record<(typeof AGENTS)[number], readonly string[]>> = {}, more = ""): void {
    const named = AGENTS.map((role) => [role, roles[role] ?? [role]] as const);
    const profiles = [...new Set(named.flatMap(([, names]) => names))].map(
      (name) => `  ${name}: { extends: command, command: boarder, env: { BOARDER: ${name} } }\n`,
    );
    const lists = named.map(([role, names]) => `  ${role}: [${names.join(", ")}]\n`);
    this.write("agent-foreman.yaml", `${more}roles:\n${lists.join("")}profiles:\n${profiles.join("")}`);
  }

  /** Writes a plan. A test gives only the relevant parts. */
  planned(tasks: Readonly<Record<string, PlannedTask>>): void {
    const lines = ["# Dev plan"];
    let milestone = "";
    for (const [id, task] of Object.entries(tasks)) {
      const { title = `make ${id}`, status = "TODO", evidence = "none", depends } = task;
      const { acceptance = [`sh test/${id}.sh`] } = task;
      const within = id.slice(0, id.indexOf("-"));
      if (within !== milestone) lines.push("", `## ${within}: part ${within.slice(1)}`);
      milestone = within;
      lines.push("", `### ${id}: ${title}`, `- status: ${status}`, "- acceptance:");
      lines.push(...acceptance.map((command, index) => `  ${index + 1}. \`${command}\` → exit 0`));
      lines.push(`- evidence: ${evidence}`, ...(depends === undefined ? [] : [`- depends: ${depends}`]));
    }
    this.write(join(this.dir, "dev_plan.md"), `${lines.join("\n")}\n`);
  }

  /** Keys of `roles`: role and iteration, role and task, or role: `DEV 3`, `DEV M1-T1`, `DEV`. */
  script(main: readonly Move[], roles: Readonly<Record<string, Work>> = {}): void {
    fs.writeFileSync(join(this.root, "script.json"), JSON.stringify({ main, roles }));
  }

  override env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return super.env({
      BOARDER_SCRIPT: join(this.root, "script.json"),
      BOARDER_CALLS: join(this.root, "calls"),
      BOARDER_STATE: this.state,
      BOARDER_BOARD: join(this.project, BOARD),
      ...extra,
    });
  }

  /** All agent calls so far, in order. */
  calls(): BoardCall[] {
    return this.zooCalls();
  }

  /** `MAIN 1`, `TEST 1 M1-T1` and so on, for every call. */
  called(): string[] {
    return this.calls().map(({ role, iteration, task }) => `${role} ${iteration} ${task}`.trim());
  }

  /** Runs `orchestrate` until it ends or waits, and reads the results. */
  async orchestrate(flags: readonly string[] = [], start: StartOptions = {}): Promise<BoardEnded> {
    return this.#left(await this.runNew(["orchestrate", ...flags], start));
  }

  async resume(runId: string, flags: readonly string[] = [], start: StartOptions = {}): Promise<BoardEnded> {
    return this.#left({ ...(await this.run(["resume", runId, ...flags], start)), runId });
  }

  async decide(runId: string, option: string, note?: string): Promise<Ended> {
    return this.run(["decide", runId, option, ...(note === undefined ? [] : ["--note", note])]);
  }

  plan(): string {
    return this.board("dev_plan.md");
  }

  /** The statuses in the plan, such as `M1-T1 VERIFIED`. */
  statuses(): string[] {
    return [...this.plan().matchAll(/^### (\S+):.*\n- status: (\w+)/gm)].map(
      ([, id, status]) => `${id} ${status}`,
    );
  }

  history(): string {
    return this.board("project_history.md");
  }

  order(iteration: number): string {
    return this.#numbered("orders", iteration);
  }

  roleReport(iteration: number): string {
    return this.#numbered("reports", iteration);
  }

  /** A file of the board. */
  board(name: string): string {
    return this.read(join(this.dir, name));
  }

  boardReport(runId: string): BoardReport {
    return JSON.parse(this.read(reportName("orchestrate", runId))) as BoardReport;
  }

  #numbered(folder: string, iteration: number): string {
    const number = String(iteration).padStart(4, "0");
    const dir = join(this.project, this.dir, folder);
    const name = fs.readdirSync(dir).find((one) => one.startsWith(`${number}-`));
    return this.board(join(folder, name ?? number));
  }

  #left(ended: Omit<BoardEnded, "report">): BoardEnded {
    const reported = this.exists(reportName("orchestrate", ended.runId));
    return { ...ended, report: reported ? this.boardReport(ended.runId) : ({} as BoardReport) };
  }
}

/** A MAIN that takes tasks through tests, work and milestone reviews to the end. */
export function straight(...tasks: readonly string[]): readonly Move[] {
  const moves: Move[] = [];
  let settled: Record<string, TaskStatus> = {};
  tasks.forEach((id, index) => {
    const milestone = id.slice(0, id.indexOf("-"));
    moves.push({ next: "TEST", moves: { ...settled, [id]: "DOING" } }, { next: "DEV" });
    settled = { [id]: "DONE" };
    if (tasks[index + 1]?.startsWith(`${milestone}-`)) return;
    moves.push({ next: "REVIEW", moves: settled });
    const reviewed = tasks.filter((one) => one.startsWith(`${milestone}-`));
    settled = Object.fromEntries(reviewed.map((one) => [one, "VERIFIED"]));
  });
  // The first FINISH is refused because it also moves the plan.
  return [...moves, { next: "FINISH", moves: settled }, { next: "FINISH" }];
}
