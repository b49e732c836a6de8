import fs from "node:fs";
import { isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig } from "../rig/rig.ts";

/** Saves the agent's exact environment of every attempt. */
const KEEP_ENV =
  "node -e 'fs.writeFileSync(\"env-\" + process.env.GA_LOOP_INDEX, JSON.stringify(process.env))'";

async function environments(options: {
  task?: string;
  plan?: string;
  more?: string[];
  rounds?: string;
}): Promise<{ rig: Rig; runId: string; env: (attempt: number) => Record<string, string | undefined> }> {
  const rig = Rig.inWorkTree();
  const { rounds = "done", ...rest } = options;
  const { runId } = await rig.supervise({ agent: `${KEEP_ENV}; agent ${rounds}`, ...rest });
  return { rig, runId, env: (attempt) => JSON.parse(rig.read(`env-${attempt}`)) as Record<string, string> };
}

test("S11 GA_TASK is the task, byte for byte", async () => {
  const task = ' two\nlines, "quotes" $HOME `x` \\ 中文 \t';
  const { env } = await environments({ task });
  expect(env(1)["GA_TASK"]).toBe(task);
});

test("S12 GA_PLAN_FILE is absolute, however the plan was named", async () => {
  const { rig, env } = await environments({ plan: "./nothing/../plan.md" });
  expect(env(1)["GA_PLAN_FILE"]).toBe(join(rig.project, "plan.md"));
  const absolute = await environments({
    plan: "plan.md",
    more: ["--plan-file", join(rig.project, "plan.md")],
  });
  expect(absolute.env(1)["GA_PLAN_FILE"]).toBe(join(rig.project, "plan.md"));
});

test("S12 the plan is looked for where the command was called, not in --cwd", async () => {
  const rig = Rig.inWorkTree();
  rig.write("inner/plan.md", "another plan\n");
  const { code } = await rig.supervise({
    agent: `${KEEP_ENV}; agent done`,
    more: ["--cwd", "inner"],
  });
  expect(code).toBe(0);
  expect(JSON.parse(rig.read("inner/env-1"))).toMatchObject({ GA_PLAN_FILE: join(rig.project, "plan.md") });
});

test("S13 GA_LOOP_INDEX counts the attempts from 1", async () => {
  const { env } = await environments({ rounds: "mute needs_work done" });
  expect([1, 2, 3].map((attempt) => env(attempt)["GA_LOOP_INDEX"])).toEqual(["1", "2", "3"]);
});

test("S14 GA_MAX_LOOPS is the number of attempts allowed", async () => {
  const { env } = await environments({ more: ["--max-loops", "4"] });
  expect(env(1)["GA_MAX_LOOPS"]).toBe("4");
});

describe("S15 GA_WORKDIR", () => {
  test("S15 is the directory the agent runs in", async () => {
    const { rig, env } = await environments({});
    expect(env(1)["GA_WORKDIR"]).toBe(rig.project);
  });

  test("S15 follows --cwd and is absolute", async () => {
    const rig = Rig.inWorkTree();
    rig.write("inner/here", "");
    await rig.supervise({ agent: 'printf %s "$GA_WORKDIR" > workdir; agent done', more: ["--cwd", "inner"] });
    expect(rig.read("inner/workdir")).toBe(join(rig.project, "inner"));
  });
});

test("S16 GA_PREV_FEEDBACK_FILE is an existing empty file in the first attempt, and has the feedback afterwards", async () => {
  const rig = Rig.inWorkTree();
  const agent = 'cp "$GA_PREV_FEEDBACK_FILE" "got-$GA_LOOP_INDEX"; agent mute blocked done';
  const { report } = await rig.supervise({ agent });
  expect(rig.read("got-1")).toBe("");
  expect(rig.read("got-2")).toContain("missing_or_invalid_status_marker");
  expect(rig.read("got-2")).toBe(fs.readFileSync(report.attempts[0]?.feedback.path ?? "", "utf8"));
  expect(rig.read("got-3")).toContain("agent_blocked");
});

test("S17 GA_RUN_DIR is the run's directory where the command was called", async () => {
  const { rig, runId, env } = await environments({ rounds: "mute done" });
  for (const attempt of [1, 2])
    expect(env(attempt)["GA_RUN_DIR"]).toBe(join(rig.project, ".goldagent-supervise", runId));
});

test("S18 GA_ATTEMPT_DIR is a separate, writable directory for every attempt", async () => {
  const rig = Rig.inWorkTree();
  const agent = 'echo "$GA_LOOP_INDEX" > "$GA_ATTEMPT_DIR/mine"; agent mute done';
  const { runId } = await rig.supervise({ agent });
  for (const attempt of [1, 2])
    expect(rig.read(`.goldagent-supervise/${runId}/attempt-${attempt}/mine`)).toBe(`${attempt}\n`);
});

test("S11 to S18 are set for a live agent, and absolute if they are paths", async () => {
  const rig = Rig.inWorkTree();
  const strings = await Strings.attach(rig);
  const running = rig.start(rig.superviseArgs({ agent: "puppet", task: "pull", loops: 2 }), {
    env: strings.env,
  });
  const puppet = await strings.next();
  expect(puppet.env).toMatchObject({ GA_TASK: "pull", GA_LOOP_INDEX: "1", GA_MAX_LOOPS: "2" });
  for (const name of [
    "GA_PLAN_FILE",
    "GA_WORKDIR",
    "GA_PREV_FEEDBACK_FILE",
    "GA_RUN_DIR",
    "GA_ATTEMPT_DIR",
  ]) {
    const path = puppet.env[name] ?? "";
    expect(isAbsolute(path), name).toBe(true);
    expect(fs.existsSync(path), name).toBe(true);
  }
  await puppet.say("DONE");
  expect((await running.ended).code).toBe(0);
});

test("S11 to S18 are for the agent: tests do not get them", async () => {
  const rig = Rig.inWorkTree();
  const { code } = await rig.supervise({ agent: "agent done", fast: ["! env | grep '^GA_'"] });
  expect(code).toBe(0);
});

test("S11 to S18 the foreman's own environment cannot pose as the run's", async () => {
  const rig = Rig.inWorkTree();
  const agent = 'printf %s "$GA_TASK,$GA_LOOP_INDEX" > seen; agent done';
  await rig.supervise({ agent }, { env: { GA_TASK: "planted", GA_LOOP_INDEX: "9" } });
  expect(rig.read("seen")).toBe("the task,1");
});
