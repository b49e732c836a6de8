import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import type { AnalyzeReport } from "../../src/reports/analyze-report.ts";
import type { Ended, StartOptions } from "../rig/rig.ts";
import { StepsRig } from "../rig/steps.ts";

export const SUFFIX = "需求实现步骤";
/** Where the steps of the usual answer are put. */
export const DIR = `greeter${SUFFIX}`;
const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");

export interface Answer {
  readonly name?: unknown;
  readonly steps?: unknown;
}

/** A step of an answer of which a test says only what matters. */
export function step(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    slug: "hello",
    description: "Say hello",
    verification: [{ type: "unit", description: "hello is said" }],
    ...fields,
  };
}

export function answer(fields: Answer = {}): string {
  return JSON.stringify({ name: "greeter", steps: [step()], ...fields });
}

export interface AnalyzeEnded extends Ended {
  readonly runId: string;
  readonly report: AnalyzeReport;
}

/** A project with a requirements document, and agents of the zoo that answer as a script says. */
export class AnalyzeRig extends StepsRig {
  constructor(says?: string) {
    super();
    this.write("requirements.md", "# Greeter\n\nIt greets whom it is told to.\n");
    if (says !== undefined) this.script({ analyst: { say: says } });
  }

  async analyze(more: readonly string[] = [], start: StartOptions = {}): Promise<AnalyzeEnded> {
    const lang = more.includes("--lang") ? [] : ["--lang", "en"];
    const file = more.some((word) => word.endsWith(".md")) ? [] : ["requirements.md"];
    return this.#read(await this.run(["analyze", ...file, ...lang, ...more], start));
  }

  async resumeAnalysis(more: readonly string[] = []): Promise<AnalyzeEnded> {
    return this.#read(await this.run(["resume", this.runIds()[0] ?? "", ...more]));
  }

  #read(ended: Ended): AnalyzeEnded {
    const runId = this.runIds()[0] ?? "";
    const path = `goldagent-analyze-report-${runId}.json`;
    const report = this.exists(path) ? (JSON.parse(this.read(path)) as AnalyzeReport) : ({} as AnalyzeReport);
    return { ...ended, runId, report };
  }

  /** Directories of steps, and what was put aside while one was written. */
  written(): string[] {
    return fs.readdirSync(this.project).filter((name) => name.includes(SUFFIX) || name.endsWith(".tmp"));
  }

  filesIn(dir: string): string[] {
    return fs.readdirSync(join(this.project, dir)).toSorted();
  }
}

/** What is wrong with a value by a schema that is shipped. */
export function validator(name: string): (value: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(fs.readFileSync(join(SCHEMAS, name), "utf8")) as object);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

/** Its agent tells that it works, and answers once it may go on. */
export function hanging(rig: AnalyzeRig): void {
  rig.script({ analyst: { say: answer() } });
  fs.writeFileSync(
    join(rig.root, "agent.sh"),
    "touch ../at-work; while [ ! -e ../go ]; do sleep 0.05; done; exec stepper\n",
  );
  rig.write(
    "agent-foreman.yaml",
    "agents: [a]\nprofiles:\n  a: { extends: command, command: sh ../agent.sh }\n",
  );
}
