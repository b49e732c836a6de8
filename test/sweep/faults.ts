import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import type { RunState } from "../../src/core/state.ts";
import { readJournal } from "../../src/core/journal/read.ts";
import type { Ended, Rig, StartOptions } from "../rig/rig.ts";
import { FAULT_AT, runOrHang } from "./points.ts";

export interface Fault {
  readonly at: number;
  readonly how: "fail" | "half" | "kill" | "short" | "tell";
  readonly errno?: "ENOSPC" | "EIO";
  readonly forever?: boolean;
  readonly match?: string;
}

/** Starts the program with a faulty disk below the state directory and the project. */
export function faulty(rig: Rig, fault: Fault): StartOptions {
  const where = { roots: [rig.state, rig.project], told: toldPath(rig) };
  return { preload: FAULT_AT, env: { SWEEP_FAULT: JSON.stringify({ ...where, ...fault }) } };
}

/** The operations that failed; empty if the program did not get that far. */
export function hurt(rig: Rig): string[] {
  return fs.existsSync(toldPath(rig)) ? fs.readFileSync(toldPath(rig), "utf8").trim().split("\n") : [];
}

function toldPath(rig: Rig): string {
  return join(rig.root, "hurt.txt");
}

/** The writing operations of a successful command, in order. */
export async function operations(rig: Rig, args: readonly string[]): Promise<string[]> {
  await runOrHang(rig, args, faulty(rig, { at: 1, how: "tell", forever: true }));
  return hurt(rig).map((line) => line.replace(rig.root, ""));
}

/** The state in its journal; undefined if the run has no record. */
export function recordedState(rig: Rig): RunState | undefined {
  const runId = rig.runIds()[0];
  if (runId === undefined || !fs.existsSync(rig.journalPath(runId))) return undefined;
  if (!fs.readFileSync(rig.journalPath(runId)).includes(0x0a)) return undefined;
  return readJournal(rig.journalPath(runId), runId, begin).state;
}

/** The program did not crash or claim success, and printed one message with the cause. */
export function expectFailedClosed(ended: Ended, state: RunState | undefined): void {
  expect(ended.signal).toBeNull();
  expect(ended.stderr).not.toContain("bug in agent-foreman");
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect([2, 6], `exit code; stderr: ${ended.stderr}`).toContain(ended.code);
  if (ended.code === 2) expect(state, "2 is for what was refused before it began").toBeUndefined();
  const messages = ended.stderr.split("\n").filter((line) => line.startsWith("error: "));
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/ENOSPC|EIO/);
}

/** Scripts trust exit code 0, so the journal must confirm it. */
export function expectHonestSuccess(ended: Ended, state: RunState | undefined): void {
  if (ended.code !== 0) return;
  expect(state?.ended?.status, "what the journal says of an exit code of 0").toBe("passed");
}

/** A run that could not begin leaves no traces of a run, except the folder of all runs. */
export function expectNothingHalfWritten(rig: Rig): void {
  expect(rig.runIds(), "runs in the state directory").toEqual([]);
  const folder = ".goldagent-supervise";
  const mayStay = new Set(["plan.md", folder, `${folder}/.gitignore`]);
  const left = filesBelow(rig.project).filter((path) => !path.startsWith(".git/"));
  expect(left.filter((path) => !mayStay.has(path))).toEqual([]);
  if (left.includes(`${folder}/.gitignore`)) expect(rig.read(`${folder}/.gitignore`)).toBe("*\n");
}

/** Every file and every empty directory. */
function filesBelow(root: string): string[] {
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  const isEmpty = (path: string): boolean => fs.readdirSync(path).length === 0;
  return entries
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => !entry.isDirectory() || isEmpty(path))
    .map(({ path }) => relative(root, path));
}
