import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reasonTexts } from "../../src/evidence/words/reasons.ts";
import { receiptText, type Receipt, type ReceiptDetails } from "../../src/evidence/receipt/receipt.ts";
import { until } from "../rig/rig.ts";
import { ReceiptRig, readReceipt } from "./project.ts";

/** As many tests as a git-ignored file says. */
const TESTS = `const { test } = require("node:test");
const count = Number(require("node:fs").readFileSync("dep/count", "utf8"));
for (let at = 0; at < count; at++) test("number " + at, () => {});
test("the work is done", () => require("node:assert").ok(require("node:fs").existsSync("made.txt")));
`;

/** A product that exits if a git-ignored file says so. */
const EXITS = `if (require("node:fs").readFileSync("now", "utf8") === "exit") process.exit(0);
`;
const BY_WHAT_IS_NOW = `const { test } = require("node:test");
const now = require("node:fs").readFileSync("now", "utf8");
test("one", { skip: now === "skip" }, () => require("node:assert").notEqual(now, "fail"));
test("two", { skip: now === "skip" }, () => void require("../lib/some.js"));
`;
const ENDS_WELL = `case $(cat now) in
  silent) ;;
  cut) printf 'TAP version 13\\n1..3\\nok 1 - one\\nok 2 - two\\n' ;;
  *) node --test ;;
esac
true`;

function withDetails(receipt: Receipt, change: Partial<ReceiptDetails>): Receipt {
  const { predicate } = receipt;
  const agentForeman = { ...predicate.agentForeman, ...change };
  return { ...receipt, predicate: { ...predicate, agentForeman } };
}

function withoutTests(receipt: Receipt): Receipt {
  const { commands } = receipt.predicate.agentForeman;
  return withDetails(receipt, { commands: commands.map((command) => ({ ...command, tests: null })) });
}

function withTestsOfPerson(receipt: Receipt): Receipt {
  const { protected: found } = receipt.predicate.agentForeman;
  const change = {
    step: null,
    attempt: 1,
    path: "test/some.test.js",
    kind: "test",
    how: "changed",
  } as const;
  const changes = [{ ...change, entries: [], allowed_by: "person" } as const];
  return withDetails(receipt, { protected: { ...found, changes } });
}

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

  test("holds against it what a run would, although the command ends well", async () => {
    const rig = new ReceiptRig();
    rig.write(".gitignore", "now\n");
    rig.write("lib/some.js", EXITS);
    rig.write("test/some.test.js", BY_WHAT_IS_NOW);
    rig.write("now", "");
    rig.commit();
    const { path, receipt } = await rig.accepted({ full: [ENDS_WELL] });
    const file = join(rig.root, "receipt.json");
    const now = async (how: string, given: Receipt, journal = false) => {
      rig.write("now", how);
      fs.writeFileSync(file, receiptText(given));
      const { code, codes, why } = await rig.look(file, { journal, rerun: true });
      return [code, codes.at(-1), ...Object.values(reasonTexts.en).filter((text) => why.includes(text))];
    };
    fs.renameSync(path, file);
    const { tests_failed, exited_by_product, tests_cut_short, no_tests } = reasonTexts.en;
    // The required number of tests is unknown.
    const given = withoutTests(receipt);
    expect(await now("", given)).toEqual([0, "rerun_passed"]);
    expect(await now("silent", given)).toEqual([0, "rerun_exited"]);
    expect(await now("fail", given)).toEqual([1, "rerun_not_sound", tests_failed]);
    expect(await now("skip", given)).toEqual([1, "rerun_not_sound", no_tests]);
    expect(await now("cut", given)).toEqual([1, "rerun_not_sound", tests_cut_short]);
    expect(await now("exit", given)).toEqual([1, "rerun_not_sound", exited_by_product]);
    // Here as well, but some tests existed.
    expect(await now("silent", withTestsOfPerson(receipt))).toEqual([1, "rerun_not_sound", no_tests]);
    expect(await now("exit", receipt, true)).toEqual([1, "rerun_not_sound", exited_by_product]);
  });

  test("knows by the journal what the tests did before the work", async () => {
    const rig = new ReceiptRig();
    rig.write(".gitignore", "now\n");
    rig.write("lib/some.js", EXITS);
    rig.write("test/some.test.js", BY_WHAT_IS_NOW);
    rig.write("now", "exit");
    rig.commit();
    const { path } = await rig.accepted({ full: [ENDS_WELL] });
    expect((await rig.look(path, { rerun: true })).code).toBe(0);
    expect((await rig.look(path, { rerun: true, journal: false })).codes.at(-1)).toBe("rerun_not_sound");
  });

  test("ends with a signal, and nothing stays", async () => {
    const rig = new ReceiptRig();
    const slow = join(rig.root, "slow");
    const { path } = await rig.accepted({
      full: [`test -f made.txt && { test ! -e '${slow}' || { touch '${slow}.begun'; sleep 1000; }; }`],
    });
    fs.writeFileSync(slow, "");
    const before = fs.readdirSync(rig.state);
    const running = rig.start(["verify", path, "--rerun"]);
    await until(() => fs.existsSync(`${slow}.begun`));
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(rig.survivors()).toEqual([]);
    expect(fs.readdirSync(rig.state)).toEqual(before);
  });

  test("does not run commands that look dangerous, whoever wrote them", async () => {
    const rig = new ReceiptRig();
    const { path } = await rig.accepted();
    const text = receiptText(readReceipt(path));
    fs.writeFileSync(path, text.replaceAll('"test -f made.txt"', '"git push --force"'));
    const { code, codes } = await rig.look(path, { journal: false, rerun: true });
    expect([code, codes.at(-1)]).toEqual([1, "rerun_dangerous"]);
  });
});
