import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parsePs, parseStat, sumOfTree } from "../../src/platform/process/cpu-time.ts";
import { Liveness, type LifeSign } from "../../src/platform/process/liveness.ts";
import { treeSignature } from "../../src/platform/process/tree-signature.ts";
import { Bench, node, WAYS } from "./machine.ts";

const STALL_MS = 80_000;
const INTERVAL_MS = 10_000;

/** A command whose signs of life and clock the test controls. */
class Patient {
  now = 0;
  output = 0;
  cpu: number | undefined = 0;
  tree = "as it was";
  treeLooks = 0;
  whileTreeIsLookedAt = (): void => undefined;
  readonly liveness = new Liveness(STALL_MS, {
    now: () => this.now,
    output: () => this.output,
    cpu: () => Promise.resolve(this.cpu),
    tree: () => {
      this.treeLooks += 1;
      this.whileTreeIsLookedAt();
      return Promise.resolve(this.tree);
    },
  });

  look(after = INTERVAL_MS): Promise<LifeSign | "stalled" | null> {
    this.now += after;
    return this.liveness.look();
  }

  /** Looks until the command counts as stuck and returns the elapsed time. */
  async untilStalled(each: () => void = () => undefined): Promise<number | null> {
    const start = this.now;
    for (let looks = 0; looks < 40; looks++) {
      each();
      if ((await this.look()) === "stalled") return this.now - start;
    }
    return null;
  }
}

describe("a command", () => {
  test("is stuck when nothing moves for the whole time, after at most two more checks", async () => {
    const took = await new Patient().untilStalled();
    expect(took).toBeGreaterThanOrEqual(STALL_MS);
    expect(took).toBeLessThanOrEqual(STALL_MS + 2 * INTERVAL_MS);
  });

  test.each<[string, (patient: Patient) => void]>([
    ["writes", (patient) => (patient.output += 1)],
    ["computes", (patient) => (patient.cpu = (patient.cpu ?? 0) + 150)],
    ["changes files", (patient) => (patient.tree += ".")],
  ])("that only %s lives", async (_, each) => {
    const patient = new Patient();
    expect(await patient.untilStalled(() => each(patient))).toBeNull();
  });

  test("with a ticking idle loop is stuck", async () => {
    const patient = new Patient();
    expect(await patient.untilStalled(() => (patient.cpu = (patient.cpu ?? 0) + 90))).not.toBeNull();
  });

  test("with short-lived processes is not saved by the time they used", async () => {
    const patient = new Patient();
    patient.cpu = 5000;
    await patient.look();
    patient.cpu = 1000;
    expect(await patient.look()).toBeNull();
    patient.cpu = 1500;
    expect(await patient.look()).toBe("cpu");
  });

  test("that moves once has the whole time again", async () => {
    for (const move of ["output", "cpu", "tree"] as const) {
      const patient = new Patient();
      for (let looks = 0; looks < 8; looks++) expect(await patient.look()).toBeNull();
      if (move === "tree") patient.tree = "another";
      else patient[move] = 10_000;
      const took = await patient.untilStalled();
      expect(took).toBeGreaterThanOrEqual(STALL_MS);
    }
  });

  test("that writes while its tree is looked at lives, and has the whole time again", async () => {
    const patient = new Patient();
    patient.whileTreeIsLookedAt = () => {
      if (patient.treeLooks === 2) patient.output += 1;
    };
    const took = await patient.untilStalled();
    expect(took).toBeGreaterThanOrEqual(2 * STALL_MS);
    expect(patient.treeLooks).toBe(4);
  });

  test("is not called stuck for a time in which the foreman itself was paused", async () => {
    const patient = new Patient();
    for (let looks = 0; looks < 4; looks++) await patient.look();
    expect(await patient.look(10 * STALL_MS)).toBeNull();
    expect(await patient.untilStalled()).toBeGreaterThanOrEqual(STALL_MS);
  });

  test("without a readable processor time is never stuck, but its output is seen", async () => {
    const patient = new Patient();
    patient.cpu = undefined;
    expect(await patient.untilStalled()).toBeNull();
    patient.output += 1;
    expect(await patient.look()).toBe("output");
  });

  test("reads its tree only when all else is idle", async () => {
    const patient = new Patient();
    await patient.untilStalled(() => (patient.output += 1));
    expect(patient.treeLooks).toBe(0);
    await patient.untilStalled();
    expect(patient.treeLooks).toBe(2);
  });

  test.each([
    [100, 250],
    [8000, 1000],
    [3_600_000, 15_000],
  ])("with a limit of %i ms is checked every %i ms", (stallMs, intervalMs) => {
    const senses = { now: () => 0, output: () => 0, cpu: async () => 0, tree: async () => "" };
    expect(new Liveness(stallMs, senses).intervalMs).toBe(intervalMs);
  });
});

describe("processor time", () => {
  test("is read from a line with any program name", () => {
    const stat =
      "42 (a) R 9 9) S 7 42 40 0 -1 4194560 100 0 0 0 3 4 5 6 20 0 1 0 12345 1000 10 18446744073709551615";
    expect(parseStat(stat)).toEqual({ pid: 42, parent: 7, group: 40, cpuMs: 180 });
  });

  test("is read from the output of ps on macOS", () => {
    const rows = parsePs(
      "    1     0     1   0:01.50\n  501     1   501  12:34.05\n 77 501 501 2-03:04:05\nnonsense\n",
    );
    expect(rows.map(({ cpuMs }) => cpuMs)).toEqual([1500, 754_050, 183_845_000]);
    expect(rows[1]).toMatchObject({ pid: 501, parent: 1, group: 501 });
  });

  test("is that of all descendants and of the session, each counted once", () => {
    const row = (pid: number, parent: number, group: number, cpuMs: number) => ({
      pid,
      parent,
      group,
      cpuMs,
    });
    const rows = [
      row(1, 0, 1, 100_000),
      row(50, 1, 50, 1),
      row(51, 50, 50, 2),
      row(52, 51, 52, 4),
      row(53, 1, 50, 8),
      row(54, 53, 54, 16),
      row(60, 1, 60, 200_000),
    ];
    expect(sumOfTree(rows, 50)).toBe(31);
    expect(sumOfTree(rows, 99)).toBe(0);
  });
});

describe("the signature of a tree", () => {
  function tree(): { dir: string; put: (name: string, text: string) => void } {
    const { dir: outside, work } = new Bench();
    for (const dir of ["src/deep", ".git/refs", ".git/objects/ab", "node_modules/a"])
      fs.mkdirSync(join(work, dir), { recursive: true });
    const put = (name: string, text: string): void => fs.writeFileSync(join(work, name), text);
    for (const name of ["src/deep/a.ts", ".git/HEAD", ".git/objects/ab/cd", "node_modules/a/index.js"])
      put(name, "x");
    // File times advance in steps of some milliseconds, so a change must come after the next step.
    const clock = join(outside, "clock");
    const tick = (): number => {
      fs.writeFileSync(clock, "");
      return fs.statSync(clock).ctimeMs;
    };
    for (const now = tick(); tick() === now;);
    return { dir: work, put };
  }

  test.each<[string, (dir: string, put: (name: string, text: string) => void) => void]>([
    ["a file is made", (_, put) => put("new", "")],
    ["a file is changed", (_, put) => put("src/deep/a.ts", "y")],
    ["a file is removed", (dir) => fs.rmSync(join(dir, "src/deep/a.ts"))],
    [
      "a file is changed and its time set back",
      (dir, put) => {
        put("src/deep/a.ts", "y");
        fs.utimesSync(join(dir, "src/deep/a.ts"), 0, 0);
      },
    ],
    ["a package is installed", (_, put) => put("node_modules/a/other.js", "")],
    ["HEAD moves", (_, put) => put(".git/HEAD", "y")],
    ["a branch is made", (_, put) => put(".git/refs/b", "")],
  ])("differs after %s", async (_, change) => {
    const { dir, put } = tree();
    const before = await treeSignature(dir);
    expect(await treeSignature(dir)).toBe(before);
    change(dir, put);
    expect(await treeSignature(dir)).not.toBe(before);
  });

  test("ignores git's objects", async () => {
    const { dir, put } = tree();
    const before = await treeSignature(dir);
    put(".git/objects/ab/ef", "");
    expect(await treeSignature(dir)).toBe(before);
  });

  test("is bounded, and sees one's own files before installed packages", async () => {
    const { dir, put } = tree();
    // Three entries at the top, three in .git, src/deep and its file, node_modules/a.
    const before = await treeSignature(dir, 9);
    put("node_modules/a/index.js", "changed");
    expect(await treeSignature(dir, 9)).toBe(before);
    put("src/deep/a.ts", "changed");
    expect(await treeSignature(dir, 9)).not.toBe(before);
  });

  test("of a missing folder is always the same", async () => {
    expect(await treeSignature("/nonexistent/at/all")).toBe("0 0 0");
  });
});

describe.each(WAYS)("by %s", (way) => {
  test("a process that sleeps is ended as stalled", async () => {
    const ran = await new Bench(way).run("sleep 1000", { stallMs: 300 });
    expect(ran.process.end).toEqual({ kind: "stalled", afterMs: 300 });
  });

  test("a silent process that computes lives, also as a child of one that sleeps", async () => {
    const signs = new Set<LifeSign>();
    const busy = node(
      "const used = () => { const { user, system } = process.cpuUsage(); return user + system; }; while (used() < 1.2e6);",
    );
    const ran = await new Bench(way).run(`sh -c "$BUSY"; exit 4`, {
      env: { BUSY: busy },
      stallMs: 500,
      onLife: (sign) => signs.add(sign),
    });
    expect(ran.process.end).toEqual({ kind: "exited", code: 4 });
    expect([...signs]).toEqual(["cpu"]);
  });
});

test("a process that touches a file now and then is alive", async () => {
  const bench = new Bench();
  const stop = join(bench.dir, "stop");
  let treeSigns = 0;
  const script = `
    const fs = require("node:fs");
    setInterval(() => {
      fs.writeFileSync("touched", "");
      if (fs.existsSync(process.env.STOP)) process.exit(5);
    }, 150);`;
  const ran = await bench.run(node(script), {
    env: { STOP: stop },
    stallMs: 1000,
    onLife: (sign) => {
      if (sign === "tree") treeSigns += 1;
      if (treeSigns === 2) fs.writeFileSync(stop, "");
    },
  });
  expect(ran.process.end).toEqual({ kind: "exited", code: 5 });
  expect(treeSigns).toBeGreaterThanOrEqual(2);
});
