import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { partOf, refused } from "./refusals.ts";

const RULES = "# You decide, you do not do";

test("B7 B55 after a compaction of MAIN's session its rules are sent again; an empty answer is not one line of JSON", async () => {
  const rig = new BoardRig();
  rig.write("agent-foreman.yaml", rig.read("agent-foreman.yaml").replace("main: [main]", "main: [claude]"));
  rig.script([
    { next: "TEST", moves: { "M1-T1": "DOING" } },
    { next: "DEV" },
    { next: "REVIEW", moves: { "M1-T1": "DONE" } },
    // This turn prints nothing.
    { next: "FINISH" },
    { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
  ]);
  const { report } = await rig.orchestrate(["--max-iterations", "4"], {
    env: rig.withAgents({ CLAUDE_DOES: "board board_compacted board empty board" }),
  });
  expect(refused(report)).toEqual(["4 not_one_json_line empty", "4 finish_with_update M1-T1"]);
  const prompts = [1, 2, 3, 4, 5].map((turn) =>
    fs.readFileSync(join(rig.home, `claude-prompt-${turn}.md`), "utf8"),
  );
  // A session begins with the rules, and its second turn is compacted.
  expect(prompts.map((prompt) => prompt.includes(RULES))).toEqual([true, false, true, false, false]);
  const args = [2, 3, 4].map((turn) => fs.readFileSync(join(rig.home, `claude-args-${turn}`), "utf8"));
  for (const words of args) expect(words).toContain("--resume ");
  expect(partOf(prompts[4] ?? "", "Calls that are open now")).toContain(
    "- FINISH, if dev_plan_next sets M1-T1 to VERIFIED",
  );
});

test("B55 an agent without output has not given one line of JSON, and is asked again", async () => {
  const rig = BoardRig.inWorkTree();
  rig.script([
    { next: "TEST", raw: "" },
    { next: "TEST", moves: { "M1-T1": "DOING" } },
  ]);
  const { report } = await rig.orchestrate(["--max-iterations", "1"]);
  expect(refused(report)).toEqual(["1 not_one_json_line empty"]);
});
