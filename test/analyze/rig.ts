import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import type { AnalyzeReport } from "../../src/modes/steps/analyze-report.ts";
import { reportName, type Ended, type StartOptions } from "../rig/rig.ts";
import { StepsRig } from "../rig/steps.ts";

export const SUFFIX = "需求实现步骤";
/** The output directory of the usual answer. */
export const DIR = `greeter${SUFFIX}`;
const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");

export interface Answer {
  readonly name?: unknown;
  readonly steps?: unknown;
}

/** A step of an answer. A test gives only the relevant fields. */
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

/** A project with a requirements document and scripted agents of the zoo. */
export class AnalyzeRig extends StepsRig {
  constructor(says?: string) {
    super();
    this.write("requirements.md", "# Greeter\n\nIt greets the person it is given.\n");
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
    const path = reportName("analyze", runId);
    const report = this.exists(path) ? (JSON.parse(this.read(path)) as AnalyzeReport) : ({} as AnalyzeReport);
    return { ...ended, runId, report };
  }

  /** Step directories, and files that were moved aside while one was written. */
  written(): string[] {
    return fs.readdirSync(this.project).filter((name) => name.includes(SUFFIX) || name.endsWith(".tmp"));
  }

  filesIn(dir: string): string[] {
    return fs.readdirSync(join(this.project, dir)).toSorted();
  }
}

/** Errors of a value against a shipped schema. */
export function validator(name: string): (value: unknown) => unknown[] {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(fs.readFileSync(join(SCHEMAS, name), "utf8")) as object);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

/** The agent reports that it works, then waits for permission to answer. */
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
