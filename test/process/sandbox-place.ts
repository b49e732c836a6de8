import fs from "node:fs";
import { join } from "node:path";
import { detectContainment } from "../../src/platform/process/containment.ts";
import type { CommandSpec } from "../../src/platform/process/run-command.ts";
import { sandboxed, whyNoSandbox, type SandboxSpec } from "../../src/platform/process/sandbox.ts";
import { Bench } from "./machine.ts";

/** Why this machine has no sandbox, or null. */
export const why = whyNoSandbox(detectContainment().wrap);
/** A suffix for the titles of skipped tests. */
export const notHere = why === null ? "" : ` (not here: ${why})`;

type Result = Awaited<ReturnType<Bench["run"]>>;

/** A home with a state directory, and a work tree beside it, all in a temporary directory. */
export class Place extends Bench {
  readonly home = this.#made("home");
  readonly state = this.#made("home/.local/state/agent-foreman");
  readonly outside = this.#made("outside");

  #made(name: string): string {
    fs.mkdirSync(join(this.dir, name), { recursive: true });
    return join(this.dir, name);
  }

  spec(more: Partial<SandboxSpec> = {}): SandboxSpec {
    return { workTree: this.work, writable: [], readable: [this.dir], hidden: [this.state], ...more };
  }

  inside(
    command: string,
    more: Partial<SandboxSpec> = {},
    options: Partial<CommandSpec> = {},
  ): Promise<Result> {
    return this.run(sandboxed(command, this.spec(more)), { env: { HOME: this.home }, ...options });
  }

  /** The paths that a command inside can write: a directory or a file. */
  async written(paths: readonly string[], more: Partial<SandboxSpec> = {}): Promise<readonly string[]> {
    const tries = paths.map((path) => {
      const file = fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, "probe") : path;
      return `(: >> ${quoted(file)}) && echo ${quoted(path)}`;
    });
    const { out } = await this.inside(`{ ${tries.join("\n")}\n} 2>/dev/null`, more);
    return out.split("\n").filter((line) => line !== "");
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
