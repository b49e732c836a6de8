import { spawn } from "node:child_process";
import fs from "node:fs";
import { onTestFinished } from "vitest";
import type { Adapter, AgentOptions, Tools, TurnRequest, TurnSummary } from "../../src/agents/adapter.ts";
import type { Usage } from "../../src/core/agent-turn.ts";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";
import type { Rig } from "../rig/rig.ts";

export interface TurnOptions {
  readonly prompt?: string;
  readonly session?: TurnRequest["session"];
  readonly tools?: Tools;
  readonly before?: Usage | null;
  /** Called on output, with the number of bytes so far. */
  readonly onOutput?: (bytes: number) => void;
  /** When it settles, ends the turn like a timeout. */
  readonly endAt?: Promise<unknown>;
}

export interface Taken extends TurnSummary {
  readonly end: ProcessEnd;
}

/** One turn of a real client, called and read by our adapter. */
export async function takeTurn(
  adapter: Adapter,
  agent: AgentOptions,
  rig: Rig,
  options: TurnOptions = {},
): Promise<Taken> {
  const { prompt = "Do the work.", session = { kind: "start" }, tools = "all", before = null } = options;
  const dir = fs.mkdtempSync(`${rig.home}/turn-`);
  const request: TurnRequest = {
    options: agent,
    session,
    system: null,
    tools,
    cwd: rig.project,
    dir,
    maxCostUsd: null,
  };
  const { words, env, files = {} } = adapter.command(request);
  for (const [path, text] of Object.entries(files)) fs.writeFileSync(path, text);
  const child = spawn(words[0] ?? "", words.slice(1), {
    cwd: rig.project,
    env: rig.env(env),
    stdio: "pipe",
    detached: true,
  });
  const killAll = (): void => {
    try {
      process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
    } catch {
      // All processes have exited.
    }
  };
  onTestFinished(killAll);
  const reader = adapter.read({
    cwd: rig.project,
    now: () => new Date(),
    before,
    prompt,
    request,
    changed: () => undefined,
    send: (text) => void child.stdin.write(text),
  });
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    reader.push("stdout", chunk);
    bytes += chunk.length;
    options.onOutput?.(bytes);
  });
  child.stderr.on("data", (chunk: Buffer) => reader.push("stderr", chunk));
  // A client may exit before it has read its prompt. Its output explains why.
  child.stdin.on("error", () => undefined);
  child.stdin.end(prompt);

  const end = await new Promise<ProcessEnd>((resolve, reject) => {
    let ended: ProcessEnd | null = null;
    void options.endAt?.then(() => {
      ended = { kind: "timeout", afterMs: 1000 };
      return killAll();
    });
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve(
        ended ?? (code === null ? { kind: "signaled", signal: signal ?? "" } : { kind: "exited", code }),
      ),
    );
  });
  return { ...reader.end(end), end };
}
