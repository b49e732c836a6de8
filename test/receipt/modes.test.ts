import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { ChatRig } from "../rig/chat.ts";
import { StepsRig } from "../rig/steps.ts";
import { commitAll, look, readReceipt, receiptName } from "./project.ts";

describe("every mode leaves a receipt of its accepted work", () => {
  test("run: of the accepted attempt of each step, whatever their files say", async () => {
    const rig = new StepsRig();
    rig.step(1, { unit_test: { command: "test -f one.txt" } });
    rig.step(2, { unit_test: { command: "test -f two.txt" } });
    commitAll(rig.project, rig.env());
    rig.script({
      "worker step-001 1": {},
      "worker step-001 2": { write: { "one.txt": "1\n" } },
      "worker step-002": { write: { "two.txt": "2\n" } },
    });
    const { code, runId } = await rig.steps();
    expect(code).toBe(0);
    const path = join(rig.project, receiptName("run", runId));
    const { agentForeman } = readReceipt(path).predicate;
    expect(agentForeman.commands.map(({ step, attempt, command }) => [step, attempt, command])).toEqual([
      [1, 2, "test -f one.txt"],
      [2, 1, "test -f two.txt"],
    ]);
    expect(agentForeman.tree.left_out).toEqual(
      expect.arrayContaining(["steps/001-step.json", "steps/002-step.json", "steps/run-progress.md"]),
    );
    expect(await look(path, { home: rig.state, cwd: rig.project })).toMatchObject({ code: 0, why: "" });
    commitAll(rig.project, rig.env());
    rig.write("steps/run-progress.md", "a person's notes\n");
    expect((await look(path, { home: join(rig.root, "elsewhere"), cwd: rig.project })).codes).toContain(
      "tree_same",
    );
    rig.write("two.txt", "3\n");
    expect((await look(path, { home: rig.state, cwd: rig.project })).codes).toContain("tree_other");
  });

  test("orchestrate: of the last tested tree", async () => {
    const rig = new BoardRig();
    commitAll(rig.project, rig.env());
    rig.script([
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ]);
    const { code, runId } = await rig.orchestrate();
    expect(code).toBe(0);
    const path = join(rig.project, receiptName("orchestrate", runId));
    const { agentForeman } = readReceipt(path).predicate;
    expect(agentForeman.commands.map(({ phase, attempt }) => [phase, attempt])).toEqual([["acceptance", 5]]);
    expect(agentForeman.agents.map(({ name }) => name).toSorted()).toEqual(["dev", "main", "review", "test"]);
    rig.write("blackboard/global_context.md", "another\n");
    expect(await look(path, { home: rig.state, cwd: rig.project })).toMatchObject({ code: 0, why: "" });
  });

  test("chat: of the last accepted task", async () => {
    const rig = new ChatRig({ work: [{}, { write: { "made.txt": "made\n" } }] });
    commitAll(rig.project, rig.env());
    const { code, runId } = await rig.print("make it", ["--check", "test -e made.txt"]);
    expect(code).toBe(0);
    const path = join(rig.project, receiptName("chat", runId));
    const { agentForeman } = readReceipt(path).predicate;
    expect(agentForeman.commands.map(({ phase, attempt }) => [phase, attempt])).toEqual([["check", 2]]);
    expect(await look(path, { home: rig.state, cwd: rig.project })).toMatchObject({ code: 0, why: "" });
  });
});
