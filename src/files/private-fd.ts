import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

/**
 * Descriptors that no program of ours may get. The native module makes masters of pseudo terminals that every program inherits (no
 * FD_CLOEXEC, and nothing in Node sets it): whoever has one can type as the person and read what the agent writes.
 */
const held = new Set<number>();

/** Returns how to give it up. */
export function holdPrivate(fd: number): () => void {
  held.add(fd);
  return () => held.delete(fd);
}

export type Stdio = readonly ("ignore" | "pipe" | number)[];

/** Starts a program that gets the null device in place of each of them. */
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
