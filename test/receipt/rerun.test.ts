import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { receiptText } from "../../src/reports/receipt.ts";
import { until } from "../rig/rig.ts";
import { ReceiptRig, readReceipt } from "./project.ts";

/** As many tests as a file says that git ignores. */
const TESTS = `const { test } = require("node:test");
const count = Number(require("node:fs").readFileSync("dep/count", "utf8"));
for (let at = 0; at < count; at++) test("number " + at, () => {});
test("the work is done", () => require("node:assert").ok(require("node:fs").existsSync("made.txt")));
`;

function project(): ReceiptRig {
  const rig = new ReceiptRig();
  rig.write(".gitignore", "dep/\n");
  rig.write("test/some.test.js", TESTS);
  rig.write("dep/count", "2");
  rig.commit();
  return rig;
}

describe("--rerun", () => {
  test("runs the commands again, in a room, and wants to see as many tests pass", async () => {
    const rig = project();
    const { path } = await rig.accepted({ full: ["node --test"], fast: ["touch left-behind"] });
    expect(readReceipt(path).predicate.passedTests).toHaveLength(3);
    rig.commit();
    const { dir, env } = rig.clone();
    const count = join(dir, "dep", "count");
    const receipt = join(dir, path.slice(rig.project.length));
    const missing = await rig.run(["verify", receipt, "--rerun"], { cwd: dir, env });
    expect([missing.code, fs.existsSync(join(dir, "left-behind"))]).toEqual([1, false]);
    expect(missing.stdout).toMatch(/✓ rerun +touch left-behind: exit 0/);
    expect(missing.stdout).toMatch(/✗ rerun +node --test: exit 1\n[^]*ENOENT/);
    expect(missing.stderr).toContain("rerun_failed");
    fs.mkdirSync(join(dir, "dep"));
    fs.writeFileSync(count, "1");
    const fewer = await rig.verify(receipt, ["--rerun"], { dir, env });
    expect([fewer.code, fewer.codes.slice(-2)]).toEqual([1, ["rerun_exited", "rerun_other_tests"]]);
    fs.writeFileSync(count, "2");
    const same = await rig.verify(receipt, ["--rerun"], { dir, env });
    expect([same.code, same.codes.slice(-2)]).toEqual([0, ["rerun_exited", "rerun_passed"]]);
    expect(fs.readdirSync(env["AGENT_FOREMAN_HOME"] ?? "")).toEqual([]);
  });

  test("ends with a signal, and nothing stays", async () => {
    const rig = new ReceiptRig();
    const slow = join(rig.root, "slow");
    const { path } = await rig.accepted({
      full: [`test -f made.txt && { test ! -e '${slow}' || { touch '${slow}.begun'; sleep 1000; }; }`],
    });
    fs.writeFileSync(slow, "");
    const running = rig.start(["verify", path, "--rerun"]);
    await until(() => fs.existsSync(`${slow}.begun`));
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(rig.survivors()).toEqual([]);
    expect(fs.readdirSync(rig.state)).toEqual(["runs"]);
  });

  test("does not run what looks dangerous, whoever wrote it", async () => {
    const rig = new ReceiptRig();
    const { path } = await rig.accepted();
    const text = receiptText(readReceipt(path));
    fs.writeFileSync(path, text.replaceAll('"test -f made.txt"', '"git push --force"'));
    const { code, codes } = await rig.look(path, { journal: false, rerun: true });
    expect([code, codes.at(-1)]).toEqual([1, "rerun_dangerous"]);
  });
});
