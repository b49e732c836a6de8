import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

/**
 * Descriptors that no child program may inherit. The native module opens pty masters without FD_CLOEXEC, and Node cannot set it.
 * A program that holds a master can type as the person and read what the agent writes.
 */
const held = new Set<number>();

/** Returns a function that releases the descriptor. */
export function holdPrivate(fd: number): () => void {
  held.add(fd);
  return () => held.delete(fd);
}

export type Stdio = readonly ("ignore" | "pipe" | number)[];

/** Starts a program with the null device in place of each private descriptor. */
export function spawnPrivately(
  file: string,
  args: readonly string[],
  options: Omit<SpawnOptions, "stdio"> & { readonly stdio: Stdio },
): ChildProcess {
  if (held.size === 0) return spawn(file, args, { ...options, stdio: [...options.stdio] });
  const nothing = fs.openSync(os.devNull, "r");
  const last = Math.max(...held, options.stdio.length - 1);
  const stdio: StdioOptions = Array.from(
    { length: last + 1 },
    (_, fd) => options.stdio[fd] ?? (held.has(fd) ? nothing : "ignore"),
  );
  try {
    return spawn(file, args, { ...options, stdio });
  } finally {
    fs.closeSync(nothing);
  }
}
