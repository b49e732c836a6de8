import { spawn } from "node:child_process";
import type { Adapter } from "../agents/adapter.ts";
import { chatAdapterFor } from "../agents/chat-registry.ts";
import { adapterFor } from "../agents/registry.ts";
import type { Config } from "./config/config.ts";
import { INSTALLABLE } from "./config/detect.ts";
import { loadConfig } from "./config/load.ts";
import { resolveAgents } from "./config/profiles.ts";
import { resolveEnv } from "./config/resolve-env.ts";
import { Failure } from "../platform/failure.ts";
import { finding, type Finding } from "./finding.ts";
import { isRunnable } from "../platform/files/tools.ts";
import { killQuietly } from "../platform/process/leftovers.ts";
import { shellWord } from "../text/shell-quote.ts";
import { programOf } from "./agents.ts";
import type { Io } from "./io.ts";

/** Time limit for a program to print its version. */
const PATIENCE_MS = 20_000;
const MAX_OUTPUT_CHARS = 64 * 1024;

/** Asks the program of each supported agent. */
export function agentFindings(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  return Promise.all(INSTALLABLE.map((name) => agentFinding(adapterFor(name), env)));
}

/** Problems of the configuration and its profiles. */
export async function configFindings(io: Io): Promise<readonly Finding[]> {
  try {
    const config = await loadConfig({ cwd: io.cwd, env: io.env });
    if (config.files.length === 0) return [];
    const files = config.files.map(({ path }) => path).join(", ");
    return [
      finding("ok", "config_valid", { files }),
      ...[...config.profiles.keys()].flatMap((name) => profileFinding(name, config, io)),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [finding("warning", "config_broken", { why: error.code })];
  }
}

function profileFinding(name: string, config: Config, { env, cwd }: Io): Finding[] {
  const [profile] = resolveAgents([name], config);
  if (!profile) return [];
  const program = programOf(profile, adapterFor(profile.adapter));
  const { missing } = resolveEnv(profile.env, env);
  const about = { name, adapter: profile.adapter, program, missing: missing.join(", ") };
  if (!isRunnable(program, env, cwd)) return [finding("warning", "profile_not_found", about)];
  return missing.length > 0
    ? [finding("warning", "profile_lacks_variables", about)]
    : [finding("ok", "profile_ready", about)];
}

async function agentFinding(adapter: Adapter, env: NodeJS.ProcessEnv): Promise<Finding> {
  const { program, name, install } = adapter;
  if (!isRunnable(program, env)) return finding("info", "agent_not_found", { name, install });
  return versionFinding(adapter, await versionOf(program, env));
}

/** Compares the first two numbers only, because patch releases come every day. */
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
  if (version === null) return finding("warning", "agent_mute", about);
  if (compare(version, newest) > 0) return finding("warning", "agent_newer", about);
  if (compare(version, oldest) < 0) return finding("warning", "agent_older", about);
  return finding("ok", "agent_found", about);
}

function capabilities({ name, can }: Adapter): string[] {
  const chat = chatAdapterFor(name);
  const all = [
    ["resume", can.resume],
    ["fork", can.fork],
    ["read only", can.tools !== "all"],
    ["no tools", can.tools === "none"],
    ["tokens", can.tokens],
    ["cost", can.cost],
    ["chat by hooks", chat?.turns === "hooks"],
    ["chat by record", chat?.turns === "record"],
    ["review in a fork", chat?.fork === true],
  ] as const;
  return all.filter(([, able]) => able).map(([what]) => what);
}

function calledAs(adapter: Adapter): string {
  const { words } = adapter.command({
    options: { program: adapter.program, args: [], env: {}, model: null, endpoint: null },
    session: { kind: "start" },
    tools: "all",
    system: null,
    cwd: ".",
    dir: ".",
    maxCostUsd: null,
  });
  return words.map((word) => shellWord(word)).join(" ");
}

function compare(a: string, b: string): number {
  const [aMajor = 0, aMinor = 0] = a.split(".").map(Number);
  const [bMajor = 0, bMinor = 0] = b.split(".").map(Number);
  return aMajor - bMajor || aMinor - bMinor;
}

/** The first text that looks like a version; null: none was printed in time. */
function versionOf(program: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    // A separate process group, because a program that hangs may have started others.
    const child = spawn(program, ["--version"], {
      env,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const hear = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT_CHARS) output += chunk.toString("utf8");
    };
    const settle = (version: string | null): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) killQuietly(-child.pid, "SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(version);
    };
    const timer = setTimeout(() => settle(null), PATIENCE_MS);
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", () => settle(null));
    child.once("exit", (code) => {
      // Output may still be in the pipe.
      setImmediate(() => settle(code === 0 ? (/\d+\.\d+(?:\.\d+)*/.exec(output)?.[0] ?? null) : null));
    });
  });
}
