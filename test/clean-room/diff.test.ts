import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, RIGHT, RoomRig, WORKS, WRONG } from "./project.ts";

/** Trees with a person's own edits. The agent commits, adds, deletes, links and writes bytes. */
function rigWithEdits(): RoomRig {
  const rig = new RoomRig({ "src/mine.js": "one\ntwo\n", "src/gone.js": "gone\n", "run.sh": "echo\n" });
  rig.write("src/mine.js", "one\ntwo\nmine\n");
  rig.write("mine.txt", "untracked\n");
  return rig;
}

const DOES = [
  WORKS,
  put("new file.txt", "new\n"),
  put("ünïcode.txt", "ü\n"),
  "rm src/gone.js; chmod +x run.sh; ln -s src link; : > empty",
  "printf 'a\\000b' > logo.bin; printf 'no newline' > last.txt",
  "git add src/add.js; git -c user.name=a -c user.email=a@b commit -qm work",
].join("\n");

/** A copy of the tree before the run. */
function copyOf(rig: RoomRig): string {
  const copy = rig.outside("copy");
  fs.cpSync(rig.project, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The content of personal files, and the targets of links. */
function contentsOf(dir: string): Readonly<Record<string, string>> {
  const entries = fs.readdirSync(dir, { recursive: true, withFileTypes: true });
  const read = entries.flatMap((entry) => {
    const place = join(entry.parentPath, entry.name);
    const path = relative(dir, place);
    if (/^\.git\/|goldagent/.test(path) || entry.isDirectory()) return [];
    return [[path, entry.isSymbolicLink() ? fs.readlinkSync(place) : fs.readFileSync(place, "latin1")]];
  });
  return Object.fromEntries(read) as Readonly<Record<string, string>>;
}

describe("diff", () => {
  test("shows the run's changes, and git applies it to the original tree", async () => {
    const rig = rigWithEdits();
    const before = copyOf(rig);
    const { runId, stdout, report } = await rig.rounds([DOES], { more: ["--lang", "en"] });
    const shown = await rig.run(["diff", runId]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("diff --git a/src/add.js b/src/add.js");
    expect(shown.stdout).not.toContain("mine");
    expect(shown.stdout).not.toContain("\u001b");
    const applied = spawnSync("git", ["apply", "-"], { cwd: before, input: shown.stdout, encoding: "utf8" });
    expect(applied).toMatchObject({ status: 0, stderr: "" });
    expect(contentsOf(before)).toEqual(contentsOf(rig.project));
    expect(fs.statSync(join(before, "run.sh")).mode & 0o100).toBe(0o100);

    expect(report.changes).toMatchObject({ files: 9, added: 6, deleted: 1, insertions: 5, deletions: 2 });
    expect(stdout).toMatch(/^ {2}change +9 files \+5 -2 \(6 new, 1 deleted\)$/m);
    expect(stdout).toMatch(new RegExp(`^ {2}next +agent-foreman diff ${runId}$`, "m"));

    const stat = await rig.run(["diff", runId, "--stat", "--lang", "en"]);
    expect(stat.stdout.split("\n")).toContain(" src/add.js   | +1 -1");
    expect(stat.stdout.split("\n")).toContain(" src/gone.js  | +0 -1 (deleted)");
    expect(stat.stdout.split("\n")).toContain(" logo.bin     | binary (new)");
    expect(stat.stdout).toContain("9 files +5 -2 (6 new, 1 deleted)");

    // The version for people is the same without the encoded data.
    const terminal = new TerminalSession(rig, ["diff", runId, "--lang", "en"]);
    const screen = await terminal.shows("b/ünïcode.txt");
    expect(await terminal.ended).toBe(0);
    expect(screen).toContain("+exports.add = (a, b) => a + b;");
    expect(screen).toContain("\nbinary\n");
    expect(screen).not.toContain("GIT binary patch");
  });

  test("does not change with the person's later edits", async () => {
    const rig = rigWithEdits();
    const { runId } = await rig.rounds([WORKS]);
    const first = (await rig.run(["diff", runId])).stdout;
    rig.write("src/add.js", "other\n");
    rig.write("later.js", "later\n");
    expect((await rig.run(["diff", runId])).stdout).toBe(first);
    expect(first).toContain("+exports.add = (a, b) => a + b;");
  });

  test("of a continuing run compares with the current tree", async () => {
    const rig = rigWithEdits();
    const strings = await Strings.attach(rig);
    const running = rig.start(rig.superviseArgs({ agent: "puppet", full: [NODE_TESTS] }), {
      env: strings.env,
    });
    const puppet = await strings.next();
    rig.write("src/add.js", RIGHT);
    const [runId = ""] = fs.readdirSync(join(rig.state, "runs"));
    const { code, stdout } = await rig.run(["diff", runId]);
    const locked = await rig.run(["restore", runId, "src/add.js"]);
    await puppet.say("DONE");
    await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`+${RIGHT}`);
    expect(locked.code).toBe(6);
  });

  test("reports that nothing changed, and unknown runs", async () => {
    const rig = rigWithEdits();
    const { runId } = await rig.rounds(["true"]);
    expect(await rig.run(["diff", runId])).toMatchObject({ code: 0, stdout: "" });
    const unknown = await rig.run(["diff", "0101-abcd", "--lang", "en"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("0101-abcd");
    await rig.rounds(["true"], { more: ["--no-clean-room"] });
    const other = rig.runIds().find((id) => id !== runId) ?? "";
    const refused = await rig.run(["diff", other, "--lang", "en"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--no-clean-room");
  });

  test("works without git", async () => {
    const rig = new RoomRig();
    fs.rmSync(join(rig.project, ".git"), { recursive: true });
    const { runId, report } = await rig.rounds([`${WORKS}\nrm -f plan-b; ${put("new.js", "new\n")}`]);
    expect(report.changes).toMatchObject({ files: 2, added: 1, lost: [] });
    expect((await rig.run(["diff", runId])).stdout).toContain(`-${WRONG}`);
  });
});

describe("git settings and files outside the tree that a run changed", () => {
  test("are named, and the suggested command does not run them", async () => {
    const rig = new RoomRig();
    const trap = rig.outside("trap.sh");
    const trace = rig.outside("sprung");
    fs.writeFileSync(trap, `#!/bin/sh\ntouch '${trace}'\ncat\n`, { mode: 0o755 });
    const plants = [
      `git config core.fsmonitor '${trap}'`,
      `git config core.hooksPath .githooks`,
      `git config filter.f.clean '${trap}'`,
      `git config diff.d.textconv '${trap}'`,
      `git config diff.external '${trap}'`,
      `git config remote.origin.url https://elsewhere.invalid/x`,
      `git config branch.main.remote origin`,
      `echo '* filter=f diff=d' > .git/info/attributes`,
      `cp '${trap}' .git/hooks/post-checkout`,
      `git config --global core.pager '${trap}'`,
      `rm -f '${trace}'`,
    ];
    const { code, runId, report, stdout } = await rig.rounds([[WORKS, ...plants].join("\n")], {
      more: ["--lang", "en"],
    });
    expect(code).toBe(0);
    expect(report.changes?.outside).toEqual([
      ".git/config core.fsmonitor",
      ".git/config core.hookspath",
      ".git/config diff.d.textconv",
      ".git/config diff.external",
      ".git/config filter.f.clean",
      ".git/config remote.origin.url",
      ".git/hooks/post-checkout",
      ".git/info/attributes",
      "~/.gitconfig core.pager",
    ]);
    expect(stdout).toMatch(/^ {2}outside +\.git\/config core\.fsmonitor, /m);
    const shown = await rig.run(["diff", runId]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("+exports.add");
    expect((await rig.run(["diff", runId, "--stat"])).code).toBe(0);
    expect(fs.existsSync(trace)).toBe(false);
  });

  test("include programs that shadow others", async () => {
    const rig = new RoomRig();
    const bin = rig.outside("bin");
    fs.mkdirSync(bin);
    const env = { PATH: `${bin}:${rig.env()["PATH"] ?? ""}` };
    const { report } = await rig.rounds(
      [`printf '#!/bin/sh\\n' > '${bin}/tee'; chmod +x '${bin}/tee'; ${WORKS}`],
      {},
      { env },
    );
    expect(report.changes?.outside).toEqual([join(bin, "tee")]);
  });

  test("are absent if nothing changed", async () => {
    const rig = new RoomRig();
    const { report, stdout } = await rig.rounds([WORKS], { more: ["--lang", "en"] });
    expect(report.changes?.outside).toEqual([]);
    expect(stdout).not.toContain("outside");
  });
});
