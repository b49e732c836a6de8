import fs from "node:fs";
import { join } from "node:path";
import type { NextAgent } from "../../src/domain/board/answer.ts";
import type { ReviewMode } from "../../src/domain/board/order.ts";
import type { TaskStatus } from "../../src/domain/board/plan.ts";
import type { RoleClaim } from "../../src/domain/board/role-said.ts";
import type { BoardReport } from "../../src/reports/board-report.ts";
import { Rig, type Ended, type StartOptions } from "./rig.ts";

/** What the zoo's `boarder` does besides speaking. */
interface Acting {
  /** Null: the file goes. */
  readonly write?: Readonly<Record<string, string | null>>;
  /** A shell command. */
  readonly run?: string;
  readonly kill?: NodeJS.Signals;
  readonly exit?: number;
}

/** One answer of MAIN's, of which a test says only what matters: the rest is made so that it breaks no rule. */
export interface Move extends Acting {
  readonly next: NextAgent;
  readonly moves?: Readonly<Record<string, TaskStatus>>;
  /** What a task's evidence says; of DONE and VERIFIED the iteration before by itself. */
  readonly evidence?: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** Lines added to the history: `blockers`, `user_cause` … */
  readonly fields?: Readonly<Record<string, string>>;
  readonly order?: OrderParts;
  readonly question?: {
    readonly title?: string;
    readonly question?: string;
    /** Ids and descriptions. */
    readonly options?: Readonly<Record<string, string>>;
    readonly recommended?: string;
  };
  /** The whole plan, the whole order, the whole answer as text; keys of the JSON set, and left out. */
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
  /** What DEV said; by itself what MAIN is told of it. */
  readonly feedback?: string;
  /** All of them, by title. */
  readonly sections?: Readonly<Record<string, string | readonly string[]>>;
  /** Added at the end. */
  readonly more?: string;
}

/** What TEST, DEV or REVIEW does. By itself TEST writes a test that fails, DEV what makes it pass, REVIEW nothing, and all of them PASS. */
export interface Work extends Acting {
  readonly claim?: RoleClaim;
  /** Of an investigation. */
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
  /** When its process began, in the kernel's ticks. */
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

/** A project with a board, and agents of the zoo in all roles that do as a script says. */
export class BoardRig extends Rig {
  readonly dir = BOARD;

  /** Each task's acceptance is a test of its own, which TEST writes and for which DEV makes a file. */
  constructor(tasks: readonly string[] = ["M1-T1"]) {
    super();
    this.agents();
    this.planned(Object.fromEntries(tasks.map((id) => [id, {}])));
    this.write(join(this.dir, "global_context.md"), "# Context\n\nFiles are to be there.\n");
    this.write(join(this.dir, "project_env.json"), "{}\n");
  }

  /** Agents by the names of their roles, all of them the zoo's `boarder`; `roles` gives others to a role. */
  agents(roles: Partial<Record<(typeof AGENTS)[number], readonly string[]>> = {}, more = ""): void {
    const named = AGENTS.map((role) => [role, roles[role] ?? [role]] as const);
    const profiles = [...new Set(named.flatMap(([, names]) => names))].map(
      (name) => `  ${name}: { extends: command, command: boarder, env: { BOARDER: ${name} } }\n`,
    );
    const lists = named.map(([role, names]) => `  ${role}: [${names.join(", ")}]\n`);
    this.write("agent-foreman.yaml", `${more}roles:\n${lists.join("")}profiles:\n${profiles.join("")}`);
  }

  /** Writes a plan of which a test says only what matters. */
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

  /** `roles` by role and iteration, role and task, or role: `DEV 3`, `DEV M1-T1`, `DEV`. */
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

  /** Every call of an agent so far, in order. */
  calls(): BoardCall[] {
    const dir = join(this.root, "calls");
    if (!fs.existsSync(dir)) return [];
    return fs
      .readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => ({
        ...(JSON.parse(fs.readFileSync(join(dir, name), "utf8")) as Omit<BoardCall, "prompt">),
        prompt: fs.readFileSync(join(dir, name.replace(/json$/, "md")), "utf8"),
      }));
  }

  /** `MAIN 1`, `TEST 1 M1-T1` and so on, for every call. */
  called(): string[] {
    return this.calls().map(({ role, iteration, task }) => `${role} ${iteration} ${task}`.trim());
  }

  /** Runs `orchestrate` to where it ends or has to wait, and reads what it left. */
  async orchestrate(flags: readonly string[] = [], start: StartOptions = {}): Promise<BoardEnded> {
    const before = new Set(this.runIds());
    const ended = await this.run(["orchestrate", ...flags], start);
    return this.#left(ended, this.runIds().find((id) => !before.has(id)) ?? "");
  }

  async resume(runId: string, flags: readonly string[] = [], start: StartOptions = {}): Promise<BoardEnded> {
    return this.#left(await this.run(["resume", runId, ...flags], start), runId);
  }

  async decide(runId: string, option: string, note?: string): Promise<Ended> {
    return this.run(["decide", runId, option, ...(note === undefined ? [] : ["--note", note])]);
  }

  plan(): string {
    return this.board("dev_plan.md");
  }

  /** `M1-T1 VERIFIED` and so on, as the plan says. */
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
    return JSON.parse(this.read(reportOf(runId))) as BoardReport;
  }

  #numbered(folder: string, iteration: number): string {
    const number = String(iteration).padStart(4, "0");
    const dir = join(this.project, this.dir, folder);
    const name = fs.readdirSync(dir).find((one) => one.startsWith(`${number}-`));
    return this.board(join(folder, name ?? number));
  }

  #left(ended: Ended, runId: string): BoardEnded {
    const reported = runId !== "" && this.exists(reportOf(runId));
    return { ...ended, runId, report: reported ? this.boardReport(runId) : ({} as BoardReport) };
  }
}

function reportOf(runId: string): string {
  return `goldagent-orchestrate-report-${runId}.json`;
}

/** A MAIN that takes tasks through tests, work and the review of each milestone, to the end. */
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
  // The first is refused, for it moves the plan as well.
  return [...moves, { next: "FINISH", moves: settled }, { next: "FINISH" }];
}
