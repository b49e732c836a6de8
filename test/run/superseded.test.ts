import { describe, expect, test } from "vitest";
import { DONE, type StepsRig } from "../rig/steps.ts";
import { stepsRig } from "./scene.ts";

interface Scene {
  readonly rig: StepsRig;
  /** Left with a question, because its agent changed nothing twice. */
  readonly first: string;
  /** Started later on the same steps, and accepted. */
  readonly later: string;
}

async function superseded(): Promise<Scene> {
  const rig = stepsRig();
  rig.step(1, { unit_test: { command: "true" } });
  rig.script({ worker: { write: {} } });
  const { code, runId: first } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(3);
  rig.script({});
  const { code: accepted, runId: later } = await rig.steps(["--lang", "en"]);
  expect(accepted).toBe(0);
  return { rig, first, later };
}

describe("a run whose steps a later run has worked on", () => {
  test("decide and resume name the later run and record nothing", async () => {
    const { rig, first, later } = await superseded();
    const before = rig.everything();
    for (const args of [
      ["decide", first, "pass"],
      ["decide", first, "continue", "2"],
      ["decide", first],
      ["resume", first],
    ])
      expect({ args, ...(await rig.run(args)) }).toEqual({
        args,
        code: 6,
        signal: null,
        stdout: "",
        stderr: `error: run ${later} has replaced run ${first}: it has worked on these steps since: ${rig.project}/steps\n  next    agent-foreman show ${later}\n`,
      });
    expect(rig.everything()).toEqual(before);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
  });

  test("decide and resume without an id do not take it", async () => {
    const { rig, later } = await superseded();
    const decided = await rig.run(["decide", "pass"]);
    expect(decided.code).not.toBe(0);
    expect(decided.stderr).toContain(`run ${later}: the last one here`);
    expect((await rig.run(["resume"])).stderr).toContain(`the last one, ${later}, has ended`);
  });

  test("runs and show say so, and offer the later run only", async () => {
    const { rig, first, later } = await superseded();
    const table = await rig.run(["runs"]);
    expect(table.stdout).toMatch(new RegExp(`${first}  run +- replaced by ${later} `));
    expect(table.stdout.split("\n")[1]).toContain(later);
    expect(JSON.parse((await rig.run(["runs", "--json"])).stdout)).toContainEqual(
      expect.objectContaining({ run_id: first, state: "superseded", superseded_by: later }),
    );
    const shown = await rig.run(["show", first]);
    expect(shown.stdout).toContain(`${first} run  - REPLACED by run ${later}`);
    expect(shown.stdout).toContain(`next    agent-foreman show ${later}\n`);
    expect(shown.stdout).not.toMatch(/agent-foreman (resume|decide)/);
    expect(JSON.parse((await rig.run(["show", first, "--json"])).stdout)).toMatchObject({
      state: "superseded",
      superseded_by: later,
    });
    expect((await rig.run(["show", first, "--lang", "zh"])).stdout).toContain(`已被运行 ${later} 取代`);
  });

  test("cancel still ends it, and does not change the steps", async () => {
    const { rig, first, later } = await superseded();
    expect((await rig.run(["cancel", first])).code).toBe(0);
    expect(rig.progress()).toContain(later);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
  });
});
