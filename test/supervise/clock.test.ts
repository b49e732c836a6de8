import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { duration } from "../../src/text/time-text.ts";
import { FAKE_CLOCK, Rig, until, type SuperviseOptions } from "../rig/rig.ts";

const CLAUDE: SuperviseOptions = { agents: "claude", fast: ["test -f work.txt"], full: ["true"] };
const HOUR = 3_600_000;

test("summary, runs, show and report say the same time: with the base, waiting apart", async () => {
  const rig = new Rig();
  rig.alwaysWith({ preload: FAKE_CLOCK });
  const env = rig.withAgents({ CLAUDE_DOES: "quota work", QUOTA_IN: "90m" });
  const { code, report, runId, stdout } = await rig.supervise(CLAUDE, { env });
  expect(code).toBe(0);

  const records = rig.records(runId);
  const timeOf = (type: string): number =>
    Date.parse(records.find(({ event }) => event.type === type)?.at ?? "");
  const waited = timeOf("wait_ended") - timeOf("wait_started");
  const all = timeOf("run_ended") - timeOf("run_started");
  expect(waited).toBeGreaterThanOrEqual(1.5 * HOUR);
  expect(report).toMatchObject({
    duration_ms: all - waited,
    waited_ms: waited,
    spent: { active_ms: all },
  });
  expect(Date.parse(report.finished_at) - Date.parse(report.started_at)).toBe(all);
  const base = report.base?.tests.reduce((sum, command) => sum + command.duration_ms, 0) ?? 0;
  const attempts = report.attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  expect(base).toBeGreaterThan(0);
  expect(report.duration_ms).toBeGreaterThanOrEqual(base + attempts);

  const [time, apart] = [duration(all - waited), duration(waited)];
  expect(stdout).toContain(`ACCEPTED at attempt 1 of 6  ${time}, waited ${apart}  $`);
  const shown = await rig.run(["show", runId]);
  expect(shown.stdout.split("\n")[0]).toContain(`  ${time}, waited ${apart}  $`);
  const runs = await rig.run(["runs"]);
  expect(runs.stdout).toMatch(new RegExp(`TIME +WAITED +COST.*\n${runId} .* ${time} +${apart} +\\$`));
  expect(JSON.parse((await rig.run(["runs", "--json"])).stdout)).toMatchObject([
    { duration_ms: all - waited, waited_ms: waited },
  ]);
  const zh = await rig.run(["show", runId], { env: { LANG: "zh_CN.UTF-8" } });
  expect(zh.stdout.split("\n")[0]).toContain(`  ${time}，另等待 ${apart}  $`);
});

test("the time between a kill and resume is neither work nor waiting", async () => {
  const rig = new Rig();
  rig.alwaysWith({ preload: FAKE_CLOCK });
  const running = rig.start(rig.superviseArgs(CLAUDE), { env: rig.withAgents({ CLAUDE_DOES: "hang work" }) });
  await until(() => running.output().stdout.includes("1/6 claude started"));
  const [runId = ""] = rig.runIds();
  process.kill(running.pid, "SIGKILL");
  await running.ended;
  fs.writeFileSync(join(rig.home, "fake-clock"), String(5 * HOUR));
  const resumed = await rig.run(["resume", runId], { env: rig.withAgents({ CLAUDE_DOES: "work" }) });
  expect(resumed.code).toBe(0);
  const { started_at, finished_at, duration_ms, waited_ms } = rig.report(runId);
  const passed = Date.parse(finished_at) - Date.parse(started_at);
  expect(passed).toBeGreaterThan(5 * HOUR);
  expect(duration_ms).toBeLessThanOrEqual(passed - 5 * HOUR);
  expect(waited_ms).toBe(0);
  expect(resumed.stdout).toContain(`  ${duration(duration_ms)}  at least $`);
});
