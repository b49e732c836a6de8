import fs from "node:fs";
import { join } from "node:path";
import type { AnalyzeReport } from "../../src/modes/steps/analyze-report.ts";
import type { StepsReport } from "../../src/modes/steps/steps-report.ts";
import type { Ended } from "../rig/rig.ts";
import { TODO } from "../rig/steps.ts";
import { ClientsRig } from "./clients-rig.ts";
import type { Step } from "./model/script.ts";

export const STEP = "001-greeting.json";
export const UNIT_TEST = "grep -q hello greeting.txt";
export const ITEMS = ["greeting.txt says hello", "greeting.txt ends with an exclamation mark"];
const DESCRIPTION = "Write greeting.txt";
const VERIFICATION = ITEMS.map((description) => ({ type: "manual", description }));

/** A worker's final message. */
export const WORKED: Step = {
  text: `All is well, you may believe me.\n\n{"unit_test":{"command":"${UNIT_TEST}"}}`,
};

/** A planner's answer: one open step and one finished step. */
export const PLANNED: Step = {
  text: `I have a plan.\n\n${JSON.stringify({
    name: "greeting",
    steps: [
      { slug: "greeting", description: DESCRIPTION, done: false, verification: VERIFICATION },
      {
        slug: "notes",
        description: "Keep notes",
        done: true,
        verification: [{ type: "manual", description: "there are notes" }],
      },
    ],
  })}`,
};

/** A reviewer's result for each item in turn. */
export function reviewed(...results: readonly ("pass" | "fail")[]): Step {
  const verification = results.map((result, index) => ({
    item: index + 1,
    result,
    evidence: `I saw a ${result} of item ${index + 1}`,
  }));
  return { text: `I looked at it.\n\n${JSON.stringify({ verification })}` };
}

/** Requirements, and a project that needs a greeting. */
export class StepsRig extends ClientsRig {
  readonly dir = "greeting需求实现步骤";

  constructor() {
    super();
    this.write("requirements.md", "# Greeting\n\nGreet the world in greeting.txt.\n");
    this.write("notes.txt", "what the notes say\n");
  }

  /** Writes the directory that `analyze` would write. */
  steps(): void {
    const step = { id: "step-001", description: DESCRIPTION, status: TODO, verification: VERIFICATION };
    this.write(join(this.dir, STEP), JSON.stringify(step));
  }

  stepNow(name: string): Readonly<Record<string, unknown>> {
    return JSON.parse(this.read(join(this.dir, name))) as Readonly<Record<string, unknown>>;
  }

  reads(name: string): Step {
    return { read: join(this.project, name) };
  }

  greets(text: string): Step {
    return { write: { path: join(this.project, "greeting.txt"), text } };
  }

  /** Tries every way to write where writing is forbidden. */
  meddles(): readonly Step[] {
    return [
      { write: { path: join(this.project, "intruder.txt"), text: "by the tool" } },
      { shell: `echo by the shell > '${join(this.project, "notes.txt")}'` },
    ];
  }

  /** The project's files with their content, except git's own and reports. */
  tree(): Readonly<Record<string, string>> {
    const names = fs
      .readdirSync(this.project, { recursive: true, encoding: "utf8" })
      .filter((name) => !/^(?:\.git\/|goldagent-)/.test(name))
      .filter((name) => fs.lstatSync(join(this.project, name)).isFile());
    return Object.fromEntries(names.toSorted().map((name) => [name, this.read(name)]));
  }

  async analyzed(...flags: readonly string[]): Promise<Ended & { report: AnalyzeReport }> {
    const ended = await this.run(["analyze", "requirements.md", ...flags]);
    return { ...ended, report: this.#report("analyze") as AnalyzeReport };
  }

  async worked(...flags: readonly string[]): Promise<Ended & { report: StepsReport }> {
    const ended = await this.run(["run", this.dir, ...flags]);
    return { ...ended, report: this.stepsReport() };
  }

  stepsReport(): StepsReport {
    return this.#report("run") as StepsReport;
  }

  #report(mode: string): unknown {
    const start = `goldagent-${mode}-report-`;
    const name = fs.readdirSync(this.project).find((candidate) => candidate.startsWith(start));
    return JSON.parse(this.read(name ?? start));
  }
}
