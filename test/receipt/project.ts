import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { verify } from "../../src/commands/verify.ts";
import { Failure } from "../../src/domain/failure.ts";
import type { Receipt } from "../../src/reports/receipt.ts";
import { fakeIo } from "../commands/fixtures.ts";
import { Rig, type SuperviseOptions } from "../rig/rig.ts";

/** What came of holding a receipt against what is here. */
export interface Looked {
  readonly code: number;
  readonly codes: readonly string[];
  readonly why: string;
}

/** What `verify --json` saw. */
function codesIn(stdout: string): readonly string[] {
  if (stdout === "") return [];
  const { seen } = JSON.parse(stdout) as { readonly seen: readonly { readonly code: string }[] };
  return seen.map(({ code }) => code);
}

/** A project whose agent makes `made.txt`, whose check is that it is there, and whose checks are kept apart. */
export class ReceiptRig extends Rig {
  commit(): void {
    commitAll(this.project, this.env());
  }

  /** The receipt of a run that was accepted, and where it lies. */
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

  /** A clone of what is committed, as another person has it: with another home, and without the journal. */
  clone(name = "clone"): { dir: string; env: Record<string, string> } {
    const dir = join(this.root, name);
    const home = join(this.root, `${name}-home`);
    fs.mkdirSync(home);
    const cloned = spawnSync("git", ["clone", "--quiet", this.project, dir], { env: this.env() });
    if (cloned.status !== 0) throw new Error(cloned.stderr.toString());
    return { dir, env: { HOME: home, AGENT_FOREMAN_HOME: join(home, "state") } };
  }

  /** The command line itself, as another person may call it. */
  async verify(
    path: string,
    flags: readonly string[] = [],
    at: { dir?: string; env?: Record<string, string> } = {},
  ) {
    const start = { cwd: at.dir ?? this.project, env: at.env ?? {} };
    const ended = await this.run(["verify", path, "--json", ...flags], start);
    return { ...ended, codes: codesIn(ended.stdout) };
  }

  /** The same within this process. `journal`: false where it is not to be found. */
  look(path: string, { cwd = this.project, journal = true, rerun = false } = {}): Promise<Looked> {
    return look(path, { home: journal ? this.state : join(this.root, "nowhere"), cwd, rerun });
  }
}

/** `verify` within this process, which takes a fraction of the time. */
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
