import { execFile } from "node:child_process";
import fs from "node:fs";

/** One process: its parent, session and group, and the processor time that it and its dead children used. */
interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly cpuMs: number;
}

/** Linux reports times to programs in ticks of 10 ms, whatever the kernel's own clock does. */
const TICK_MS = 10;

/** Processor time in milliseconds of a process and its descendants; undefined where it is unknown (Windows). */
export async function cpuTimeOf(root: number): Promise<number | undefined> {
  if (process.platform === "win32") return undefined;
  const rows = process.platform === "linux" ? readProc() : await askPs();
  return rows.length === 0 ? undefined : sumOfTree(rows, root);
}

/**
 * Sums all descendants of the root and everything in their sessions: with best-effort containment, an orphan is reparented to
 * the system's first process.
 */
export function sumOfTree(rows: readonly ProcessRow[], root: number): number {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const counted = new Set<ProcessRow>();
  const count = (row: ProcessRow): void => {
    if (counted.has(row)) return;
    counted.add(row);
    for (const child of children.get(row.pid) ?? []) count(child);
  };
  for (const row of rows) if (row.pid === root || row.group === root) count(row);
  return [...counted].reduce((sum, row) => sum + row.cpuMs, 0);
}

function readProc(): ProcessRow[] {
  const pids = tryTo(() => fs.readdirSync("/proc")) ?? [];
  return pids.flatMap((pid) => {
    // Not a process, or gone since the directory was read.
    const stat = /^\d+$/.test(pid) ? tryTo(() => fs.readFileSync(`/proc/${pid}/stat`, "latin1")) : undefined;
    return stat === undefined ? [] : [parseStat(stat)];
  });
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The program's name, in parentheses, may contain anything. */
export function parseStat(stat: string): ProcessRow {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const number = (index: number): number => Number(fields[index]);
  const ticks = number(11) + number(12) + number(13) + number(14);
  return { pid: Number.parseInt(stat, 10), parent: number(1), group: number(3), cpuMs: ticks * TICK_MS };
}

/** macOS has no /proc, and its `ps` prints no session number. */
function askPs(): Promise<ProcessRow[]> {
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-axo", "pid=,ppid=,pgid=,time="], { maxBuffer: 16 * 1024 * 1024 }, (_, stdout) =>
      resolve(parsePs(stdout)),
    );
  });
}

/** `time` has minutes, seconds and hundredths, with hours and days before them if there are any. */
export function parsePs(text: string): ProcessRow[] {
  return Array.from(
    text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(?:(?:(\d+)-)?(\d+):)?(\d+):([\d.]+)\s*$/gm),
    ([, pid, parent, group, days = 0, hours = 0, minutes, seconds]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      cpuMs: Math.round(
        (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
      ),
    }),
  );
}
