import { execFile } from "node:child_process";
import type { Adapter } from "../agents/adapter.ts";
import { adapterFor } from "../agents/registry.ts";
import { INSTALLABLE } from "../config/detect.ts";
import type { Finding } from "../domain/finding.ts";
import { isRunnable } from "../files/tools.ts";
import { shellWord } from "../reports/shell-command.ts";

/** How long a program may take to tell its version. */
const PATIENCE_MS = 20_000;

/** What is known of each agent there is an adapter for, found by asking its program. */
export function agentFindings(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  return Promise.all(INSTALLABLE.map((name) => agentFinding(adapterFor(name), env)));
}

async function agentFinding(adapter: Adapter, env: NodeJS.ProcessEnv): Promise<Finding> {
  const { program, name, install } = adapter;
  if (!isRunnable(program, env))
    return { check: "agent", level: "info", code: "agent_not_found", about: { name, install } };
  return versionFinding(adapter, await versionOf(program, env));
}

/** Judged by the two first numbers: patch releases come every day. */
export function versionFinding(adapter: Adapter, version: string | null): Finding {
  const [oldest, newest] = adapter.tested;
  const about = {
    name: adapter.name,
    version,
    tested: oldest === newest ? newest : `${oldest}-${newest}`,
    can: capabilities(adapter).join(", "),
    called: calledAs(adapter),
    login: adapter.login,
  };
  if (version === null) return { check: "agent", level: "warning", code: "agent_mute", about };
  if (compare(version, newest) > 0) return { check: "agent", level: "warning", code: "agent_newer", about };
  if (compare(version, oldest) < 0) return { check: "agent", level: "warning", code: "agent_older", about };
  return { check: "agent", level: "ok", code: "agent_found", about };
}

function capabilities({ can }: Adapter): string[] {
  const all = [
    ["resume", can.resume],
    ["fork", can.fork],
    ["read only", can.readOnly],
    ["tokens", can.tokens],
    ["cost", can.cost],
  ] as const;
  return all.filter(([, able]) => able).map(([what]) => what);
}

function calledAs(adapter: Adapter): string {
  const { words } = adapter.command({
    options: { program: adapter.program, args: [], env: {}, model: null, endpoint: null },
    session: { kind: "start" },
    readOnly: false,
    cwd: ".",
    maxCostUsd: null,
  });
  return words.map((word) => shellWord(word)).join(" ");
}

function compare(a: string, b: string): number {
  const [aMajor = 0, aMinor = 0] = a.split(".").map(Number);
  const [bMajor = 0, bMinor = 0] = b.split(".").map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}

/** The first thing that looks like a version; null: the program told none. */
function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      ["--version"],
      { env, timeout: PATIENCE_MS, killSignal: "SIGKILL", maxBuffer: 1024 * 1024 },
      (_, stdout, stderr) => resolve(/\d+\.\d+(?:\.\d+)*/.exec(stdout || stderr)?.[0] ?? null),
    );
    child.stdin?.end();
  });
}
