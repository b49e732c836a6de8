import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Ground } from "../../src/platform/terminal/ground.ts";
import { Chance } from "../zoo/terminal/chance.ts";
import type { Talk } from "../zoo/terminal/talker.ts";
import { Desk, zooFile } from "./desk.ts";

/** For more sessions: TERMINAL_FUZZ_SESSIONS=1000; for another seed: TERMINAL_FUZZ_SEED. */
const SESSIONS = Number(process.env["TERMINAL_FUZZ_SESSIONS"] ?? 50);
const SEED = Number(process.env["TERMINAL_FUZZ_SEED"] ?? 1);
const DESKS = 3;

/** Mostly little, sometimes far more than any buffer holds. */
function amount(chance: Chance): number {
  return 1 + chance.below([64, 64, 2000, 2000, 2000, 20_000, 20_000, 300_000][chance.below(8)] ?? 1);
}

/** Exit codes below 126, because a shell uses the higher ones itself. */
function someTalk(seed: number, record: string): Talk {
  const chance = new Chance(seed ^ 0x5eed);
  return {
    seed,
    record,
    writes: amount(chance),
    reads: amount(chance) - 1,
    pauses: chance.below(3) === 0,
    end: chance.below(4) === 0 ? "kill" : "exit",
    code: chance.below(126),
  };
}

/** Types in pieces, resizes the window, and stops reading for a while. */
async function sitAt(desk: Desk, chance: Chance, keys: Buffer): Promise<void> {
  for (let at = 0; at < keys.length;) {
    const count = 1 + chance.below(chance.below(2) === 0 ? 16 : 40_000);
    const typed = desk.press(keys.subarray(at, at + count));
    at += count;
    if (chance.below(3) === 0)
      desk.pty.resize({ columns: 1 + chance.below(300), rows: 1 + chance.below(100) });
    if (chance.below(4) === 0) await dozes(desk, chance);
    await typed;
  }
  if (chance.below(3) === 0) await dozes(desk, chance);
}

const MOVED_BELOW = /^(?:(?:\u001b\[\d+B)?\r\n)?$/;

async function dozes({ pty: { reader } }: Desk, chance: Chance): Promise<void> {
  reader.pause();
  await new Promise((resolve) => setTimeout(resolve, chance.below(15)));
  reader.resume();
}

async function session(desk: Desk, talker: string, talk: Talk): Promise<void> {
  const chance = new Chance(talk.seed + 1);
  const keys = chance.bytes(talk.reads);
  desk.forget();
  await desk.run([process.execPath, talker, JSON.stringify(talk)], chance.below(8) > 0);
  await desk.until(() => desk.seen.length > 0);
  await sitAt(desk, chance, keys);
  const end = await desk.finish();

  const written = new Chance(talk.seed).bytes(talk.writes);
  const ground = new Ground();
  ground.push(written);
  const resets = ground.resets();
  const shown = Buffer.concat([written, Buffer.from(resets)]);
  await desk.until(() => desk.seen.length >= shown.length);
  const isSame = desk.seen.subarray(0, shown.length).equals(shown);
  expect(isSame, `shown ${desk.seen.length} of ${shown.length}`).toBe(true);
  // The cursor moves below the last screen; the distance depends on every resize.
  expect(desk.seen.toString("latin1", shown.length)).toMatch(resets === "" ? /^$/ : MOVED_BELOW);
  expect(JSON.parse(fs.readFileSync(talk.record, "utf8"))).toEqual({
    read: keys.length,
    sha256: createHash("sha256").update(keys).digest("hex"),
  });
  expect(end).toEqual(
    talk.end === "kill" ? { kind: "signaled", signal: "SIGKILL" } : { kind: "exited", code: talk.code },
  );
}

test(`no byte is lost, added or changed in ${SESSIONS} random sessions`, { timeout: 600_000 }, async () => {
  const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-fuzz-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const talker = await zooFile("talker");
  const desks = await Promise.all(Array.from({ length: DESKS }, () => Desk.open()));
  let next = 0;
  const work = async (desk: Desk): Promise<void> => {
    for (let number = next++; number < SESSIONS; number = next++) {
      const talk = someTalk(SEED * 100_000 + number, join(dir, String(number)));
      try {
        await session(desk, talker, talk);
      } catch (error) {
        throw new Error(JSON.stringify(talk), { cause: error });
      }
    }
  };
  await Promise.all(desks.map(work));
  expect(next).toBeGreaterThanOrEqual(SESSIONS);
});
