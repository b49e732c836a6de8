import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, StepsRig, TODO } from "../rig/steps.ts";
import { refused } from "./refused.ts";

const isRoot = process.getuid?.() === 0;

describe("the steps directory", () => {
  test("a path through a file, one that is too long, and a link to itself", async () => {
    const rig = StepsRig.inWorkTree();
    const through = await refused(rig, ["plan.md/steps"]);
    expect(through).toMatchObject({ code: 2, errors: [expect.stringContaining("is not a directory")] });
    const long = await refused(rig, ["x".repeat(300)]);
    expect(long).toMatchObject({
      code: 2,
      errors: [expect.stringMatching(/cannot be read: .*ENAMETOOLONG/)],
    });
    fs.symlinkSync("round", join(rig.project, "round"));
    const round = await refused(rig, ["round", "--lang", "zh"]);
    expect(round).toMatchObject({ code: 2, errors: [expect.stringMatching(/^无法读取步骤目录：.*ELOOP/)] });
  });

  test.skipIf(isRoot)("one without read permission", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    const dir = join(rig.project, rig.dir);
    fs.chmodSync(dir, 0o000);
    const ended = await rig.run(["run", rig.dir]);
    fs.chmodSync(dir, 0o755);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be read: .*EACCES/) });
  });

  test("one that cannot be written: the run does not begin to work", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    fs.mkdirSync(join(rig.project, rig.dir, "run-progress.md"));
    const { code, stderr } = await rig.run(["run", rig.dir]);
    expect({ code, calls: rig.calls() }).toEqual({ code: 2, calls: [] });
    expect(stderr).toMatch(/^error: .*run-progress\.md/);
    expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
  });
});

describe("a step file", () => {
  test("that is empty, no JSON, no text, too large, no plain file, or hides its fields: each is reported by its name", async () => {
    const rig = StepsRig.inWorkTree();
    const good = rig.step(1);
    rig.step(9, { notes: "x".repeat(2_000_000) });
    const path = (name: string): string => join(rig.project, rig.dir, name);
    const fields = JSON.stringify({ id: "step-013", description: "d", status: TODO, verification: [] });
    const texts = {
      "002-empty.json": "",
      "003-blank.json": " \n\t\n",
      "004-cut.json": '{\n  "id": "step-004",\n  "description": "an en',
      "005-comma.json": '{\n  "id": "step-005",\n}\n',
      "006-more.json": "{} {}",
      "007-nul.json": '{\n  "id": "step-\u0000007"\n}\n',
      "008-latin.json": Buffer.from('{"id":"\u00e9"}', "latin1"),
      "013-proto.json": `{"__proto__":${fields},"constructor":{"prototype":${fields}}}`,
    };
    for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path(name), text);
    fs.symlinkSync(good, path("010-link.json"));
    fs.mkdirSync(path("011-folder.json"));
    // A pipe without a writer.
    execFileSync("mkfifo", [path("012-pipe.json")]);

    const { code, errors } = await refused(rig, [rig.dir]);
    expect(code).toBe(2);
    const missing = ["id", "description", "status", "verification"].map(
      (field) =>
        expect.stringMatching(
          `^wrong field: 013-proto\\.json:1:1 ${field} \\(.*, found nothing\\)$`,
        ) as string,
    );
    expect(errors).toEqual([
      "step file is empty: 002-empty.json",
      "step file is empty: 003-blank.json",
      "not JSON: 004-cut.json:3:24 (the text ends too early)",
      "not JSON: 005-comma.json:3:1 (a key in double quotes is expected here)",
      "not JSON: 006-more.json:1:4 (something follows the object)",
      "not JSON: 007-nul.json:2:15 (not allowed in a text: escape it)",
      "not UTF-8 text: 008-latin.json",
      "step file is too large: 009-step.json (at most 1048576 bytes)",
      "not a plain file: 010-link.json",
      "not a plain file: 011-folder.json",
      "not a plain file: 012-pipe.json",
      ...missing,
      expect.stringMatching(/^steps cannot be run: .* \(15 problems\)$/),
    ]);
    expect(rig.stepNow(good)["status"]).toBe(TODO);
  });

  test.skipIf(isRoot)("without read permission", async () => {
    const rig = StepsRig.inWorkTree();
    fs.chmodSync(join(rig.project, rig.dir, rig.step(1)), 0o000);
    const { code, errors } = await refused(rig, [rig.dir]);
    expect({ code, error: errors[0] }).toEqual({
      code: 2,
      error: expect.stringMatching(/^step file cannot be read: 001-step\.json .*EACCES/) as string,
    });
  });

  test("with names that would draw on the terminal", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    rig.write(join(rig.dir, "002-\u001b[31m\nred.json"), "{");
    const { stderr } = await rig.run(["run", rig.dir]);
    expect(stderr).toMatch(/^error: not JSON: 002-.*red\.json:1:2/);
    expect(stderr).not.toContain("\u001b");
  });
});

describe("steps together", () => {
  test("two with one id, two with one number, also written otherwise", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1, {}, "a");
    rig.step(1, { id: "other" }, "b");
    rig.step(2, { id: "step-001" });
    rig.write(
      join(rig.dir, "0003-long.json"),
      rig.read(join(rig.dir, rig.step(3))).replace("step-003", "three"),
    );
    const { code, errors } = await refused(rig, [rig.dir, "--lang", "zh"]);
    expect(code).toBe(2);
    expect(errors.slice(0, -1).toSorted()).toEqual([
      "步骤 id 重复：001-a.json、002-step.json（step-001）",
      expect.stringMatching(/^步骤序号重复：0003-long\.json、003-step\.json（/),
      expect.stringMatching(/^步骤序号重复：001-a\.json、001-b\.json（/),
    ]);
  });
});

describe("a unit test", () => {
  test("that is dangerous is refused, allowed with --force", async () => {
    const rig = StepsRig.inWorkTree();
    // Harmless if executed: the shell exits first.
    rig.step(1, { unit_test: { command: "exit 0; rm -rf /" } });
    const { code, errors } = await refused(rig, [rig.dir, "--lang", "zh"]);
    expect(code).toBe(2);
    expect(errors[0]).toBe("001-step.json unit_test.command 中有危险命令：rm -rf /（rm_root）");
    expect(rig.rows()[0]?.slice(6)).toEqual(["失败", expect.stringContaining("危险命令")]);
    const forced = await rig.steps(["--force"]);
    expect(forced).toMatchObject({ code: 0, report: { totals: { passed: 1 } } });
    expect(forced.stdout).toContain("🧪 执行单元测试: exit 0; rm -rf /\n✓ 单元测试通过\n");
  });

  test("that is dangerous is refused even in a step that is done or not chosen", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    rig.step(2, { status: DONE, unit_test: { command: "rm -rf ~" } });
    expect(await refused(rig, [rig.dir, "--only", "1"])).toMatchObject({
      code: 2,
      errors: [expect.stringContaining("002-step.json unit_test.command"), expect.any(String)],
    });
  });
});

describe("secrets", () => {
  test("the value of a secret variable in a step is refused without being shown, by name of its file", async () => {
    const value = "s3cr3t-0123456789-abcdef";
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    rig.step(2, { description: `log in with ${value}` });
    const before = rig.everything();
    const { code, stdout, stderr } = await rig.run(["run", rig.dir], { env: { SHOP_API_KEY: value } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: 002-step\.json holds a secret/);
    expect(stdout + stderr).not.toContain(value);
    expect(rig.everything()).toEqual(before);
    // A word that is no secret elsewhere.
    expect((await rig.steps()).code).toBe(0);
  });

  test("refuses a key with a known form", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1, { verification: [{ type: "unit", description: `push with ghp_${"a1".repeat(18)}` }] });
    const { code, errors } = await refused(rig, [rig.dir]);
    expect({ code, errors }).toEqual({
      code: 2,
      errors: [expect.stringContaining("001-step.json holds a secret")],
    });
  });
});

describe("flags", () => {
  test("unknown agents, empty lists, an unwritable report, a wrong --cwd", async () => {
    const rig = StepsRig.inWorkTree();
    rig.step(1);
    for (const [more, error] of [
      [["--agents", "no-such"], /unknown agent no-such/],
      [["--agents", ""], /--agents is empty/],
      [["--verifier", ","], /--verifier is empty/],
      [["--verifier", "no-such"], /unknown agent no-such/],
      [["--on-stuck", "cry"], /--on-stuck must be one of .*, got cry/],
      [["--report", "no/such/place.json"], /report cannot be written: .*its directory does not exist/],
      [["--cwd", "nowhere"], /--cwd is not a directory/],
      [["--full-verfy"], /unknown flag --full-verfy; did you mean --full-verify\?/],
      [["another"], /unexpected argument another/],
    ] as const) {
      const { code, errors } = await refused(rig, [rig.dir, ...more]);
      expect({ more, code, errors }).toEqual({ more, code: 2, errors: [expect.stringMatching(error)] });
    }
  });
});

describe("a unit test whose program is not on PATH", () => {
  test("of the first step to be taken: reported before it is paid, and run-progress.md stays as it is", async () => {
    const rig = new StepsRig();
    rig.step(1, { status: DONE, unit_test: { command: "vitset old" } });
    rig.step(2, { unit_test: { command: "vitset run" } });
    rig.step(3, { unit_test: { command: "vitset later" } });
    rig.write(join(rig.dir, "run-progress.md"), "# of the last run\n");
    const { code, stderr } = await rig.run(["run", rig.dir]);
    expect(code).toBe(2);
    expect(stderr.split("\n").filter((line) => line.startsWith("error: "))).toEqual([
      "error: 002-step.json: test command not found: `vitset run` (no program vitset on PATH)",
      expect.stringMatching(/^error: steps cannot be run: .* \(1 problem\)$/),
    ]);
    expect(rig.calls()).toEqual([]);
    expect(rig.read(join(rig.dir, "run-progress.md"))).toBe("# of the last run\n");
  });

  test("of a later step: the steps before it may install the program; a path may be created by the work", async () => {
    const rig = new StepsRig();
    const bin = join(rig.root, "installed");
    fs.mkdirSync(bin);
    rig.step(1, { unit_test: { command: "./made-by-the-step.sh" } });
    rig.step(2, { unit_test: { command: "installed-by-step-1 run" } });
    const script = "#!/bin/sh\nexit 0\n";
    const program = join(bin, "installed-by-step-1");
    rig.script({
      "worker step-001 1": {
        write: { "made-by-the-step.sh": script },
        chmod: { "made-by-the-step.sh": 0o755 },
        run: `cp made-by-the-step.sh '${program}'`,
      },
    });
    const env = { PATH: `${bin}${delimiter}${rig.env()["PATH"] ?? ""}` };
    const { code, stderr } = await rig.run(["run", rig.dir], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("not found") });
    expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
  });
});
