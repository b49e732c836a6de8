import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DONE, TODO } from "../rig/steps.ts";
import { stepsRig } from "./scene.ts";

/** The command of the `next` line. */
const nextOf = (stdout: string): string => /^ {2}next +(.*)$/m.exec(stdout)?.[1] ?? "";

/** The arguments of a command after the shell's parsing. */
function wordsOf(command: string): string[] {
  const text = execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\0' "$word"; done`]);
  return text.toString("utf8").split("\0").slice(1, -1);
}

const FLAGS = [
  ...["--lang", "en", "--agents", "a", "--verifier=b", "--setup", "echo 'ready to go' >/dev/null"],
  ...["--pass-env", "ONE", "TWO", "--max-time", "3h", "--on-stuck", "stop", "--report", "out put.json"],
];

test("the command for the steps that are left repeats the flags of the call, and can be pasted", async () => {
  const rig = stepsRig(["a", "b", "c"]);
  rig.step(1);
  rig.step(2);
  const { code, stdout } = await rig.steps([...FLAGS, "--only", "1", "--quiet"]);
  expect(code).toBe(0);
  const next = nextOf(stdout);
  expect(next).toBe(
    `agent-foreman run steps --lang en --agents a --verifier b --setup 'echo '\\''ready to go'\\'' >/dev/null' ` +
      `--pass-env ONE TWO --max-time 3h --on-stuck stop --report 'out put.json' --only 002`,
  );
  const again = await rig.run(wordsOf(next));
  expect(again.code).toBe(0);
  expect(rig.calls().map(({ name, id }) => `${name} ${id}`)).toEqual([
    ...["a step-001", "b step-001", "a step-002", "b step-002"],
  ]);
  expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
});

test("after an end without acceptance the whole call is repeated; --accept-tree is left to the person", async () => {
  const rig = stepsRig(["a", "b"]);
  rig.step(1);
  rig.step(2);
  rig.script({ worker: { edit: { "steps/001-step.json": ["Do the work", "Do more"] } } });
  const flags = ["--lang", "en", "--agents", "b", "--only", "1", "--accept-tree"];
  const { code, stdout, runId } = await rig.steps(flags);
  expect(code).toBe(6);
  const again = "agent-foreman run steps --lang en --agents b --only 1";
  expect(nextOf(stdout)).toBe(again);
  expect(nextOf((await rig.run(["show", runId])).stdout)).toBe(again);
  const elsewhere = await rig.run(["show", runId], { cwd: rig.root });
  expect(nextOf(elsewhere.stdout)).toBe(
    "agent-foreman run project/steps --cwd project --lang en --agents b --only 1",
  );
});

test("repeats --cwd and paths so that they work where the run was started", async () => {
  const rig = stepsRig(["a", "b"]);
  rig.step(1);
  rig.step(2);
  fs.mkdirSync(join(rig.project, "inner"));
  const call = ["run", "../steps", "--cwd", "..", "--agents", "b", "--only", "1"];
  const { code, stdout } = await rig.run(call, { cwd: join(rig.project, "inner") });
  expect(code).toBe(0);
  expect(nextOf(stdout)).toBe(
    `agent-foreman run ${rig.project}/steps --cwd ${rig.project} --agents b --only 002`,
  );
  expect(rig.stepNow("002-step.json")["status"]).toBe(TODO);
});

test("repeats the verifier that resume named", async () => {
  const rig = stepsRig(["a", "b", "c"]);
  rig.step(1);
  rig.step(2);
  rig.script({ "b reviewer": { exit: 3 } });
  const call = ["--lang", "en", "--agents", "a", "--verifier", "b", "--only", "1"];
  const { runId } = await rig.steps(call);
  const { code, stdout } = await rig.run(["resume", runId, "--verifier", "c"]);
  expect(code).toBe(0);
  expect(nextOf(stdout)).toBe("agent-foreman run steps --lang en --agents a --verifier c --only 002");
});
