import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Ended } from "../rig/rig.ts";
import { put, reasonsOf, RoomRig, WORKS } from "./project.ts";

const CONFIG = "agent-foreman.yaml";
const OWN = 'tests: { fast: "true", full: "node --test" }\n';
const PLANTED = 'tests: { fast: "true", full: "true" }\n';

/** A run of one attempt with tests from the configuration. */
async function configured(rig: RoomRig, agent: string, ...more: readonly string[]): Promise<Ended> {
  const args = ["--task", "t", "--plan-file", "plan.md", "--max-loops", "1", "--agent-cmd", rig.agent(agent)];
  return rig.run(["supervise", ...args, ...more]);
}

/** A project after a rejected run that changed the configuration like this. */
async function planted(agent: string, own: string | null = OWN): Promise<{ rig: RoomRig; first: string }> {
  const rig = new RoomRig(own === null ? {} : { [CONFIG]: own });
  const { code } = await configured(
    rig,
    agent,
    ...(own === null ? ["--test-fast", "true", "--test-full", "node --test"] : []),
  );
  const [first = ""] = rig.runIds();
  expect([code, ...reasonsOf(rig.report(first))]).toEqual([1, expect.arrayContaining(["oracle_changed"])]);
  return { rig, first };
}

test("work that passes all tests is not accepted with a changed configuration", async () => {
  const { rig, first } = await planted(`${WORKS}\n${put(CONFIG, PLANTED)}`);
  expect(reasonsOf(rig.report(first))).toEqual([["oracle_changed"]]);
});

test("a configuration that a rejected run changed does not steer the next run; `restore` brings it back", async () => {
  const { rig, first } = await planted(put(CONFIG, PLANTED));
  const next = await configured(rig, "date > started");
  expect([next.code, rig.runIds()]).toEqual([2, [first]]);
  expect(next.stderr).toContain(`run ${first} changed ${CONFIG} and was not accepted`);
  expect(next.stderr).toContain(`agent-foreman restore ${first} ${CONFIG}`);
  expect(next.stderr).toContain("--accept-tree");
  expect(fs.existsSync(join(rig.project, "started"))).toBe(false);
  const chinese = await configured(rig, "true", "--lang", "zh");
  expect(chinese.stderr).toContain(`运行 ${first} 改动了 ${CONFIG}`);
  expect((await rig.run(["restore", first, CONFIG])).code).toBe(0);
  expect(rig.read(CONFIG)).toBe(OWN);
  expect((await configured(rig, WORKS)).code).toBe(0);
});

test("a configuration that switches off the clean room is refused, and one that the run added is to be deleted", async () => {
  const { rig, first } = await planted(put(CONFIG, `clean_room: { enabled: false }\n${PLANTED}`), null);
  const next = await configured(rig, "date > notes");
  expect(next.code).toBe(2);
  expect(next.stderr).toContain(`run ${first} changed ${CONFIG}`);
  expect(next.stderr).toContain(`rm ${CONFIG}`);
});

test("a person keeps the changed configuration with --accept-tree, or by a commit", async () => {
  const { rig } = await planted(put(CONFIG, PLANTED));
  expect((await configured(rig, "date > notes", "--accept-tree")).code).toBe(0);
  const other = await planted(put(CONFIG, PLANTED));
  other.rig.commit({});
  expect((await configured(other.rig, "date > notes")).code).toBe(0);
});

test("the configuration cannot accept the tree in the person's place", async () => {
  const rig = new RoomRig({ [CONFIG]: `clean_room: { accept_tree: true }\n${OWN}` });
  const { code, stderr } = await configured(rig, WORKS);
  expect(code).toBe(2);
  expect(stderr).toContain("unknown key accept_tree");
});
