import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, AnalyzeRig, DIR, validator } from "./rig.ts";

describe("an existing directory", () => {
  test.each([
    ["a directory", (path: string) => fs.mkdirSync(path)],
    ["a file", (path: string) => fs.writeFileSync(path, "mine\n")],
    ["a link to nowhere", (path: string) => fs.symlinkSync("nowhere", path)],
  ])("--out is %s: exit 2 before anything starts", async (_, make) => {
    const rig = new AnalyzeRig(answer());
    make(join(rig.project, "taken"));
    const before = rig.everything();
    const { code, stdout, stderr } = await rig.analyze(["--out", "taken"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      `error: --out already exists, nothing was started: ${join(rig.project, "taken")}`,
    );
    expect(rig.called()).toEqual([]);
    expect(rig.runIds()).toEqual([]);
    expect(rig.everything().filter((path) => path !== "state" && path !== "state/runs")).toEqual(before);
  });

  test("--out in a missing directory: exit 2", async () => {
    const rig = new AnalyzeRig(answer());
    const { code, stderr } = await rig.analyze(["--out", "nowhere/steps"]);
    expect({ code, calls: rig.called() }).toEqual({ code: 2, calls: [] });
    expect(stderr).toContain("error: directory cannot be created");
  });

  test("with the answer's name: exit 3, overwrites nothing; once it is gone resume writes without asking again", async () => {
    const rig = new AnalyzeRig(answer());
    rig.write(join(DIR, "001-mine.json"), "mine\n");
    const { code, stdout, report, runId } = await rig.analyze();
    expect(code).toBe(3);
    expect(stdout).toContain("NOT WRITTEN: the directory for the steps exists");
    expect(stdout).toContain(`agent-foreman resume ${runId}`);
    expect(report).toMatchObject({ end_reason: "steps_dir_exists", resumable: true, steps_dir: null });
    expect(validator("analyze-report.schema.json")(report)).toEqual([]);
    expect(rig.written()).toEqual([DIR]);
    expect(rig.filesIn(DIR)).toEqual(["001-mine.json"]);
    expect(rig.read(join(DIR, "001-mine.json"))).toBe("mine\n");

    expect((await rig.resumeAnalysis()).code, "it is still there").toBe(3);
    fs.renameSync(join(rig.project, DIR), join(rig.project, "aside"));
    const resumed = await rig.resumeAnalysis();
    expect(resumed).toMatchObject({ code: 0, report: { final_status: "passed", files: ["001-hello.json"] } });
    expect(rig.filesIn(DIR)).toEqual(["001-hello.json"]);
    expect(rig.called()).toHaveLength(1);
  });

  test("--out that appears while the agent works: exit 3, and it is left alone", async () => {
    const rig = new AnalyzeRig();
    rig.script({ analyst: { say: answer() } });
    const command = "mkdir ../out; echo theirs > ../out/file; stepper";
    rig.write(
      "agent-foreman.yaml",
      `agents: [a]\nprofiles:\n  a: { extends: command, command: "${command}" }\n`,
    );
    const { code } = await rig.analyze(["--out", "../out"]);
    expect(code).toBe(3);
    expect(fs.readdirSync(join(rig.root, "out"))).toEqual(["file"]);
  });
});

describe("unusable requirements: exit 2, no agent call, no files", () => {
  const huge = 1024 * 1024 + 1;
  test.each<[string, (path: string) => void, string]>([
    ["missing", () => undefined, "requirements file not found"],
    ["empty", (path) => fs.writeFileSync(path, ""), "requirements file is empty"],
    ["blank", (path) => fs.writeFileSync(path, " \n\t\n"), "requirements file is empty"],
    [
      "binary",
      (path) => fs.writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 1])),
      "requirements file is not text",
    ],
    ["text with NUL", (path) => fs.writeFileSync(path, "a\0b\n"), "requirements file is not text"],
    ["huge", (path) => fs.writeFileSync(path, "x".repeat(huge)), "requirements file is too large"],
    ["endless", (path) => fs.truncateSync(path, 2 ** 40), "requirements file is too large"],
    ["a directory", (path) => fs.mkdirSync(path), "requirements file cannot be read"],
    ["a pipe without a writer", (path) => spawnSync("mkfifo", [path]), "requirements file cannot be read"],
    [
      "a device without an end",
      (path) => fs.symlinkSync("/dev/zero", path),
      "requirements file cannot be read",
    ],
    [
      "with a secret in them",
      (path) => fs.writeFileSync(path, "Use the key ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"),
      "holds a secret",
    ],
  ])("%s", async (name, make, why) => {
    const rig = new AnalyzeRig(answer());
    const path = join(rig.project, "bad.md");
    if (name === "endless") fs.writeFileSync(path, "");
    make(path);
    const before = rig.everything();
    const { code, stdout, stderr } = await rig.analyze(["bad.md"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(why);
    expect(stderr).toContain("bad.md");
    expect(stderr).not.toContain("ghp_");
    expect(rig.called()).toEqual([]);
    expect(rig.everything().filter((each) => each !== "state" && each !== "state/runs")).toEqual(before);
  });

  test("an empty path, and a missing one", async () => {
    const rig = new AnalyzeRig(answer());
    for (const args of [["analyze", ""], ["analyze"]]) expect((await rig.run(args)).code).toBe(2);
  });

  test("accepts 1 MiB", async () => {
    const rig = new AnalyzeRig(answer());
    rig.write("large.md", "All of this has to be done.\n".repeat(37_450).slice(0, 1024 * 1024));
    expect((await rig.analyze(["large.md"])).code).toBe(0);
    expect(rig.calls()[0]?.prompt.length).toBeGreaterThan(1024 * 1024);
  });
});
