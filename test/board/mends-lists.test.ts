import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/domain/event.ts";
import { forbiddenChange, treeDigests } from "../../src/engine/board-tree.ts";
import type { RunContext } from "../../src/engine/ports.ts";
import type { TreeSnapshot } from "../../src/workspace/tree.ts";
import { BoardStory } from "../rig/board-story.ts";
import { resumed } from "../rig/story.ts";

type Files = Readonly<Record<string, string>>;
const FILES: Files = { "test/a.sh": "1", "src/a.sh": "1", "ci.yaml": "1" };

const seen = (files: Files): TreeSnapshot => ({
  root: "/project",
  sha256: "",
  files: new Map(Object.entries(files)),
});
const looking = (files: Files): RunContext =>
  ({ tree: { snapshot: () => seen(files) } }) as unknown as RunContext;

/** DEV's turn is cut off when it has left `cutOff`, a person makes `ci.yaml` a test, and DEV's next turn leaves `after`. */
function changedByDev(cutOff: Files, after: Files): readonly string[] | null {
  const story = new BoardStory({ projectEnv: "{}\n" }).test().main({ nextAgent: "DEV" });
  const opens = (turn: number, files: Files): RunEvent => ({
    ...{ type: "turn_started", role: "worker", attempt: 2, turn, agent: "claude", resumes: null },
    tree: treeDigests(story.state, looking(files)),
  });
  story.add(opens(4, FILES), { type: "turn_interrupted", attempt: 2, turn: 4 });
  story.add(
    { type: "run_stopped", by: "SIGINT" },
    { type: "board_edited", plan: null, context: null, projectEnv: '{"test_paths":["test/**","ci.yaml"]}' },
    resumed(),
  );
  story.add(opens(5, cutOff));
  return forbiddenChange("DEV", seen(cutOff), story.state, looking(after));
}

describe("lists of paths that a person changed while DEV's turn was cut off", () => {
  const worked = { ...FILES, "src/a.sh": "2" };

  test("make nobody guilty", () => {
    expect(changedByDev(FILES, worked)).toEqual([]);
    expect(changedByDev({ ...worked, "ci.yaml": "2" }, { ...worked, "ci.yaml": "2" })).toEqual([]);
  });

  test("do not hide what the turn did before it was cut off", () => {
    const weakened = { ...worked, "test/a.sh": "2" };
    expect(changedByDev(weakened, weakened)).toEqual(["."]);
    expect(changedByDev(weakened, worked)).toEqual([]);
  });

  test("hold for the next turn", () => {
    expect(changedByDev(worked, { ...worked, "ci.yaml": "2" })).toEqual(["ci.yaml"]);
    expect(changedByDev(worked, { ...worked, "test/b.sh": "1" })).toEqual(["test/b.sh"]);
  });
});
