import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { mainPrompts, outcomes, partOf, refused } from "./refusals.ts";

test("B15 a red result of the last run counts while the tests are the same", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }]);
  const first = await rig.orchestrate(["--max-iterations", "1"]);
  expect(outcomes(first.report)).toEqual(["TEST accepted"]);
  const { report } = await rig.orchestrate(["--max-iterations", "1"]);
  expect(refused(report)).toEqual([]);
  expect(outcomes(report)).toEqual(["DEV accepted"]);
});

test("B15 and not when a person has changed the test since", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }, { next: "TEST" }]);
  await rig.orchestrate(["--max-iterations", "1"]);
  rig.write("test/M1-T1.sh", "test -f src/M1-T1.txt\n");
  const { report } = await rig.orchestrate(["--max-iterations", "1"]);
  expect(refused(report)).toEqual(["2 red_not_confirmed M1-T1 tests_changed"]);
  expect(outcomes(report)).toEqual(["TEST accepted"]);
  // The refusal lists MAIN's alternatives.
  expect(
    partOf(mainPrompts(rig)[2] ?? "", "Calls that are open now")
      .split("\n")
      .slice(2),
  ).toEqual([
    "- TEST on M1-T1",
    "- DEV on M1-T1, with `red_waiver:` in its order",
    "- REVIEW, `review_mode: investigate`",
    "- USER",
  ]);
});
