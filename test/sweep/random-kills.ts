import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Ended, Rig, StartOptions } from "../rig/rig.ts";
import { recordedState } from "./faults.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, runOrHang } from "./points.ts";

/** The number of kills. `SWEEP_EVERY` divides it like the points of a sweep. */
const KILLS = Math.ceil(Number(process.env["SWEEP_KILLS"] ?? 100) / Number(process.env["SWEEP_EVERY"] ?? 1));
/** Printed. The same seed repeats the moments as far as the machine's speed allows. */
const SEED = Number(process.env["SWEEP_SEED"] ?? Date.now() % 1_000_000);
const KILLS_A_RUN = 5;
/** If every run fails before a kill, the loop would never end. */
const MAX_PROBLEMS = 10;
const WAITS_FOR_PERSON = 3;
/** A complete run in the clean room on a busy machine. */
const HANGS_AFTER_MS = 300_000;
const AT_ONCE = 2;
/** Longer than most gaps between two records. */
const LATEST_MS = 400;

/** Numbers from 0 to 1, equal for equal seeds (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kills a process at a random moment after one of its remaining appends. */
function randomKill(random: () => number, appends: number): StartOptions {
  const n = Math.floor(random() * Math.max(1, appends));
  const SWEEP_KILL = `later:${n}:${Math.floor(random() * LATEST_MS)}`;
  return { preload: KILL_AFTER, env: { SWEEP_KILL } };
}

interface Loop<OneRig extends Rig> {
  readonly newRig: () => OneRig;
  readonly args: readonly string[];
  /** The number of recorded events at the end of each process of an undisturbed run. */
  readonly stages: readonly number[];
  /** Runs the program to its end, like a script, unless it needs a person. */
  readonly run?: (rig: OneRig, args: readonly string[], kill: StartOptions) => Promise<Ended>;
  /** Answers the question that stopped the run. */
  readonly answer?: (rig: OneRig) => Promise<Ended>;
  /** Resumes without disturbance to the end. */
  readonly goOn: (rig: OneRig) => Promise<Ended>;
  /** Checks that the run reached its normal outcome. */
  readonly expectEnd: (rig: OneRig, ended: Ended) => Promise<void> | void;
  /** Checks that killed runs do not disturb another run in the same project. */
  readonly expectNext?: (rig: OneRig) => Promise<void>;
}

/** Kills and resumes runs several times each, until enough foremen were killed. Returns the failures. */
export async function killAtRandom<OneRig extends Rig>(
  name: string,
  loop: Loop<OneRig>,
): Promise<readonly string[]> {
  process.stderr.write(`${name}: ${KILLS} random kills, SWEEP_SEED=${SEED}\n`);
  const problems: string[] = [];
  const count = { kills: 0, runs: 0 };
  const work = async (): Promise<void> => {
    while (count.kills < KILLS && problems.length < MAX_PROBLEMS) {
      const seed = SEED + count.runs++;
      const random = chance(seed);
      const rig = loop.newRig();
      const moments: string[] = [];
      try {
        const ended = await killedAFewTimes(rig, random, loop, (moment) => {
          count.kills += 1;
          moments.push(moment);
        });
        if (ended) {
          await loop.expectEnd(rig, ended);
          expectNothingLeft(rig);
        }
        await loop.expectNext?.(rig);
        rig.dispose();
      } catch (error) {
        problems.push(`seed ${seed}, killed at ${moments.join(" ")}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.stderr.write(`${name}: ${count.kills} kills in ${count.runs} runs, ${problems.length} failed\n`);
  return problems;
}

/** Null: it was killed before it began, and reports that. */
async function killedAFewTimes<OneRig extends Rig>(
  rig: OneRig,
  random: () => number,
  { args, stages, answer, goOn, run = toTheEnd }: Loop<OneRig>,
  onKill: (moment: string) => void,
): Promise<Ended | null> {
  for (let time = 0; time < KILLS_A_RUN; time++) {
    const done = time === 0 ? 0 : rig.events(onlyRun(rig)).length;
    const kill = randomKill(random, (stages.find((end) => end > done) ?? 0) - done);
    const ended = await run(rig, time === 0 ? args : ["resume", onlyRun(rig)], kill);
    if (ended.signal !== "SIGKILL") {
      if (ended.code !== WAITS_FOR_PERSON || !answer) return ended;
      expect((await answer(rig)).code).toBe(0);
      continue;
    }
    onKill(kill.env?.["SWEEP_KILL"] ?? "");
    await noSurvivors(rig);
    if (!recordedState(rig)) return null;
    await expectReadable(rig);
  }
  return goOn(rig);
}

function toTheEnd(rig: Rig, args: readonly string[], kill: StartOptions): Promise<Ended> {
  return runOrHang(rig, args, kill, HANGS_AFTER_MS);
}

/** `runs` and `show` report the killed run. */
async function expectReadable(rig: Rig): Promise<void> {
  const runId = onlyRun(rig);
  for (const words of [["runs"], ["show", runId]]) {
    const { code, stdout, stderr } = await rig.run(words);
    expect([code, stdout.includes(runId)], stdout + stderr).toEqual([0, true]);
  }
}

/** No mount, pipe, room or temporary file is left. */
function expectNothingLeft(rig: Rig): void {
  expect(fs.readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(rig.root);
  const runId = onlyRun(rig);
  const names = fs.readdirSync(join(rig.journalPath(runId), ".."));
  expect(names.filter((name) => name === "pipes" || name.startsWith("room"))).toEqual([]);
  expect(fs.readdirSync(tmpdir()).filter((name) => name.startsWith(`af-${runId}`))).toEqual([]);
}
