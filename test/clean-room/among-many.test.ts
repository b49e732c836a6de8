import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutNamespaces } from "../rig/no-namespaces.ts";
import { NODE_TESTS, put, reasonsOf, RoomRig, testOf, WORKS } from "./project.ts";

describe("changes of protected files are held", () => {
  test("also where more is changed beside it than is put on record", async () => {
    const rig = new RoomRig();
    for (let n = 100; n < 320; n += 1) rig.write(`test/snapshots/${n}.txt`, "old\n");
    rig.commit({ "test/z.test.js": testOf("adds in its own way", "add(1, 1)", "2") });
    const agent = [WORKS, "for each in test/snapshots/*; do echo new > $each; done", "rm test/z.test.js"];
    const { code, report } = await rig.rounds([agent.join("\n")], {
      more: ["--allow-oracle-change", "test/snapshots/**"],
    });
    expect([code, reasonsOf(report)]).toEqual([1, [["oracle_changed"]]]);
    expect(report.attempts[0]?.candidate?.protected_changes[0]).toMatchObject({
      path: "test/z.test.js",
      how: "deleted",
    });
    expect(rig.feedback(report)).toContain("| test/z.test.js (deleted)");
  });

  test("where it is reached through a link, at both ends", async () => {
    const script = `#!/bin/sh\nexec ${NODE_TESTS}\n`;
    const rig = new RoomRig({ "scripts/real.sh": script, "package.json": '{"scripts":{"x":"y"}}\n' });
    fs.chmodSync(rig.outside("project/scripts/real.sh"), 0o755);
    fs.symlinkSync("scripts/real.sh", rig.outside("project/check.sh"));
    rig.commit({});
    const outside = rig.outside("elsewhere.json");
    const { report } = await rig.rounds(
      [
        put("scripts/real.sh", "#!/bin/sh\nexit 0\n"),
        `${put("scripts/real.sh", script)}\n${WORKS}\ncp package.json '${outside}'; ln -sf '${outside}' package.json`,
      ],
      { full: ["./check.sh"], more: ["--test-changes", "hold"] },
    );
    expect(
      report.attempts.map(({ candidate }) => candidate?.protected_changes.map(({ path }) => path)),
    ).toEqual([["scripts/real.sh"], ["package.json"]]);
    expect(reasonsOf(report)).toEqual([["oracle_changed"], ["oracle_changed"]]);
  });
});

test("new tests have to notice the work also where the base has none", async () => {
  const rig = new RoomRig();
  rig.git("rm", "--quiet", "test/add.test.js");
  rig.commit({});
  const blind = put("test/add.test.js", testOf("is a function", "typeof add", '"function"'));
  const telling = put("test/add.test.js", testOf("adds", "add(2, 3)", "5"));
  const { code, report } = await rig.rounds([`${WORKS}\n${blind}`, telling], { more: ["--prove-tests"] });
  expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed", "tests_prove_nothing"], []]]);
});

test("tests may leave files whose names are not UTF-8", async () => {
  const rig = new RoomRig();
  const { code } = await rig.rounds([WORKS], { fast: [String.raw`touch "$(printf '\377.xml')" && ls`] });
  expect(code).toBe(0);
});

test("a base that its own tests change is not taken for ever", async () => {
  const rig = new RoomRig();
  const writes = `date +%s%N >> '${rig.outside("project/told.txt")}'`;
  const { code, report } = await rig.rounds(
    [WORKS],
    { fast: [writes], full: [`${writes}; ${NODE_TESTS}`] },
    { env: withoutNamespaces(rig) },
  );
  expect([code, reasonsOf(report)]).toEqual([1, [["tree_changed_in_checks"]]]);
  const taken = rig.events(report.run_id).filter(({ type }) => type === "base_taken");
  expect(taken).toHaveLength(3);
  expect(fs.existsSync(rig.outside(`state/runs/${report.run_id}/base/checks`))).toBe(true);
});
