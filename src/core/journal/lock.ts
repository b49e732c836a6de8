import fs from "node:fs";
import net from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../platform/failure.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

export interface Lock {
  readonly release: () => void;
}

/**
 * Locks are listening sockets: the kernel frees them the moment their holder dies, so there is nothing to steal and no stale lock.
 * A client that connects receives the holder's run id. On Linux the name is abstract (no file), on Windows a named pipe. Elsewhere it is
 * a socket file; its remains after a crash are replaced under a guard.
 */
export async function acquireLock(name: string, runId: string): Promise<Lock | { readonly heldBy: string }> {
  for (let tries = 0; tries < 50; tries++) {
    const server = await listen(address(name), runId);
    if (server) return { release: () => server.close() };
    const heldBy = await askHolder(name);
    if (heldBy !== undefined) return { heldBy };
    // The holder vanished between the two calls, or left a dead socket file.
    await removeDeadSocket(name);
  }
  return { heldBy: "unknown" };
}

/** The run id of the holder, or undefined if the lock is free. */
export function askHolder(name: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(address(name));
    socket.setTimeout(2000, () => {
      socket.destroy();
      resolve("unknown");
    });
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("end", () => resolve(answer.trim() || "unknown"));
    socket.on("error", () => resolve(undefined));
  });
}

function listen(path: string, runId: string): Promise<net.Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(`${runId}\n`);
    });
    server.unref();
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(path, () => resolve(server));
  });
}

function address(name: string): string {
  const digest = sha256Of(name).slice(0, 32);
  if (process.platform === "linux") return `\0agent-foreman-${digest}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\agent-foreman-${digest}`;
  return join(tmpdir(), `agent-foreman-${userInfo().uid}-${digest}`);
}

/** Two processes that both found the socket dead must not each remove the other's new one: the guard lets one look again. */
async function removeDeadSocket(name: string): Promise<void> {
  if (process.platform === "linux" || process.platform === "win32") return;
  const guard = `${address(name)}.guard`;
  try {
    fs.mkdirSync(guard);
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return;
  }
  try {
    if ((await askHolder(name)) === undefined) fs.rmSync(address(name), { force: true });
  } finally {
    fs.rmdirSync(guard);
  }
}
