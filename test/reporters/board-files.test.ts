import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HOSTILE, STEERS_TERMINAL } from "../commands/fixtures.ts";
import { A_QUESTION } from "../rig/board-says.ts";
import { aPlan, BoardStory } from "../rig/board-story.ts";
import { NOTHING, resumed } from "../rig/story.ts";
import { since } from "./board-rig.ts";
import { piped } from "./steps-rig.ts";

describe("the board", () => {
  test("names files that another process changed, and the copies of their text", () => {
    const turn = fs.mkdtempSync(join(tmpdir(), "foreman-turn-"));
    onTestFinished(() => fs.rmSync(turn, { recursive: true }));
    for (const name of ["orders-0001-DEV.md", "dev_plan.md", "global_context.md"])
      fs.writeFileSync(join(turn, `board-${name}`), "");
    const stdout = { ...NOTHING, path: join(turn, "stdout.log") };
    const one = ["/project/blackboard/orders/0001-DEV.md", "/home/me/config.yaml"];
    expect(since([1], new BoardStory().main({ nextAgent: "TEST" }, { changedInputs: one, stdout }))).toEqual([
      "[1] MAIN -> TEST    M1-T1 store a file",
      `! board files were changed without permission and restored: orders/0001-DEV.md (previous content: ${turn}/board-orders-0001-DEV.md)`,
      "! changed during the run, without effect on it: /home/me/config.yaml",
    ]);
    const restored = (...names: readonly string[]): string | undefined => {
      const changedInputs = names.map((name) => `/project/blackboard/${name}`);
      return since([1], new BoardStory().main({ nextAgent: "TEST" }, { changedInputs, stdout })).at(-1);
    };
    const head = "! board files were changed without permission and restored";
    expect(restored("dev_plan.md", "global_context.md")).toBe(
      `${head}: dev_plan.md, global_context.md (previous content: ${turn}/board-*)`,
    );
    expect(restored("dev_plan.md", "project_env.json")).toBe(
      `${head}: dev_plan.md, project_env.json (previous content: ${turn}/board-dev_plan.md); removed files, of which no copy exists: project_env.json`,
    );
    expect(restored("project_env.json")).toBe(
      `${head}: project_env.json; removed files, of which no copy exists: project_env.json`,
    );
  });

  test("a person's changes while no agent was at work", () => {
    const story = new BoardStory().test().add({ type: "run_stopped", by: "SIGINT" });
    const from = [...story.events];
    story.add({
      type: "board_edited",
      plan: aPlan({ "M1-T1": "BLOCKED" }),
      context: null,
      projectEnv: "{}",
    });
    expect(since(from, story)).toEqual([
      "! changed by a person while no agent was working: dev_plan.md, project_env.json",
      "  plan M1-T1 TODO -> BLOCKED",
    ]);
  });

  test("a run that is resumed says how far it is", () => {
    const story = new BoardStory().test(aPlan({ "M1-T1": "DOING" })).add(resumed());
    expect(piped("en", story.events).slice(-2)).toEqual([
      "orchestrate 1115-k7m2  resumed  MAIN claude  TEST codex  DEV claude  REVIEW codex  1 of 60 iterations used  contained: pid namespace",
      "M1 upload API 0/2 VERIFIED  M2 resilience 0/1 VERIFIED",
    ]);
  });

  test("of many milestones the first few", () => {
    const plan = Array.from(
      { length: 9 },
      (_, index) =>
        `## M${index + 1}: part\n### M${index + 1}-T1: it\n- status: TODO\n- acceptance: \`x\` → 0\n- evidence: none\n`,
    ).join("\n");
    const [, overview = ""] = piped("en", new BoardStory({ plan }).events);
    expect(overview).toMatch(/^M1 part 0\/1 VERIFIED {2}.*M6 part 0\/1 VERIFIED and 3 more$/);
  });
});

test("foreign text cannot control a terminal or grow without limit", () => {
  const long = `${HOSTILE} ${"x".repeat(5000)}`;
  const plan = aPlan({ "M1-T1": "DOING" }).replace("store a file", long).replace("upload API", long);
  const question = {
    ...A_QUESTION,
    title: long,
    question: long,
    options: [{ id: "a", description: long }],
  };
  const story = new BoardStory({ plan })
    .babbles([{ rule: "unknown_field", about: long }])
    .main({ nextAgent: "DEV", header: [`red_waiver: ${long}`] })
    .role({}, { changed: [HOSTILE] })
    .judge()
    .main({ nextAgent: "USER", question })
    .ask()
    .chooses("a", HOSTILE);
  for (const leave of [false, true])
    for (const line of piped("en", story.events, leave)) {
      expect(line).not.toMatch(STEERS_TERMINAL);
      expect(line.length).toBeLessThan(1200);
    }
});
