import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { detectContainment, type Container } from "../../src/platform/process/containment.ts";
import { Launcher } from "../../src/platform/process/launcher.ts";
import { PipePool } from "../../src/platform/process/pipes.ts";
import {
  runCommand,
  type CommandResult,
  type CommandSpec,
  type Machine,
} from "../../src/platform/process/run-command.ts";

/** Ways to start a command: by the launcher, directly in its containment, or as a process group. */
export const WAYS = ["launcher", "direct", "process group"] as const;
type Way = (typeof WAYS)[number];

const byProcessGroup: Container = {
  level: "process_group",
  wrap: (command) => ({ file: "/bin/sh", args: ["-c", command] }),
  contain: (script, args) => ({ file: "/bin/sh", args: ["-c", script, "sh", ...args] }),
};

interface Ran extends CommandResult {
  readonly out: string;
  readonly err: string;
}

/** A place to run single commands without the rest of the program. */
export class Bench {
  readonly dir = fs.realpathSync(fs.mkdtempSync(join(os.tmpdir(), "foreman-process-")));
  readonly work = join(this.dir, "work");
  readonly #machine: Machine;

  constructor(way: Way = "launcher") {
    fs.mkdirSync(this.work);
    const container = way === "process group" ? byProcessGroup : detectContainment();
    const launcher =
      way === "launcher" && container.launcher ? new Launcher(container.launcher, process.env) : null;
    this.#machine = { container, pipes: new PipePool(join(this.dir, "pipes")), launcher };
    onTestFinished(() => {
      launcher?.close();
      fs.rmSync(this.dir, { recursive: true, force: true });
    });
  }

  write(name: string, text: string): string {
    const path = join(this.dir, name);
    fs.writeFileSync(path, text);
    return path;
  }

  async run(command: string, more: Partial<CommandSpec> = {}): Promise<Ran> {
    const spec: CommandSpec = {
      runId: `bench-${process.pid}`,
      command,
      cwd: this.work,
      env: {},
      timeoutMs: 0,
      maxOutputBytes: 1024 * 1024 * 1024,
      stdoutPath: join(this.dir, "out.log"),
      stderrPath: join(this.dir, "err.log"),
      ...more,
    };
    const result = await runCommand(spec, this.#machine, new AbortController().signal);
    const read = (path: string): string => fs.readFileSync(path, "utf8");
    return { ...result, out: read(spec.stdoutPath), err: read(spec.stderrPath) };
  }
}

/** A command line for a JavaScript program. */
export function node(script: string): string {
  return `exec '${process.execPath}' -e '${script.replaceAll("'", String.raw`'\''`)}'`;
}
