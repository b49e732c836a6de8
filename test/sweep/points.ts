import { join } from "node:path";
import { Rig, type Ended, type StartOptions } from "../rig/rig.ts";

const AT_ONCE = 3;
/** Tests every n-th point only, because all of them take too long for each change. */
const EVERY = Number(process.env["SWEEP_EVERY"] ?? 1);
const TOLD_IN_FULL = 5;
const TOLD_LINES = 20;
/** Longer than any run of a sweep, so a timeout means a hang. */
const HANGS_AFTER_MS = 60_000;

export const KILL_AFTER = join(import.meta.dirname, "kill-after.mjs");
export const FAULT_AT = join(import.meta.dirname, "fault-at.mjs");

export function sweep<Point>(
  points: readonly Point[],
  name: (point: Point) => string,
  check: (point: Point, rig: Rig) => Promise<void>,
): Promise<void> {
  return sweepIn(() => new Rig(), points, name, check);
}

/** Tests every point in its own rig, several at a time, and reports all failures at once. */
export async function sweepIn<Point, OneRig extends Rig>(
  newRig: () => OneRig,
  points: readonly Point[],
  name: (point: Point) => string,
  check: (point: Point, rig: OneRig) => Promise<void>,
): Promise<void> {
  const problems: string[] = [];
  const queue = points.filter((_, index) => index % EVERY === 0);
  const work = async (): Promise<void> => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const rig = newRig();
      try {
        await check(point, rig);
        rig.dispose();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        problems.push(`${name(point)}: ${message.split("\n").slice(0, TOLD_LINES).join("\n")}`);
        if (problems.length > TOLD_IN_FULL) rig.dispose();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (problems.length > 0)
    throw new Error(`${problems.length} of ${points.length} points failed:\n\n${problems.join("\n\n")}`);
}

export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

export async function runOrHang(
  rig: Rig,
  args: readonly string[],
  start: StartOptions = {},
  hangsAfterMs = HANGS_AFTER_MS,
): Promise<Ended> {
  const running = rig.start(args, start);
  const watch = setTimeout(() => running.child.kill("SIGABRT"), hangsAfterMs);
  const ended = await running.ended;
  clearTimeout(watch);
  if (ended.signal === "SIGABRT")
    throw new Error(`hung: ${args.join(" ")}\n${ended.stdout}\n${ended.stderr}`);
  return ended;
}
