import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { forbiddenChanges, treeDigests } from "../../src/modes/orchestrate/board-tree.ts";
import { forgetTree, keepTree } from "../../src/evidence/base/kept-tree.ts";
import type { RunContext } from "../../src/engine/ports.ts";
import { snapshotOf, type TreeSnapshot } from "../../src/platform/git/tree.ts";
import { BoardStory } from "../rig/board-story.ts";
import { resumed } from "../rig/story.ts";

type Files = Readonly<Record<string, string>>;
const FILES: Files = { "test/a.sh": "1", "src/a.sh": "1", "ci.yaml": "1" };

const seen = (files: Files): TreeSnapshot => snapshotOf("/project", new Map(Object.entries(files)));
const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-lists-"));
afterAll(() => fs.rmSync(dir, { recursive: true }));
const looking = (files: Files): RunContext =>
  ({
    tree: { root: "/project", output: [], snapshot: () => seen(files) },
    paths: { dir },
    redactor: { text: (text: string) => text },
  }) as unknown as RunContext;

/** DEV's turn is interrupted with the files `cutOff`. A person declares `ci.yaml` a test. DEV's next turn leaves `after`. */
function changedByDev(cutOff: Files, after: Files, keeps = true): readonly string[] | null {
  const story = new BoardStory({ projectEnv: "{}\n" }).test().main({ nextAgent: "DEV" });
  const opens = (turn: number, files: Files): RunEvent => ({
    ...{ type: "turn_started", role: "worker", attempt: 2, turn, agent: "claude", resumes: null },
    tree: treeDigests(story.state, looking(files)),
  });
  if (keeps) keepTree(seen(FILES), looking(FILES));
  else forgetTree(looking(FILES));
  story.add(opens(4, FILES), { type: "turn_interrupted", attempt: 2, turn: 4 });
  story.add(
    { type: "run_stopped", by: "SIGINT" },
    { type: "board_edited", plan: null, context: null, projectEnv: '{"test_paths":["test/**","ci.yaml"]}' },
    resumed(),
  );
  story.add(opens(5, cutOff));
  return forbiddenChanges("DEV", seen(cutOff), story.state, looking(after)).changed;
}

describe("lists of paths that a person changed while DEV's turn was cut off", () => {
  const worked = { ...FILES, "src/a.sh": "2" };

  test("blame no role", () => {
    expect(changedByDev(FILES, worked)).toEqual([]);
    expect(changedByDev({ ...worked, "ci.yaml": "2" }, { ...worked, "ci.yaml": "2" })).toEqual([]);
  });

  test("do not hide the turn's changes before it was cut off", () => {
    const weakened = { ...worked, "test/a.sh": "2" };
    expect(changedByDev(weakened, weakened)).toEqual(["test/a.sh"]);
    expect(changedByDev(weakened, worked)).toEqual([]);
    // The list of files is missing.
    expect(changedByDev(weakened, weakened, false)).toEqual(["/project"]);
  });

  test("apply to the next turn", () => {
    expect(changedByDev(worked, { ...worked, "ci.yaml": "2" })).toEqual(["ci.yaml"]);
    expect(changedByDev(worked, { ...worked, "test/b.sh": "1" })).toEqual(["test/b.sh"]);
  });
});
