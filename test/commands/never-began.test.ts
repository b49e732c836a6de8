import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Rig } from "../rig/rig.ts";

/** Kills the program when it creates its journal, writes the first record, or is in the middle of that. */
const KILLER = `
import fs from "node:fs";
const { openSync, writeSync, mkdirSync } = fs;
const at = process.env.KILLED_AT;
const journals = new Set();
const die = () => { process.kill(process.pid, "SIGKILL"); for (;;); };
fs.mkdirSync = (path, ...rest) => {
  const made = mkdirSync(path, ...rest);
  if (at === "directory" && /[/]runs[/][^/]+$/.test(String(path))) die();
  return made;
};
fs.openSync = (path, flags, ...rest) => {
  const isJournal = String(path).endsWith("/journal.jsonl") && flags === "wx";
  if (isJournal && at === "open") die();
  const fd = openSync(path, flags, ...rest);
  if (isJournal) journals.add(fd);
  return fd;
};
fs.writeSync = (fd, bytes, offset, length, position) => {
  if (!journals.has(fd)) return writeSync(fd, bytes, offset, length, position);
  if (at === "torn") writeSync(fd, bytes, offset, length >> 1, position);
  die();
};
`;

async function killed(rig: Rig, at: string, args: readonly string[]): Promise<string> {
  const preload = join(rig.home, "killer.mjs");
  fs.writeFileSync(preload, KILLER);
  const before = rig.runIds();
  const { signal } = await rig.run(args, { preload, env: { KILLED_AT: at } });
  expect(signal).toBe("SIGKILL");
  const [runId = "", ...more] = rig.runIds().filter((id) => !before.includes(id));
  expect(more).toEqual([]);
  return runId;
}

const COMMAND =
  "agent-foreman supervise --task 'the task' --plan-file plan.md --agent-cmd worker --test-fast true --test-full true";

describe("a run that was killed before its first record", () => {
  test("never began: resume without an id says so once, with one command", async () => {
    const rig = new Rig();
    const runId = await killed(rig, "write", rig.superviseArgs({}));
    expect(await rig.run(["resume"])).toMatchObject({
      code: 2,
      stderr: `error: run ${runId} never began: it was killed before its first record. Its directory was removed\n  next    ${COMMAND}\n`,
    });
  });

  test.each(["open", "write", "torn"])("never began: resume says how to start it (%s)", async (at) => {
    const rig = new Rig();
    const before = rig.everything();
    const runId = await killed(rig, at, rig.superviseArgs({}));
    const resumed = await rig.run(["resume", runId]);
    expect(resumed).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `error: run ${runId} never began: it was killed before its first record. Its directory was removed\n  next    ${COMMAND}\n`,
    });
    expect(rig.runIds()).toEqual([]);
    const left = rig.everything().filter((path) => !before.includes(path));
    expect(left).toEqual(["home/killer.mjs", "state", "state/runs"]);
    expect((await rig.run(["resume", runId])).stderr).toContain(`no such run: ${runId}`);
  });

  test("runs says it once, from anywhere, in both languages and next to JSON", async () => {
    for (const [lang, word] of [
      ["en", "never began"],
      ["zh", "从未开始"],
    ] as const) {
      const rig = new Rig();
      const runId = await killed(rig, "write", rig.superviseArgs({}));
      const { code, stdout, stderr } = await rig.run(["runs", "--json", "--lang", lang], { cwd: rig.home });
      expect({ code, stdout: JSON.parse(stdout) as unknown }).toEqual({ code: 0, stdout: [] });
      expect(stderr).toContain(word);
      expect(stderr).toContain(runId);
      expect(stderr).toContain(`cd ${rig.project} && ${COMMAND}\n`);
      expect(rig.exists(".goldagent-supervise")).toBe(false);
      expect(await rig.run(["runs"])).toMatchObject({ code: 0, stderr: "" });
      expect(rig.runIds()).toEqual([]);
    }
  });

  test("a command about another run mentions it as well", async () => {
    const rig = new Rig();
    await rig.run(rig.superviseArgs({}));
    const [other = ""] = rig.runIds();
    const runId = await killed(rig, "write", rig.superviseArgs({}));
    const { code, stderr } = await rig.run(["show", other]);
    expect(code).toBe(0);
    expect(stderr).toContain(`run ${runId} never began`);
    expect(stderr).toContain(COMMAND);
  });

  test("is removed by the next start", async () => {
    const rig = new Rig();
    const runId = await killed(rig, "write", rig.superviseArgs({}));
    const next = await rig.run(rig.superviseArgs({}));
    expect(next.code).toBe(0);
    expect(rig.runIds()).toHaveLength(1);
    expect(rig.runIds()).not.toContain(runId);
  });

  test("is removed even if its command was not kept", async () => {
    const rig = new Rig();
    const runId = await killed(rig, "directory", rig.superviseArgs({}));
    const { stderr } = await rig.run(["resume", runId]);
    expect(stderr).toContain(`run ${runId} never began`);
    expect(rig.runIds()).toEqual([]);
  });

  test("in every mode", async () => {
    const rig = new Rig();
    rig.write(
      "steps/001-a.json",
      JSON.stringify({ id: "1", description: "a", status: "🔴 待完成", verification: [] }),
    );
    rig.alwaysWith({ env: rig.withAgents() });
    for (const args of [
      ["run", "steps", "--agents", "claude"],
      ["analyze", "plan.md", "--agents", "claude"],
      ["chat", "--print", "hello"],
    ]) {
      if (args[0] === "chat") rig.write("SUPERVISOR.md", "Review it.\n");
      const runId = await killed(rig, "write", args);
      expect((await rig.run(["resume", runId])).stderr).toContain(
        `  next    agent-foreman ${args.join(" ")}\n`,
      );
      expect(rig.runIds()).toEqual([]);
    }
  });

  test("and the report of its command contains no secret", async () => {
    const rig = new Rig();
    const secret = "sk-ant-api03-abcdefghijklmnop";
    rig.alwaysWith({ env: { API_KEY: secret } });
    const runId = await killed(rig, "write", rig.superviseArgs({ more: ["--report", `${secret}.json`] }));
    expect(fs.readFileSync(join(rig.state, "runs", runId, "starting.json"), "utf8")).not.toContain(secret);
    const { stderr } = await rig.run(["resume", runId]);
    expect(stderr).toContain("--report");
    expect(stderr).not.toContain(secret);
  });
});

test("a run that is just being started is left alone", async () => {
  const rig = new Rig();
  const preload = join(rig.home, "held.mjs");
  fs.writeFileSync(
    preload,
    `import fs from "node:fs";
const { openSync } = fs;
fs.openSync = (path, flags, ...rest) => {
  if (String(path).endsWith("/journal.jsonl") && flags === "wx") {
    fs.writeFileSync(${JSON.stringify(join(rig.home, "held"))}, "");
    while (!fs.existsSync(${JSON.stringify(join(rig.home, "go"))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return openSync(path, flags, ...rest);
};
`,
  );
  const starting = rig.start(rig.superviseArgs({}), { preload });
  const held = join(rig.home, "held");
  while (!fs.existsSync(held)) await new Promise((resolve) => setTimeout(resolve, 20));
  const [runId = ""] = rig.runIds();
  // The lock holder's process is stopped, so it cannot answer.
  const looked = rig.run(["runs"]);
  expect(await looked).toMatchObject({ code: 0, stderr: "" });
  expect(rig.runIds()).toEqual([runId]);
  fs.writeFileSync(join(rig.home, "go"), "");
  expect((await starting.ended).code).toBe(0);
  expect(rig.report(runId).final_status).toBe("passed");
});

test("a clock that is set back: no run finishes before it started", async () => {
  const rig = new Rig();
  const preload = join(rig.home, "clock.mjs");
  // An hour older than the first record of the journal.
  fs.writeFileSync(
    preload,
    `import fs from "node:fs";
const { now } = Date;
const Real = Date;
let back = 0;
globalThis.Date = class extends Real {
  constructor(...args) { args.length === 0 ? super(now() - back) : super(...args); }
  static now() { return now() - back; }
};
const { fdatasyncSync } = fs;
fs.fdatasyncSync = (fd) => { fdatasyncSync(fd); back = 3_600_000; };
`,
  );
  const { code, runId, report } = await rig.supervise({}, { preload });
  expect(code).toBe(0);
  const times = rig.records(runId).map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  expect(report.finished_at >= report.started_at).toBe(true);
  for (const { started_at } of report.attempts) expect(started_at >= report.started_at).toBe(true);
  const receipt = JSON.parse(rig.read(`goldagent-supervise-report-${runId}.receipt.json`)) as {
    predicate: { agentForeman: { started_at: string; finished_at: string } };
  };
  const { started_at, finished_at } = receipt.predicate.agentForeman;
  expect(finished_at >= started_at).toBe(true);
});
