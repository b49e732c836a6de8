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

describe("an agent that deletes a person's work", () => {
  test("or overwrites a .env file: it is named, can be brought back, and is in no diff", async () => {
    const rig = withOwnWork();
    const { code, report, runId } = await rig.rounds([`echo PORT=2 > .env; ${WORKS}`]);
    expect([code, names(report.changes?.lost)]).toEqual([0, [".env ignored"]]);
    expect((await rig.run(["diff", runId])).stdout).not.toContain("PORT");
    expect((await rig.run(["restore", runId])).stdout).toBe("restored  .env\n");
    expect(rig.read(".env")).toBe("PORT=1\n");
  });

  test("is accepted, and every lost file is named and can be brought back", async () => {
    const rig = withOwnWork();
    const ended = await rig.rounds([`git reset --hard -q; git clean -fdxq; ${WORKS}`], {
      more: ["--lang", "en"],
    });
    const { code, report, runId, stdout } = ended;
    expect(code).toBe(0);
    expect(names(report.changes?.lost)).toEqual([
      "src/notes.js modified",
      "todo.txt untracked",
      ".env ignored",
      "local.json ignored",
    ]);
    expect(stdout).toContain("1/1 lost: src/notes.js (your uncommitted changes)");
    expect(stdout).toMatch(
      /^ {2}lost +src\/notes\.js \(your uncommitted changes\), todo\.txt \(never committed\), \.env \(ignored by git\)/m,
    );
    expect(stdout).toContain(`agent-foreman restore ${runId}`);

    const shown = await rig.run(["show", runId, "--lang", "en"]);
    expect(shown.stdout).toContain("src/notes.js (your uncommitted changes)");

    const restored = await rig.run(["restore", runId, "--lang", "en"]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout.split("\n").slice(0, 4)).toEqual([
      "restored  src/notes.js",
      "restored  todo.txt",
      "restored  .env",
      "restored  local.json",
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

  test("a file that came back with other content later is still lost", async () => {
    const rig = withOwnWork();
    const { report } = await rig.rounds([
      "git checkout -q -- src/notes.js",
      `echo 'by the agent' > src/notes.js; ${WORKS}`,
    ]);
    expect(names(report.changes?.lost)).toEqual(["src/notes.js modified"]);
  });

  test("a rejected run names them, too", async () => {
    const rig = withOwnWork();
    const { code, report } = await rig.rounds(["rm todo.txt"]);
    expect(code).toBe(1);
    expect(names(report.changes?.lost)).toEqual(["todo.txt untracked"]);
  });
});

test("files that git or a tool can recreate, and existing files, are not lost", async () => {
  const rig = withOwnWork();
  rig.write("moved.txt", "moved\n");
  const { report, stdout } = await rig.rounds(
    [
      [
        "rm src/old.js",
        "mkdir docs; mv moved.txt docs/moved.txt",
        "echo more >> src/notes.js",
        "rm -rf dist node_modules",
        "git add todo.txt; git -c user.name=a -c user.email=a@b commit -qm x",
        WORKS,
      ].join("\n"),
    ],
    { more: ["--lang", "en"] },
  );
  expect(report.final_status).toBe("passed");
  expect(report.changes?.lost).toEqual([]);
  expect(stdout).not.toContain("lost");
});

describe("restore", () => {
  test("restores the requested files, and does not overwrite later changes without --force", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([`git checkout -q .; rm todo.txt .env src/old.js; ${WORKS}`]);
    const run = (...args: string[]) => rig.run(["restore", runId, "--lang", "en", ...args]);

    const one = await rig.run(["restore", runId, "notes.js"], { cwd: join(rig.project, "src") });
    expect(one.code).toBe(0);
    expect(rig.read("src/notes.js")).toBe("edited by me\n");
    expect(fs.existsSync(join(rig.project, "todo.txt"))).toBe(false);

    rig.write("todo.txt", "written again\n");
    const refused = await run();
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe(
      [
        "unchanged src/notes.js",
        "kept      todo.txt: changed since the run (--force overwrites it)",
        "restored  .env",
        "",
      ].join("\n"),
    );
    expect(rig.read("todo.txt")).toBe("written again\n");
    expect((await run("todo.txt", "--force")).code).toBe(0);
    expect(rig.read("todo.txt")).toBe(NOTES);

    expect((await run("src/old.js")).code).toBe(0);
    expect(rig.read("src/old.js")).toBe("old\n");
    const other = await run("plan.md");
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

  test("says so if nothing was lost, and if there is no such run", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([WORKS]);
    const none = await rig.run(["restore", runId, "--lang", "en"]);
    expect(none).toMatchObject({ code: 0 });
    expect(none.stdout).toContain("nothing was lost");
    expect((await rig.run(["restore", "0101-abcd"])).code).toBe(2);
  });

  test("says so for a run without a clean room", async () => {
    const rig = withOwnWork();
    const { runId } = await rig.rounds([put("src/x.js", "x\n")], { more: ["--no-clean-room"] });
    const { code, stderr } = await rig.run(["restore", runId, "--lang", "en"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--no-clean-room");
  });
});
