import fs from "node:fs";
import { join } from "node:path";
import type { StepsReport } from "../../src/modes/steps/steps-report.ts";
import { reportName, Rig, type Ended, type StartOptions } from "./rig.ts";

export const TODO = "🔴 待完成";
export const DOING = "🟡 进行中";
export const DONE = "🟢 已完成";

/** Actions of the zoo's `stepper`, which explains them. */
export interface Doing {
  readonly write?: Readonly<Record<string, string | null>>;
  readonly edit?: Readonly<Record<string, readonly [from: string, to: string]>>;
  /** Copies files as the agent finds them: from → to. */
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
  /** Items that a reviewer fails. */
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
  /** Start time of its process in kernel ticks. */
  readonly started: string;
  readonly prompt: string;
}

export interface StepsEnded extends Ended {
  /** The output as printed, with times; `stdout` is without them. */
  readonly piped: string;
  readonly runId: string;
  readonly progress: string;
  readonly report: StepsReport;
}

/** Piped output without the time at the start of lines. */
export function untimed(text: string): string {
  return text.replaceAll(/^\d\d:\d\d:\d\d /gm, "");
}

/** A project with a steps directory and scripted agents of the zoo. */
export class StepsRig extends Rig {
  readonly dir = "steps";

  constructor() {
    super();
    this.profiles(["stepper"]);
  }

  /** Agents with these names, all of them the zoo's `stepper`. */
  profiles(names: readonly string[], more = ""): void {
    const profiles = names.map(
      (name) => `  ${name}: { extends: command, command: stepper, env: { STEPPER: ${name} } }\n`,
    );
    this.write("agent-foreman.yaml", `agents: [${names.join(", ")}]\n${more}profiles:\n${profiles.join("")}`);
  }

  /** Writes a step file. A test gives only the relevant fields. */
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

  /** The current content of a step's file. */
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

  /** All agent calls so far, in order. */
  calls(): Call[] {
    return this.zooCalls();
  }

  /** `worker step-001 1` and so on, for every call. */
  called(): string[] {
    return this.calls().map(({ role, id, round }) => `${role} ${id} ${round}`);
  }

  progress(): string {
    return this.read(join(this.dir, "run-progress.md"));
  }

  /** The cells of a progress file's table, without attempts and time. */
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
    return JSON.parse(this.read(reportName("run", runId))) as StepsReport;
  }

  /** Runs `run` to its end and reads the results. The default language is that of the documents. */
  async steps(more: readonly string[] = [], start: StartOptions = {}): Promise<StepsEnded> {
    const lang = more.includes("--lang") ? [] : ["--lang", "zh"];
    const ended = await this.runNew(["run", this.dir, ...lang, ...more], start);
    const { runId } = ended;
    return {
      ...ended,
      stdout: untimed(ended.stdout),
      piped: ended.stdout,
      progress: this.exists(join(this.dir, "run-progress.md")) ? this.progress() : "",
      report: this.exists(reportName("run", runId)) ? this.stepsReport(runId) : ({} as StepsReport),
    };
  }
}
