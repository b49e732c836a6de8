import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { inject, onTestFailed, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import type { SuperviseReport } from "../../src/modes/supervise/report.ts";
import { PLAN } from "./repository.ts";

const REPO = join(import.meta.dirname, "..", "..");
export const CLI = join(REPO, "dist", "cli.cjs");
const ZOO = join(REPO, "test", "zoo", "bin");
const ZOO_AGENTS = join(REPO, "test", "zoo", "agents");
/** Makes the program's waits end at once. */
export const FAKE_CLOCK = join(REPO, "test", "rig", "fake-clock.mjs");

/** Switched off by the configuration of some suites. */
const CLEAN_ROOM = process.env["RIG_CLEAN_ROOM"] !== "off";
const STARTING = new Set(["supervise", "run", "orchestrate"]);

/** Runs checks in the work tree itself, for tests that look there for the output of their test commands. */
function inWorkTree(args: readonly string[]): readonly string[] {
  const [verb = "", ...rest] = args;
  const reviews = verb === "chat" && (rest.includes("--supervisor") || rest.includes("--print"));
  return STARTING.has(verb) || reviews ? [verb, "--no-clean-room", ...rest] : args;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly output: () => { stdout: string; stderr: string };
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Loaded before the program, to injure it from within without test hooks in the product. */
  readonly preload?: string;
  /** A copy of the program other than the built one. */
  readonly program?: string;
  /** Whether checks run in the clean room. On by default, as for users. */
  readonly cleanRoom?: boolean;
}

/** Flags of `supervise` with defaults that accept an honest agent. */
export interface SuperviseOptions {
  /** A shell command; in `agents`, names. */
  readonly agent?: string;
  readonly agents?: string;
  readonly task?: string;
  readonly plan?: string;
  readonly fast?: readonly string[];
  readonly full?: readonly string[];
  readonly loops?: number;
  readonly more?: readonly string[];
}

/** The built program in a temporary git project with a clean environment. Everything is removed after the test. */
export class Rig {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly state: string;
  readonly #log: string[] = [];
  readonly #started: ChildProcess[] = [];
  #always: Pick<StartOptions, "env" | "preload" | "cleanRoom"> = {};

  constructor() {
    this.root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "foreman-rig-")));
    this.project = join(this.root, "project");
    this.home = join(this.root, "home");
    this.state = join(this.root, "state");
    fs.mkdirSync(this.project);
    fs.mkdirSync(this.home);
    this.write("plan.md", PLAN);
    fs.cpSync(inject("repository"), join(this.project, ".git"), { recursive: true });
    onTestFailed(() => this.#printDetails());
    onTestFinished(() => this.#tidy());
  }

  /** For tests that are not about evidence: checks run in the work tree, which takes half the time. */
  static inWorkTree<Made extends Rig, Args extends unknown[]>(
    this: new (...args: Args) => Made,
    ...args: Args
  ): Made {
    const rig = new this(...args);
    rig.alwaysWith({ cleanRoom: false });
    return rig;
  }

  write(name: string, text: string): string {
    const path = join(this.project, name);
    fs.mkdirSync(join(path, ".."), { recursive: true });
    fs.writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return fs.readFileSync(join(this.project, name), "utf8");
  }

  git(...args: string[]): string {
    const result = spawnSync("git", args, { cwd: this.project, encoding: "utf8", env: this.env() });
    if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
    return result.stdout;
  }

  env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: [ZOO, join(process.execPath, ".."), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
      HOME: this.home,
      LANG: "C.UTF-8",
      AGENT_FOREMAN_HOME: this.state,
      ...extra,
    };
  }

  /** An environment with the zoo's `claude` and `codex`, which follow CLAUDE_DOES and CODEX_DOES. */
  withAgents(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: `${ZOO_AGENTS}${delimiter}${this.env()["PATH"] ?? ""}`, ...extra };
  }

  /** Default options for every start of the program in this rig. */
  alwaysWith(options: Pick<StartOptions, "env" | "preload" | "cleanRoom">): void {
    this.#always = { ...this.#always, ...options };
  }

  /** The arguments of a call, plus a flag that switches the clean room off if requested. */
  words(args: readonly string[], cleanRoom = this.#always.cleanRoom ?? CLEAN_ROOM): readonly string[] {
    return cleanRoom ? args : inWorkTree(args);
  }

  start(args: readonly string[], options: StartOptions = {}): Running {
    const preloads = [this.#always.preload, options.preload].filter((path) => path !== undefined);
    const node = preloads.flatMap((path) => ["--import", path]);
    const words = this.words(args, options.cleanRoom);
    const child = spawn(process.execPath, [...node, options.program ?? CLI, ...words], {
      cwd: options.cwd ?? this.project,
      env: this.env({ ...this.#always.env, ...options.env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        this.#log.push(
          `$ ${args.join(" ")}\nexit ${code ?? signal}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`,
        );
        resolve({ code, signal, stdout, stderr });
      });
    });
    return { pid: child.pid ?? -1, child, ended, output: () => ({ stdout, stderr }) };
  }

  async run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return this.start(args, options).ended;
  }

  superviseArgs(options: SuperviseOptions): string[] {
    const {
      agent = "worker",
      agents,
      task = "the task",
      plan = "plan.md",
      fast = ["true"],
      full = ["true"],
      loops,
      more = [],
    } = options;
    return [
      "supervise",
      ...["--task", task, "--plan-file", plan],
      ...(agents === undefined ? ["--agent-cmd", agent] : ["--agent", agents]),
      ...fast.flatMap((command) => ["--test-fast", command]),
      ...full.flatMap((command) => ["--test-full", command]),
      ...(loops === undefined ? [] : ["--max-loops", String(loops)]),
      ...more,
    ];
  }

  /** Runs `supervise` to its end and reads the results. */
  async supervise(
    options: SuperviseOptions,
    start: StartOptions = {},
  ): Promise<Ended & { report: SuperviseReport; runId: string }> {
    const ended = await this.runNew(this.superviseArgs(options), start);
    return { ...ended, report: this.report(ended.runId) };
  }

  /** Runs the program to its end and finds the run that it started. */
  async runNew(
    args: readonly string[],
    start: StartOptions = {},
  ): Promise<Ended & { readonly runId: string }> {
    const before = new Set(this.runIds());
    const ended = await this.run(args, start);
    return { ...ended, runId: this.runIds().find((id) => !before.has(id)) ?? "" };
  }

  /** All calls of zoo agents so far, in order. A record gets its final name only when it is complete. */
  zooCalls<Call extends { readonly prompt: string }>(): Call[] {
    const dir = join(this.root, "calls");
    if (!fs.existsSync(dir)) return [];
    return fs
      .readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => ({
        ...(JSON.parse(fs.readFileSync(join(dir, name), "utf8")) as Call),
        prompt: fs.readFileSync(join(dir, name.replace(/json$/, "md")), "utf8"),
      }));
  }

  runIds(): string[] {
    const runs = join(this.state, "runs");
    return fs.existsSync(runs) ? fs.readdirSync(runs).sort() : [];
  }

  report(runId: string): SuperviseReport {
    return JSON.parse(this.read(reportName("supervise", runId))) as SuperviseReport;
  }

  hasReport(runId: string): boolean {
    return this.exists(reportName("supervise", runId));
  }

  journalPath(runId: string): string {
    return join(this.state, "runs", runId, "journal.jsonl");
  }

  records(runId: string): JournalRecord[] {
    const text = fs.readFileSync(this.journalPath(runId), "utf8");
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as JournalRecord);
  }

  events(runId: string): RunEvent[] {
    return this.records(runId).map((record) => record.event);
  }

  /** Every file and folder of the rig except git's own, to check that nothing was left behind. */
  everything(): string[] {
    return fs
      .readdirSync(this.root, { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith(join("project", ".git", "/")) && path !== "puppet.sock")
      .sort();
  }

  exists(name: string): boolean {
    return fs.existsSync(join(this.project, name));
  }

  /** Processes on this machine whose environment still mentions this rig. */
  survivors(): string[] {
    return processesWith(this.root).filter((line) => !line.startsWith(`${process.pid} `));
  }

  /** For sweeps, which need hundreds of rigs: removes the rig early after a success. */
  dispose(): void {
    this.#log.length = 0;
    this.#tidy();
  }

  #printDetails(): void {
    for (const entry of this.#log) process.stderr.write(`${entry}\n`);
    for (const runId of this.runIds()) {
      const path = this.journalPath(runId);
      if (fs.existsSync(path))
        process.stderr.write(`--- journal ${runId}\n${fs.readFileSync(path, "utf8")}\n`);
    }
  }

  #tidy(): void {
    for (const child of this.#started) child.kill("SIGKILL");
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}

export function reportName(mode: Settings["mode"], runId: string): string {
  return `goldagent-${mode}-report-${runId}.json`;
}

/** `pid command` of every process whose environment mentions the text. */
function processesWith(text: string): string[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!fs.readFileSync(`/proc/${pid}/environ`).includes(text)) return [];
        const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
        if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) return [];
        return [`${pid} ${fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`];
      } catch {
        return [];
      }
    });
}

/** Polls until the condition is true, for work of other processes. The test's own time limit ends it. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
