import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, askHolder, type Lock } from "../../src/core/journal/lock.ts";

/** Real processes with the lock's own code. A line on stdin makes them try. */
const RUNNER = `
import { acquireLock } from "./lock.mjs";
const [name, id] = process.argv.slice(2);
process.stdout.write("ready\\n");
process.stdin.once("data", async () => {
  const lock = await acquireLock(name, id);
  process.stdout.write("heldBy" in lock ? "held by " + lock.heldBy + "\\n" : "won\\n");
});
process.stdin.resume();
`;

let dir = "";
beforeAll(async () => {
  dir = fs.mkdtempSync(join(tmpdir(), "foreman-lock-"));
  const input = join(import.meta.dirname, "..", "..", "src", "core", "journal", "lock.ts");
  const bundle = await rolldown({ input, platform: "node" });
  await bundle.write({ file: join(dir, "lock.mjs"), format: "esm" });
  await bundle.close();
  fs.writeFileSync(join(dir, "runner.mjs"), RUNNER);
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

interface Runner {
  readonly id: string;
  readonly child: ChildProcess;
  readonly says: () => Promise<string>;
  readonly go: () => void;
}

async function startRunner(name: string, id: string): Promise<Runner> {
  const child = spawn(process.execPath, [join(dir, "runner.mjs"), name, id], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const says = async (): Promise<string> => String((await lines.next()).value);
  expect(await says()).toBe("ready");
  return { id, child, says, go: () => void child.stdin.write("go\n") };
}

async function end(runner: Runner): Promise<void> {
  const gone = new Promise((resolve) => runner.child.once("exit", resolve));
  runner.child.kill("SIGKILL");
  await gone;
}

async function take(name: string, runId: string): Promise<Lock> {
  const lock = await acquireLock(name, runId);
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy}`);
  onTestFinished(() => lock.release());
  return lock;
}

describe("a lock", () => {
  test("has one holder, which all others learn", async () => {
    const name = randomUUID();
    expect(await askHolder(name)).toBeUndefined();
    await take(name, "1115-aaaa");
    expect(await acquireLock(name, "1115-bbbb")).toEqual({ heldBy: "1115-aaaa" });
    expect(await askHolder(name)).toBe("1115-aaaa");
  });

  test("can be taken again when it was given back", async () => {
    const name = randomUUID();
    (await take(name, "1115-aaaa")).release();
    await take(name, "1115-bbbb");
    expect(await askHolder(name)).toBe("1115-bbbb");
  });

  test("is one of many: another name is another lock", async () => {
    const name = randomUUID();
    await take(name, "1115-aaaa");
    await take(`${name} `, "1115-bbbb");
    expect(await Promise.all([name, `${name} `].map(askHolder))).toEqual(["1115-aaaa", "1115-bbbb"]);
  });

  test("is given to exactly one of many that ask in one process", async () => {
    const name = randomUUID();
    const ids = Array.from({ length: 20 }, (_, index) => `1115-${index}`);
    const locks = await Promise.all(ids.map((id) => acquireLock(name, id)));
    const won = locks.filter((lock): lock is Lock => "release" in lock);
    onTestFinished(() => won.forEach((lock) => lock.release()));
    expect(won).toHaveLength(1);
  });
});

describe("between processes", () => {
  test("twenty race for one lock: one wins, all others learn which", async () => {
    const name = randomUUID();
    const ids = Array.from({ length: 20 }, (_, index) => `1115-${index}`);
    const runners = await Promise.all(ids.map((id) => startRunner(name, id)));
    for (const runner of runners) runner.go();
    const said = await Promise.all(runners.map((runner) => runner.says()));
    const winner = ids[said.indexOf("won")];
    expect(said.toSorted()).toEqual([...Array.from({ length: 19 }, () => `held by ${winner}`), "won"]);
  });

  test("SIGKILL of the holder frees it at once, and exactly one of twenty racers gets it", async () => {
    const name = randomUUID();
    const holder = await startRunner(name, "1115-dead");
    holder.go();
    expect(await holder.says()).toBe("won");
    expect(await acquireLock(name, "1115-early")).toEqual({ heldBy: "1115-dead" });
    const ids = Array.from({ length: 20 }, (_, index) => `1115-${index}`);
    const runners = await Promise.all(ids.map((id) => startRunner(name, id)));
    await end(holder);
    expect(await askHolder(name)).toBeUndefined();
    for (const runner of runners) runner.go();
    const said = await Promise.all(runners.map((runner) => runner.says()));
    expect(said.filter((line) => line === "won")).toHaveLength(1);
  });

  test("a stopped holder keeps it", async () => {
    const name = randomUUID();
    const holder = await startRunner(name, "1115-idle");
    holder.go();
    expect(await holder.says()).toBe("won");
    holder.child.kill("SIGSTOP");
    expect(await acquireLock(name, "1115-next")).toHaveProperty("heldBy");
    await end(holder);
    await take(name, "1115-next");
  });
});
