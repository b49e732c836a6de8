import { describe, expect, test } from "vitest";
import { put, reasonsOf, RoomRig } from "./project.ts";

/** A library for sh, and a script that loads it. Only the exit code shows the result. */
const LIBRARY = "add() { echo $(($1 - $2)); }\n";
const SCRIPT = '. ./src/add.sh\n[ "$(add 2 3)" = 5 ] || exit 1\n[ "$(add 7 0)" = 7 ]\n';
const FILES = { "src/add.sh": LIBRARY, "test/add.sh": SCRIPT };
const COMMAND = "sh test/add.sh";

describe("a test with only an exit code as evidence", () => {
  test("is not believed if the product ends it, and the feedback names the file", async () => {
    const rig = new RoomRig(FILES);
    const rounds = [put("src/add.sh", `exit 0\n${LIBRARY}`), put("src/add.sh", LIBRARY.replace("-", "+"))];
    const { code, report, stdout } = await rig.rounds(rounds, { full: [COMMAND] });
    // No single tests were reported, so there is no count.
    expect(stdout).toMatch(
      /full failed: sh test\/add\.sh, exit 0, product code made failing tests look successful: test\/add\.sh \(/,
    );
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed", "exited_by_product"], []]]);
    expect(report.attempts[0]?.tests[1]).toMatchObject({
      exit_code: 0,
      tests: { exited_by: ["test/add.sh"] },
    });
  });

  test("is left to a person who allows it", async () => {
    const rig = new RoomRig(FILES);
    const { code, report } = await rig.rounds([put("src/add.sh", `exit 0\n${LIBRARY}`)], {
      full: [COMMAND],
      more: ["--allow-oracle-change", "test/**"],
    });
    expect([code, reasonsOf(report)]).toEqual([0, [[]]]);
  });
});
