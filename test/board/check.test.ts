import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { board } from "../../src/cli/board.ts";
import { readCheckedBoard } from "../../src/cli/read-board.ts";
import { redactorFor } from "../../src/cli/redactor.ts";
import { ListFailure } from "../../src/platform/failure.ts";
import { fakeIo, type FakeIo } from "../commands/fixtures.ts";
import { aPlan } from "../rig/board-story.ts";

const GOOD: Readonly<Record<string, string>> = {
  "dev_plan.md": aPlan(),
  "global_context.md": "# Goal\n",
  "project_env.json": "{}\n",
};

function withBoard(files: Readonly<Record<string, string | null>> = {}, io = fakeIo()): FakeIo {
  const dir = join(io.cwd, "blackboard");
  fs.mkdirSync(dir);
  for (const [name, text] of Object.entries({ ...GOOD, ...files }))
    if (text !== null) fs.writeFileSync(join(dir, name), text);
  return io;
}

/** The lines that report problems. */
async function problems(io: FakeIo): Promise<readonly string[]> {
  try {
    await board("check", {}, io);
    return [];
  } catch (error) {
    if (!(error instanceof ListFailure) || error.code !== "board_invalid" || error.exitCode !== 2)
      throw error;
    return error.lines;
  }
}

const planWith = (command: string): string => aPlan().replace("check M1-T2", command);

describe("board check", () => {
  test("counts milestones and tasks", async () => {
    const io = withBoard();
    expect(await board("check", {}, io)).toBe(0);
    expect(io.text()).toBe("ok: 2 milestones, 3 tasks\n");
  });

  test("names every problem of every file with its line", async () => {
    const io = withBoard({
      "dev_plan.md": aPlan().replace("status: TODO", "status: WIP").replace("### M1-T2", "### M1-T1"),
      "global_context.md": null,
      "project_env.json": '{\n  "test_paths": 3\n}\n',
    });
    expect(await problems(io)).toEqual([
      expect.stringMatching(/^blackboard\/dev_plan\.md:5: .*TODO, DOING.*\(WIP\)$/),
      expect.stringMatching(/^blackboard\/dev_plan\.md:9: .*twice \(M1-T1\)$/),
      expect.stringMatching(/^blackboard\/global_context\.md: .*missing/),
      expect.stringMatching(/^blackboard\/project_env\.json:2: .*\(test_paths\)$/),
    ]);
  });

  test("names a dangerous command with its place", async () => {
    expect(await problems(withBoard({ "dev_plan.md": planWith("rm -rf / ") }))).toEqual([
      expect.stringMatching(
        /^blackboard\/dev_plan\.md:11: .*dangerous \(rm -rf \/: \w+\); orchestrate --force allows it$/,
      ),
    ]);
    const twice = aPlan().replaceAll(/check M1-T[12]/g, "rm -rf /");
    const lines = await problems(withBoard({ "dev_plan.md": twice }));
    expect(lines.map((line) => line.split(":")[1])).toEqual(["6", "11"]);
  });

  test.each([
    "dev_plan.md",
    "global_context.md",
    "project_env.json",
    "project_history.md",
    "user_decisions.md",
  ])("finds a secret in %s, and does not repeat it", async (name) => {
    const secret = "hunter2-hunter2";
    const text = name.endsWith("json")
      ? `{\n"env": {"A": "${secret}"}}\n`
      : `${GOOD[name] ?? ""}\n${secret}\n`;
    const io = withBoard({ [name]: text }, fakeIo({ env: { MY_TOKEN: secret } }));
    const lines = await problems(io);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`^blackboard/${name.replace(".", "\\.")}:\\d+: .*secret`));
    expect(lines.join("")).not.toContain(secret);
  });

  test("finds a secret over several lines", async () => {
    const key = ["-----BEGIN RSA PRIVATE KEY-----", "A".repeat(64), "-----END RSA PRIVATE KEY-----"].join(
      "\n",
    );
    const lines = await problems(withBoard({ "global_context.md": `# Goal\n${key}\n` }));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain("A".repeat(64));
  });

  test("prints the same as JSON", async () => {
    const good = withBoard();
    expect(await board("check", { json: true }, good)).toBe(0);
    const dir = join(good.cwd, "blackboard");
    expect(JSON.parse(good.text())).toEqual({
      ok: true,
      board_dir: dir,
      milestones: 2,
      tasks: 3,
      problems: [],
    });

    const bad = withBoard({ "dev_plan.md": planWith("rm -rf /") });
    expect(await board("check", { json: true }, bad)).toBe(2);
    expect(JSON.parse(bad.text())).toMatchObject({
      ok: false,
      milestones: null,
      problems: [{ file: "dev_plan.md", line: 11, code: "command_dangerous" }],
    });
  });

  test("says how to make a board if there is none", async () => {
    const io = fakeIo();
    fs.writeFileSync(join(io.cwd, "file"), "");
    const code = async (path: string): Promise<unknown> =>
      board("check", { board: path }, io).catch((error: unknown) => (error as { code: string }).code);
    expect(await code("nowhere")).toBe("board_missing");
    expect(await code("file")).toBe("board_not_a_directory");
    expect(await code("file/below")).toBe("board_missing");
  });

  test("has no flags of init", async () => {
    await expect(board("check", { goal: "g" }, withBoard())).rejects.toMatchObject({ code: "usage" });
  });
});

test("--force accepts dangerous commands, but no secrets", () => {
  const secret = "hunter2-hunter2";
  const io = withBoard({ "dev_plan.md": planWith("rm -rf /") }, fakeIo({ env: { MY_TOKEN: secret } }));
  const redactor = redactorFor({ secrets: [], agents: [] }, io.env);
  const dir = join(io.cwd, "blackboard");
  expect(() => readCheckedBoard(dir, { force: false }, redactor, io)).toThrow(ListFailure);
  expect(readCheckedBoard(dir, { force: true }, redactor, io).planText).toContain("rm -rf /");
  fs.writeFileSync(join(dir, "global_context.md"), secret);
  expect(() => readCheckedBoard(dir, { force: true }, redactor, io)).toThrow(ListFailure);
});
