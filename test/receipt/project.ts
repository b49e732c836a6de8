import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { verify } from "../../src/cli/verify.ts";
import { Failure } from "../../src/platform/failure.ts";
import type { Receipt } from "../../src/evidence/receipt/receipt.ts";
import { fakeIo } from "../commands/fixtures.ts";
import { Rig, type SuperviseOptions } from "../rig/rig.ts";

/** The result of checking a receipt. */
export interface Looked {
  readonly code: number;
  readonly codes: readonly string[];
  readonly why: string;
}

/** The codes from `verify --json`. */
function codesIn(stdout: string): readonly string[] {
  if (stdout === "") return [];
  const { seen } = JSON.parse(stdout) as { readonly seen: readonly { readonly code: string }[] };
  return seen.map(({ code }) => code);
}

/** A project in the clean room. The agent creates `made.txt`, and the check requires that file. */
export class ReceiptRig extends Rig {
  commit(): void {
    commitAll(this.project, this.env());
  }

  /** The receipt of an accepted run and its path. */
  async accepted(options: SuperviseOptions = {}): Promise<{ path: string; receipt: Receipt; runId: string }> {
    const { code, runId } = await this.supervise({
      agent: "echo made > made.txt; claim",
      full: ["test -f made.txt"],
      loops: 1,
      ...options,
    });
    if (code !== 0) throw new Error(`the run ended with ${code}`);
    const path = join(this.project, receiptName("supervise", runId));
    return { path, receipt: readReceipt(path), runId };
  }

  /** Another person's clone of the commits, with another home and without the journal. */
  clone(name = "clone"): { dir: string; env: Record<string, string> } {
    const dir = join(this.root, name);
    const home = join(this.root, `${name}-home`);
    fs.mkdirSync(home);
    const cloned = spawnSync("git", ["clone", "--quiet", this.project, dir], { env: this.env() });
    if (cloned.status !== 0) throw new Error(cloned.stderr.toString());
    return { dir, env: { HOME: home, AGENT_FOREMAN_HOME: join(home, "state") } };
  }

  /** The command line, optionally as another person. */
  async verify(
    path: string,
    flags: readonly string[] = [],
    at: { dir?: string; env?: Record<string, string> } = {},
  ) {
    const start = { cwd: at.dir ?? this.project, env: at.env ?? {} };
    const ended = await this.run(["verify", path, "--json", ...flags], start);
    return { ...ended, codes: codesIn(ended.stdout) };
  }

  /** The same in this process. `journal`: false hides the journal. */
  look(path: string, { cwd = this.project, journal = true, rerun = false } = {}): Promise<Looked> {
    return look(path, { home: journal ? this.state : join(this.root, "nowhere"), cwd, rerun });
  }
}

/** `verify` in this process, which is much faster. */
export async function look(
  path: string,
  { home, cwd, rerun = false }: { home: string; cwd: string; rerun?: boolean },
): Promise<Looked> {
  const io = fakeIo({ home });
  try {
    return { code: await verify(path, { cwd, json: true, rerun }, io), codes: codesIn(io.text()), why: "" };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { code: error.exitCode, codes: codesIn(io.text()), why: error.about["why"] ?? "" };
  }
}

export function receiptName(mode: string, runId: string): string {
  return `goldagent-${mode}-report-${runId}.receipt.json`;
}

export function readReceipt(path: string): Receipt {
  return JSON.parse(fs.readFileSync(path, "utf8")) as Receipt;
}

export function commitAll(dir: string, env: Record<string, string>): void {
  const who = ["-c", "user.name=rig", "-c", "user.email=rig@localhost"];
  for (const args of [
    ["add", "--all"],
    ["commit", "--quiet", "--message", "Work"],
  ]) {
    const done = spawnSync("git", [...who, ...args], { cwd: dir, env });
    if (done.status !== 0) throw new Error(done.stderr.toString());
  }
}
