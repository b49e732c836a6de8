import fs from "node:fs";
import { join } from "node:path";
import { isBoardRole, type BoardRole, type NextAgent } from "../../src/core/board/answer.ts";
import type { PlanTask, TaskStatus } from "../../src/core/board/plan.ts";
import type { MainEnded, Role, RunEvent, TurnEnded, TurnFailed } from "../../src/core/event.ts";
import type { BoardReport } from "../../src/modes/orchestrate/board-report.ts";
import { planOf } from "../rig/board-answers.ts";
import { reportName, type Ended } from "../rig/rig.ts";
import type { ClientName } from "./clients.ts";
import { ClientsRig } from "./clients-rig.ts";
import type { Step } from "./model/script.ts";
import type { Asked, ModelServer } from "./model-server.ts";

/** MAIN's decision, and the actions of the role that it calls. */
export interface Move {
  readonly next: NextAgent;
  readonly to?: Readonly<Record<string, TaskStatus>>;
  /** Lines of the order besides iteration and role. */
  readonly header?: readonly string[];
  /** Sections of the order besides goal and acceptance. */
  readonly sections?: Readonly<Record<string, string>>;
  readonly question?: string;
  /** The answer breaks a rule, so the next move belongs to the same iteration. */
  readonly refused?: true;
  readonly work?: readonly Step[];
}

/** The project files, the board and the course of a story. */
export interface BoardScene {
  readonly files: Readonly<Record<string, string>>;
  readonly context: string;
  readonly tasks: readonly PlanTask[];
  readonly moves: readonly Move[];
}

export type Who = "MAIN" | BoardRole;

interface Part {
  readonly who: Who;
  readonly step: Step;
}

/** A project with a board on which real clients play a scene. */
export class BoardClientsRig extends ClientsRig {
  readonly #parts: { readonly server: ModelServer; readonly whose: readonly Who[] }[] = [];

  prepare({ files, context, tasks }: BoardScene): void {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.write("blackboard/dev_plan.md", planOf(tasks));
    this.write("blackboard/global_context.md", context);
    this.write("blackboard/project_env.json", '{ "runtime": "node" }\n');
  }

  /** Gives each client the steps of its roles in chronological order. */
  async cast(roles: Readonly<Record<Who, ClientName>>, scene: BoardScene): Promise<void> {
    this.prepare(scene);
    const answers = answersOf(scene);
    const parts = scene.moves.flatMap(({ next, work = [] }, index): readonly Part[] => [
      ...answers.slice(index, index + 1).map((step) => ({ who: "MAIN" as const, step })),
      ...work.map((step) => ({ who: isBoardRole(next) ? next : "MAIN", step }) as const),
    ]);
    for (const name of new Set(Object.values(roles))) {
      const own = parts.filter(({ who }) => roles[who] === name);
      const server = await this.client(
        name,
        own.map(({ step }) => step),
      );
      this.#parts.push({ server, whose: own.map(({ who }) => who) });
    }
  }

  /** The model's requests of a role. */
  asked(role: Who): readonly Asked[] {
    return this.#parts.flatMap(({ server, whose }) =>
      server.requests.filter((_request, index) => whose[index] === role),
    );
  }

  /** Unused steps; negative: requests without a step. */
  get left(): number {
    return this.#parts.reduce((left, { server, whose }) => left + whose.length - server.requests.length, 0);
  }

  async orchestrated(roles: Readonly<Record<Who, string>>): Promise<Ended & { readonly runId: string }> {
    const words = Object.entries(roles).map(([role, names]) => `${role}=${names}`);
    const ended = await this.run(["orchestrate", "--roles", ...words]);
    return { ...ended, runId: this.runIds()[0] ?? "" };
  }

  /** A person answers, then the run continues. */
  async answered(runId: string, option: string, note: string): Promise<Ended> {
    await this.run(["decide", runId, option, "--note", note]);
    return this.run(["resume", runId]);
  }

  boardReport(runId: string): BoardReport {
    return JSON.parse(this.read(reportName("orchestrate", runId))) as BoardReport;
  }

  /** The turns of a role: agent, requested session and actual session. */
  turns(runId: string, role: Role): readonly TurnOf[] {
    const events = this.events(runId);
    return events
      .filter((event) => event.type === "turn_started")
      .filter((event) => event.role === role)
      .map(({ turn, agent, resumes }) => {
        const end = events.filter(isTurnEnd).find((event) => event.turn === turn);
        return { agent, resumes, session: end?.agent?.sessionId ?? null };
      });
  }

  /** Removes claude's memory of a session. */
  forget(session: string): void {
    const kept = join(this.home, ".claude", "projects");
    const names = fs.readdirSync(kept, { recursive: true, encoding: "utf8" });
    const own = names.filter((name) => name.endsWith(`${session}.jsonl`));
    if (own.length !== 1) throw new Error(`${own.length} files of session ${session}`);
    for (const name of own) fs.rmSync(join(kept, name));
  }
}

export interface TurnOf {
  readonly agent: string | null;
  readonly resumes: string | null;
  readonly session: string | null;
}

function isTurnEnd(event: RunEvent): event is MainEnded | TurnEnded | TurnFailed {
  return event.type === "main_ended" || event.type === "turn_ended" || event.type === "turn_failed";
}

/** MAIN's answers, move by move. */
export function answersOf({ tasks: first, moves }: BoardScene): readonly Step[] {
  let iteration = 1;
  let tasks = first;
  return moves.map((move) => {
    const after = tasks.map((task) => moved(task, move.to?.[task.id], iteration - 1));
    const answer = { text: JSON.stringify(answerTo(move, iteration, after)) };
    if (move.refused !== true) {
      tasks = after;
      iteration += 1;
    }
    return answer;
  });
}

function moved(task: PlanTask, to: TaskStatus | undefined, before: number): PlanTask {
  if (to === undefined) return task;
  return {
    ...task,
    status: to,
    ...(to === "VERIFIED" ? { evidence: `REVIEW Iteration ${before} PASS` } : {}),
  };
}

function answerTo(move: Move, iteration: number, tasks: readonly PlanTask[]): unknown {
  const { next, to, question } = move;
  const changes = Object.entries(to ?? {}).map(([id, status]) => `${id} ${status}`);
  const history = [
    `## Iteration ${iteration}:`,
    `next_agent: ${next}`,
    `reason: ${reasonOf(iteration)}`,
    `dev_plan: ${changes.join(", ") || "no change"}`,
  ];
  return {
    next_agent: next,
    reason: reasonOf(iteration),
    ...(question === undefined ? {} : asking(question)),
    history_append: history.join("\n"),
    task: isBoardRole(next) ? orderOf(move, iteration, tasks) : null,
    dev_plan_next: changes.length > 0 ? planOf(tasks) : null,
  };
}

/** A text that appears only in MAIN's answer. */
export function reasonOf(iteration: number): string {
  return `MAIN thought about it for the ${iteration}. time`;
}

function asking(question: string): Readonly<Record<string, unknown>> {
  const options = ["short", "long"].map((id) => ({ option_id: id, description: `the ${id} one` }));
  return { decision_title: "A matter of taste", question, options, recommended_option_id: "short" };
}

function orderOf(
  { next, header = [], sections = {} }: Move,
  iteration: number,
  tasks: readonly PlanTask[],
): string {
  const open = tasks.filter(({ status }) => status === "TODO" || status === "DOING");
  const about = next === "REVIEW" ? tasks.filter(({ status }) => status === "DONE") : open.slice(0, 1);
  const commands = about.flatMap(({ acceptance }) => acceptance.map(({ command }) => command));
  const all = {
    Goal: about.map(({ id, title }) => `${id}: ${title}`).join("\n"),
    ...sections,
    Acceptance: commands.map((command, index) => `${index + 1}. \`${command}\` → exit 0`).join("\n"),
  };
  return [
    `# Current Task (Iteration ${iteration})\nassigned_agent: ${next}`,
    ...header,
    ...Object.entries(all).map(([title, text]) => `\n## ${title}\n${text}`),
  ].join("\n");
}
