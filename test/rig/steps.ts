import fs from "node:fs";
import { join } from "node:path";
import type { StepsReport } from "../../src/reports/steps-report.ts";
import { Rig, type Ended, type StartOptions } from "./rig.ts";

export const TODO = "🔴 待完成";
export const DOING = "🟡 进行中";
export const DONE = "🟢 已完成";

/** What the zoo's `stepper` does when it is called; the keys are explained there. */
export interface Doing {
  readonly write?: Readonly<Record<string, string | null>>;
  readonly edit?: Readonly<Record<string, readonly [from: string, to: string]>>;
  /** Files as the agent finds them, from and to. */
  readonly copy?: Readonly<Record<string, string>>;
  readonly chmod?: Readonly<Record<string, number>>;
  /** A shell command. */
  readonly run?: string;
  readonly say?: string;
  readonly unitTest?: {
    readonly command: string;
    readonly files?: readonly string[];
    readonly notes?: string;
  };
  /** Items that a reviewer lets fail. */
  readonly fail?: readonly number[];
  readonly evidence?: string;
  readonly exit?: number;
  readonly kill?: NodeJS.Signals;
}

export interface Call {
  readonly name: string;
  readonly role: string;
  readonly id: string;
  readonly round: number;
  readonly pid: number;
  /** When its process began, in the kernel's ticks. */
  readonly started: string;
  readonly prompt: string;
}

export interface StepsEnded extends Ended {
  /** As it was printed, with times; `stdout` is without them. */
  readonly piped: string;
  readonly runId: string;
  readonly progress: string;
  readonly report: StepsReport;
}

/** What is piped, without the time at the beginning of lines. */
export function untimed(text: string): string {
  return text.replaceAll(/^\d\d:\d\d:\d\d /gm, "");
}

/** A project with a steps directory and agents of the zoo that do as a script says. */
export class StepsRig extends Rig {
  readonly dir = "steps";

  constructor() {
    super();
    this.profiles(["stepper"]);
  }

  /** Agents by these names, all of them the zoo's `stepper`. */
  profiles(names: readonly string[], more = ""): void {
    const profiles = names.map(
      (name) => `  ${name}: { extends: command, command: stepper, env: { STEPPER: ${name} } }\n`,
    );
    this.write("agent-foreman.yaml", `agents: [${names.join(", ")}]\n${more}profiles:\n${profiles.join("")}`);
  }

  /** A step file of which a test says only what matters. */
  step(number: number, fields: Readonly<Record<string, unknown>> = {}, slug = "step"): string {
    const nnn = String(number).padStart(3, "0");
    const value = {
      id: `step-${nnn}`,
      description: `Do the work of step ${number}`,
      status: TODO,
      verification: [{ type: "unit", description: `it does what step ${number} says` }],
      ...fields,
    };
    const name = `${nnn}-${slug}.json`;
    this.write(join(this.dir, name), `${JSON.stringify(value, null, 2)}\n`);
    return name;
  }

  /** The file of a step as it is now. */
  stepNow(name: string): Record<string, unknown> {
    return JSON.parse(this.read(join(this.dir, name))) as Record<string, unknown>;
  }

  script(script: Readonly<Record<string, Doing>>): void {
    fs.writeFileSync(join(this.root, "script.json"), JSON.stringify(script));
  }

  override env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const script = join(this.root, "script.json");
    return super.env({
      ...(fs.existsSync(script) && { STEPPER_SCRIPT: script }),
      STEPPER_CALLS: join(this.root, "calls"),
      ...extra,
    });
  }

  /** Every call of an agent so far, in order. */
  calls(): Call[] {
    const dir = join(this.root, "calls");
    if (!fs.existsSync(dir)) return [];
    return fs
      .readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => ({
        ...(JSON.parse(fs.readFileSync(join(dir, name), "utf8")) as Omit<Call, "prompt">),
        prompt: fs.readFileSync(join(dir, name.replace(/json$/, "md")), "utf8"),
      }));
  }

  /** `worker step-001 1` and so on, for every call. */
  called(): string[] {
    return this.calls().map(({ role, id, round }) => `${role} ${id} ${round}`);
  }

  progress(): string {
    return this.read(join(this.dir, "run-progress.md"));
  }

  /** The table of a progress file, cell by cell, without attempts and time. */
  rows(progress = this.progress()): string[][] {
    return this.cells(progress).map((cells) => cells.toSpliced(6, 2));
  }

  /** Attempts and time of each step. */
  efforts(progress = this.progress()): string[][] {
    return this.cells(progress).map((cells) => cells.slice(6, 8));
  }

  private cells(progress: string): string[][] {
    return progress
      .split("\n")
      .filter((line) => /^\| \d/.test(line))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  }

  stepsReport(runId: string): StepsReport {
    return JSON.parse(this.read(`goldagent-run-report-${runId}.json`)) as StepsReport;
  }

  /** Runs `run` to its end and reads what it left. The language is the documents' own unless a test says otherwise. */
  async steps(more: readonly string[] = [], start: StartOptions = {}): Promise<StepsEnded> {
    const before = new Set(this.runIds());
    const lang = more.includes("--lang") ? [] : ["--lang", "zh"];
    const ended = await this.run(["run", this.dir, ...lang, ...more], start);
    const runId = this.runIds().find((id) => !before.has(id)) ?? "";
    const reported = fs.existsSync(join(this.project, `goldagent-run-report-${runId}.json`));
    return {
      ...ended,
      stdout: untimed(ended.stdout),
      piped: ended.stdout,
      runId,
      progress: fs.existsSync(join(this.project, this.dir, "run-progress.md")) ? this.progress() : "",
      report: reported ? this.stepsReport(runId) : ({} as StepsReport),
    };
  }
}
