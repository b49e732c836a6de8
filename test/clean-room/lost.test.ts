import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { put, RoomRig, WORKS } from "./project.ts";

const NOTES = "my notes\n";
const IGNORED = ".env*\nlocal.json\ndist/\nnode_modules/\n";

/** A person's uncommitted edit, untracked file and ignored files. */
function withOwnWork(): RoomRig {
  const rig = new RoomRig({ ".gitignore": IGNORED, "src/notes.js": "committed\n", "src/old.js": "old\n" });
  rig.write("src/notes.js", "edited by me\n");
  rig.write("todo.txt", NOTES);
  rig.write(".env", "PORT=1\n");
  fs.chmodSync(join(rig.project, ".env"), 0o600);
  rig.write("local.json", "{}\n");
  rig.write("dist/out.js", "built\n");
  rig.write("node_modules/dep/index.js", "dep\n");
  return rig;
}

const names = (lost: readonly { readonly path: string; readonly was: string }[] | undefined) =>
  lost?.map(({ path, was }) => `${path} ${was}`);

describe("an agent that throws a person's work away", () => {
  test("is accepted, and every lost file is named and can be brought back", async () => {
    const rig = withOwnWork();
    const ended = await rig.rounds([`git reset --hard -q; git clean -fdxq; ${WORKS}`], {
      more: ["--lang", "en"],
    });
    const { code, report, runId, stdout } = ended;
    expect(code).toBe(0);
    expect(names(report.changes?.lost)).toEqual([
      ".env ignored",
      "local.json ignored",
      "src/notes.js modified",
      "todo.txt untracked",
    ]);
    expect(stdout).toContain("lost: src/notes.js (your uncommitted changes)");
    expect(stdout).toMatch(/^ {2}lost +\.env \(ignored by git\), local\.json \(ignored by git\)/m);
    expect(stdout).toContain(`agent-foreman restore ${runId}`);

    const shown = await rig.run(["show", runId, "--lang", "en"]);
    expect(shown.stdout).toContain("src/notes.js (your uncommitted changes)");

    const restored = await rig.run(["restore", runId, "--lang", "en"]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout.split("\n").slice(0, 4)).toEqual([
      "restored  .env",
      "restored  local.json",
      "restored  src/notes.js",
      "restored  todo.txt",
    ]);
    expect(rig.read("src/notes.js")).toBe("edited by me\n");
    expect(rig.read("todo.txt")).toBe(NOTES);
    expect(rig.read(".env")).toBe("PORT=1\n");
    expect(fs.statSync(join(rig.project, ".env")).mode & 0o777).toBe(0o600);
    expect(fs.existsSync(join(rig.project, "dist"))).toBe(false);

    const again = await rig.run(["restore", runId, "--lang", "en"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("unchanged todo.txt");
  });

  test("a file that came back under other content later is still lost", async () => {
    const rig = withOwnWork();
    const { report } = await rig.rounds([
      "git checkout -q -- src/notes.js",
      `echo 'by the agent' > src/notes.js; ${WORKS}`,
    ]);
    expect(names(report.changes?.lost)).toEqual(["src/notes.js modified"]);
  });

  test("a run that was rejected names them, too", async () => {
    const rig = withOwnWork();
    const { code, report } = await rig.rounds(["rm todo.txt"]);
    expect(code).toBe(1);
    expect(names(report.changes?.lost)).toEqual(["todo.txt untracked"]);
  });
});

describe("what is not lost", () => {
  test.each([
    ["a clean committed file that was deleted", "rm src/old.js"],
    ["a file of the person that was moved", "mkdir docs; mv todo.txt docs/todo.txt"],
    ["a file of the person that was edited further", "echo more >> src/notes.js"],
    ["the person's changes when the agent commits them", "git add -A; git -c user.name=a -c user.email=a@b commit -qm x"],
    ["builds and dependencies", "rm -rf dist node_modules"],
  ])("%s", async (_, does) => {
    const rig = withOwnWork();
    const { report, stdout } = await rig.rounds([`${does}; ${WORKS}`], { more: ["--lang", "en"] });
    expect(report.final_status).toBe("passed");
    expect(report.changes?.lost).toEqual([]);
    expect(stdout).not.toContain("lost");
  });
});

describe("restore", () => {
  test("does not overwrite what was changed since, unless it is forced", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([`rm todo.txt .env; ${WORKS}`]);
    rig.write("todo.txt", "written again\n");
    const refused = await rig.run(["restore", runId, "--lang", "en"]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("restored  .env");
    expect(refused.stdout).toContain("kept      todo.txt: changed since the run (--force overwrites it)");
    expect(rig.read("todo.txt")).toBe("written again\n");
    const forced = await rig.run(["restore", runId, "todo.txt", "--force"]);
    expect(forced.code).toBe(0);
    expect(rig.read("todo.txt")).toBe(NOTES);
  });

  test("brings back one path, from the folder it is called in", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([`git checkout -q .; rm todo.txt; ${WORKS}`]);
    const { code } = await rig.run(["restore", runId, "notes.js"], { cwd: join(rig.project, "src") });
    expect(code).toBe(0);
    expect(rig.read("src/notes.js")).toBe("edited by me\n");
    expect(fs.existsSync(join(rig.project, "todo.txt"))).toBe(false);
  });

  test("brings back any file that the run changed, and names a path that it did not", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([`rm src/old.js; ${WORKS}`]);
    expect((await rig.run(["restore", runId, "src/old.js"])).code).toBe(0);
    expect(rig.read("src/old.js")).toBe("old\n");
    const other = await rig.run(["restore", runId, "plan.md", "--lang", "en"]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("plan.md");
  });

  test("writes nothing behind a link that leads out of the tree", async () => {
    const rig = withOwnWork();
    rig.write("own/todo.txt", NOTES);
    const { runId } = await rig.rounds([`rm -r own; ln -s ${rig.home} own; ${WORKS}`]);
    const { code, stdout } = await rig.run(["restore", runId, "own/todo.txt", "--lang", "en"]);
    expect(code).toBe(1);
    expect(stdout).toContain("own/todo.txt");
    expect(fs.existsSync(join(rig.home, "todo.txt"))).toBe(false);
  });

  test("says so where nothing was lost, and where there is no such run", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([WORKS]);
    const none = await rig.run(["restore", runId, "--lang", "en"]);
    expect(none).toMatchObject({ code: 0 });
    expect(none.stdout).toContain("nothing was lost");
    expect((await rig.run(["restore", "0101-abcd"])).code).toBe(2);
  });

  test("says so of a run without a clean room", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([put("src/x.js", "x\n")], { more: ["--no-clean-room"] });
    const { code, stderr } = await rig.run(["restore", runId, "--lang", "en"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--no-clean-room");
  });
});
