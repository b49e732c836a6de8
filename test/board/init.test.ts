import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readBoard } from "../../src/modes/orchestrate/disk/read-board.ts";
import { board } from "../../src/cli/board.ts";
import type { BoardFlags } from "../../src/cli/read-board.ts";
import type { Io } from "../../src/cli/io.ts";
import { DEFAULT_SHARED_PATHS } from "../../src/modes/orchestrate/rules/read-project-env.ts";
import { DEFAULT_TEST_PATHS } from "../../src/evidence/protected/test-paths.ts";
import { fakeIo } from "../commands/fixtures.ts";
import { Key } from "../rig/terminal.ts";
import { terminalIo } from "./terminal-io.ts";

const GOAL = "An upload service\nthat resumes";

function withTests<T extends Io>(io: T): T {
  fs.writeFileSync(join(io.cwd, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
  return io;
}

const init = async (flags: BoardFlags, io: Io): Promise<number> => board("init", flags, io);
const filesOf = (dir: string): string[] => (fs.existsSync(dir) ? fs.readdirSync(dir).toSorted() : []);

function boardIn(dir: string): Extract<ReturnType<typeof readBoard>, { board: unknown }>["board"] {
  const read = readBoard(dir);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return read.board;
}

describe("board init", () => {
  test("writes a valid board from the goal and the tests it finds", async () => {
    const io = withTests(fakeIo());
    expect(await init({ goal: GOAL }, io)).toBe(0);
    const dir = join(io.cwd, "blackboard");
    expect(filesOf(dir)).toEqual(["dev_plan.md", "global_context.md", "project_env.json"]);
    const { plan, context, env, envText } = boardIn(dir);
    expect(context).toContain(GOAL);
    expect(plan.milestones).toMatchObject([
      {
        id: "M1",
        tasks: [
          {
            id: "M1-T1",
            title: "An upload service that resumes",
            status: "TODO",
            acceptance: [{ command: "npm test", threshold: "exit 0" }],
            evidence: "",
          },
        ],
      },
    ]);
    expect(env).toEqual({ testPaths: DEFAULT_TEST_PATHS, sharedPaths: DEFAULT_SHARED_PATHS, env: {} });
    expect(JSON.parse(envText)).toMatchObject({
      test_commands: { fast: ["npm test"], full: ["npm test"] },
      test_paths: DEFAULT_TEST_PATHS,
      runtime: { node: process.version },
    });
    expect(io.text()).toBe(
      [
        "✓ wrote  blackboard/global_context.md",
        "✓ wrote  blackboard/project_env.json",
        "✓ wrote  blackboard/dev_plan.md",
        "next  agent-foreman orchestrate",
        "",
      ].join("\n"),
    );
  });

  test.each(["zh", "en"] as const)("writes a board that it can read back in %s", async (lang) => {
    const io = withTests(fakeIo({ lang }));
    expect(await init({ goal: "上传", lang }, io)).toBe(0);
    expect(boardIn(join(io.cwd, "blackboard")).context).toContain("上传");
  });

  test("takes other directories and commands, also with backticks", async () => {
    const io = fakeIo();
    fs.mkdirSync(join(io.cwd, "sub"));
    const commands = ["echo `date`", "npm run lint"];
    expect(await init({ cwd: "sub", board: "a b/c", goal: "g", test: commands }, io)).toBe(0);
    const { plan } = boardIn(join(io.cwd, "a b/c"));
    expect(plan.milestones[0]?.tasks[0]?.acceptance.map(({ command }) => command)).toEqual(commands);
    expect(io.text()).toContain("next  agent-foreman orchestrate --cwd sub --board 'a b/c'\n");
  });

  test.each([
    ["no goal", { test: ["true"] }, /--goal/],
    ["no test command", { goal: "g" }, /--test/],
    ["an empty goal", { goal: " ", test: ["true"] }, /--goal is empty/],
    ["an empty command", { goal: "g", test: [""] }, /--test is empty/],
    ["an empty directory", { goal: "g", test: ["true"], board: "" }, /--board is empty/],
    ["a command over two lines", { goal: "g", test: ["a\nb"] }, /--test cannot be an acceptance command/],
    ["flags of others", { goal: "g", test: ["true"], json: true }, /--json cannot be used with board init/],
  ] as const)("refuses %s and writes nothing", async (_, flags, problem) => {
    const io = fakeIo();
    await expect(init(flags, io)).rejects.toMatchObject({
      code: "usage",
      exitCode: 2,
      about: { problem: expect.stringMatching(problem) as string },
    });
    expect(filesOf(io.cwd)).toEqual([]);
  });

  test("refuses dangerous commands and secrets", async () => {
    const secret = `sk-ant-${"a1B2".repeat(12)}`;
    const io = fakeIo({ env: { MY_TOKEN: "hunter2-hunter2" } });
    const refused = async (flags: BoardFlags): Promise<unknown> =>
      init(flags, io).then(
        () => "written",
        (error: unknown) => (error as { code: string }).code,
      );
    await expect(init({ goal: "g", test: ["rm -rf /"] }, io)).rejects.toMatchObject({
      code: "usage",
      exitCode: 2,
      about: { problem: expect.stringMatching(/dangerous: rm -rf \/ .*orchestrate with --force$/) as string },
    });
    expect(await refused({ goal: `use ${secret}`, test: ["true"] })).toBe("secret_in_command");
    expect(await refused({ goal: "g", test: ["curl -H hunter2-hunter2 localhost"] })).toBe(
      "secret_in_command",
    );
    expect(filesOf(io.cwd)).toEqual([]);
  });

  test("refuses places that are not for agents to write to", async () => {
    const io = withTests(fakeIo());
    const mine = { ...io, env: { ...io.env, HOME: io.cwd } };
    fs.mkdirSync(join(io.cwd, ".git"));
    fs.symlinkSync(".git", join(io.cwd, "link"));
    const before = filesOf(io.cwd);
    const places = { "/": "root", ".": "home", ".git": ".git", ".git/a/b": ".git", "link/a": ".git" };
    for (const [place, why] of Object.entries(places))
      // Nor without a goal.
      await expect(init({ board: place }, mine)).rejects.toMatchObject({
        code: "usage",
        exitCode: 2,
        about: { problem: expect.stringContaining(why) as string },
      });
    expect(filesOf(io.cwd)).toEqual(before);
    expect(filesOf(join(io.cwd, ".git"))).toEqual([]);
  });

  test.each(["dev_plan.md", "global_context.md", "project_env.json"])(
    "never overwrites %s, and then writes nothing",
    async (name) => {
      const io = withTests(fakeIo());
      const dir = join(io.cwd, "blackboard");
      fs.mkdirSync(dir);
      fs.symlinkSync("/nowhere/at/all", join(dir, name));
      await expect(init({ goal: "g" }, io)).rejects.toMatchObject({
        code: "board_file_exists",
        exitCode: 2,
        about: { path: join(dir, name) },
      });
      expect(filesOf(dir)).toEqual([name]);
    },
  );

  test("leaves nothing behind if it cannot write all files", async () => {
    const io = withTests(fakeIo());
    const rename = fs.renameSync.bind(fs);
    const spy = vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (String(to).endsWith("dev_plan.md")) throw new Error("the disk is full");
      rename(from, to);
    });
    onTestFinished(() => spy.mockRestore());
    const failure = { code: "board_not_writable", exitCode: 2, about: { why: "the disk is full" } };
    await expect(init({ goal: "g", board: "deep/er" }, io)).rejects.toMatchObject(failure);
    expect(filesOf(io.cwd)).toEqual(["package.json"]);
    fs.mkdirSync(join(io.cwd, "mine"));
    await expect(init({ goal: "g", board: "mine" }, io)).rejects.toMatchObject(failure);
    expect(filesOf(join(io.cwd, "mine"))).toEqual([]);
  });

  test("says so if the directory cannot exist", async () => {
    const io = withTests(fakeIo());
    fs.writeFileSync(join(io.cwd, "file"), "");
    const refused = async (path: string): Promise<void> =>
      expect(init({ goal: "g", board: path }, io)).rejects.toMatchObject({
        code: path === "file" ? "board_not_a_directory" : "board_not_writable",
      });
    await refused("file");
    await refused("file/below");
  });

  test("asks for missing values on a terminal", async () => {
    const io = withTests(terminalIo());
    const done = init({}, io);
    await io.reply("What is the goal?", `An upload service${Key.enter}`);
    await io.reply("Which command shows", ` && npm run lint${Key.enter}`);
    expect(await done).toBe(0);
    const { plan, context } = boardIn(join(io.cwd, "blackboard"));
    expect(context).toContain("An upload service");
    expect(plan.milestones[0]?.tasks[0]?.acceptance).toMatchObject([{ command: "npm test && npm run lint" }]);
  });

  test("asks nothing with --yes, and writes nothing when the person leaves", async () => {
    const quiet = withTests(terminalIo());
    await expect(init({ yes: true }, quiet)).rejects.toMatchObject({ code: "usage" });
    expect(await init({ yes: true, goal: "g" }, quiet)).toBe(0);
    expect(quiet.asked()).toBe("");

    const io = terminalIo();
    const done = init({ goal: "g" }, io);
    await io.reply("Which command shows", Key.ctrlC);
    expect(await done).toBe(130);
    expect(io.asked()).toContain("nothing was written");
    expect(filesOf(io.cwd)).toEqual([]);
  });
});
