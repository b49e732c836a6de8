import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig } from "../rig/rig.ts";

/** A resumable run, stopped after its first turn. On resume its tests would run, and it would be accepted. */
async function stopped(rig: Rig): Promise<string> {
  const strings = await Strings.attach(rig);
  const running = rig.start(rig.superviseArgs({ agent: "puppet", full: ["echo x >> ../tested"] }), {
    env: strings.env,
  });
  const puppet = await strings.next();
  process.kill(running.pid, "SIGINT");
  await puppet.say("DONE");
  expect((await running.ended).code).toBe(130);
  return rig.runIds().at(-1) ?? "";
}

describe("run ids", () => {
  const commands: readonly ((id: string) => string[])[] = [
    (id) => ["resume", id],
    (id) => ["show", id],
    (id) => ["decide", id, "pass"],
    (id) => ["cancel", id],
  ];

  test("an unknown one is refused by every command that takes one", async () => {
    const rig = Rig.inWorkTree();
    const before = rig.everything();
    for (const command of commands) {
      const args = command("0101-zzzz");
      const { code, stderr } = await rig.run(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toMatch(/^error: .*0101-zzzz/);
    }
    expect(rig.everything()).toEqual(before);
  });

  test("refuses a malformed one as such, and never takes it for a path", async () => {
    const rig = Rig.inWorkTree();
    await rig.supervise({ agent: "agent done" });
    const before = rig.everything();
    const wrong = [
      ...commands.map((command) => command("../runs")),
      ["resume", "x!"],
      ["resume", "0101-ZZZZ"],
      ["resume", "."],
    ];
    for (const args of wrong) {
      const { code, stderr } = await rig.run(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toContain(`not a run id: ${args[1]}`);
    }
    expect(rig.everything()).toEqual(before);
  });

  test("asks for a missing one", async () => {
    const rig = Rig.inWorkTree();
    for (const command of ["restore", "cancel"]) {
      const { code, stderr } = await rig.run([command]);
      expect({ command, code }).toEqual({ command, code: 2 });
      expect(stderr).toContain("run-id");
    }
  });
});

describe("decide and cancel at the wrong time", () => {
  test("an ended run is neither decided nor cancelled", async () => {
    const rig = Rig.inWorkTree();
    const { runId } = await rig.supervise({ agent: "agent mute", loops: 1 });
    const before = fs.readFileSync(rig.journalPath(runId));
    for (const args of [
      ["decide", runId, "pass"],
      ["decide", runId, "continue", "1"],
      ["cancel", runId],
    ]) {
      const { code, stderr } = await rig.run(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stderr).toMatch(new RegExp(`^error: .*${runId}.*failed`));
    }
    expect(fs.readFileSync(rig.journalPath(runId))).toEqual(before);
    expect(rig.report(runId).final_status).toBe("failed");
  });

  test("a stopped run without a question takes no answer", async () => {
    const rig = Rig.inWorkTree();
    const runId = await stopped(rig);
    const before = fs.readFileSync(rig.journalPath(runId));
    const { code, stderr } = await rig.run(["decide", runId, "pass"]);
    expect(code).toBe(2);
    expect(stderr).toContain(runId);
    expect(fs.readFileSync(rig.journalPath(runId))).toEqual(before);
  });

  test("refuses an invalid answer before it touches the run", async () => {
    const rig = Rig.inWorkTree();
    const runId = await stopped(rig);
    const before = rig.everything();
    const wrong = [
      ["continue"],
      ["continue", "0"],
      ["continue", "-1"],
      ["continue", "1001"],
      ["continue", "x"],
      ["maybe"],
      ["pass", "1"],
      [],
    ];
    for (const answer of wrong) {
      const { code, stderr } = await rig.run(["decide", runId, ...answer]);
      expect({ answer, code }).toEqual({ answer, code: 2 });
      expect(stderr).toMatch(/^error: /);
    }
    expect((await rig.run(["decide", runId, "continue"])).stderr).toContain("continue needs a whole number");
    expect(rig.everything()).toEqual(before);
  });
});

describe("damaged journals", () => {
  function sealed(line: string): string {
    const body = line.slice(0, line.lastIndexOf(',"hash":"'));
    return `${body},"hash":"${createHash("sha256").update(body).digest("hex")}"}`;
  }
  function edit(rig: Rig, runId: string, change: (lines: string[]) => string[]): void {
    const lines = fs.readFileSync(rig.journalPath(runId), "utf8").trimEnd().split("\n");
    fs.writeFileSync(
      rig.journalPath(runId),
      change(lines)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }
  const damages: Readonly<Record<string, (lines: string[]) => string[]>> = {
    "a changed byte": (lines) => lines.map((line) => line.replace('"turn_started"', '"turn_Started"')),
    "a changed claim": (lines) => lines.map((line) => line.replace('"status":"DONE"', '"status":"BLOCKED"')),
    "a changed claim with a new checksum": (lines) =>
      lines.map((line) =>
        line.includes('"DONE"') ? sealed(line.replace('"status":"DONE"', '"status":"BLOCKED"')) : line,
      ),
    "a dropped record": (lines) => lines.toSpliced(1, 1),
    "two records in the wrong order": (lines) => [
      lines[0] ?? "",
      lines[2] ?? "",
      lines[1] ?? "",
      ...lines.slice(3),
    ],
    "a record twice": (lines) => [...lines, lines.at(-1) ?? ""],
    "a foreign line at the end": (lines) => [...lines, '{"type":"run_ended","status":"passed"}'],
    "a blank line": (lines) => [...lines, ""],
    "no beginning": (lines) => lines.slice(1),
    "nothing of ours": () => ["hello", "world"],
    "a newer format": (lines) => [...lines, sealed((lines.at(-1) ?? "").replace('{"v":3', '{"v":4'))],
    "a newer format with another seal": (lines) => [...lines, '{"v":4,"seal":"x"}'],
    nothing: () => [],
  };

  test("refuses every damage with exit 6, names the run, starts nothing and repairs nothing", async () => {
    const rig = new Rig();
    const runId = await stopped(rig);
    const good = fs.readFileSync(rig.journalPath(runId));
    for (const [name, change] of Object.entries(damages)) {
      edit(rig, runId, change);
      const damaged = fs.readFileSync(rig.journalPath(runId));
      const everything = rig.everything();
      const { code, stderr } = await rig.run(["resume", runId]);
      expect({ name, code }).toEqual({ name, code: 6 });
      expect(stderr).toMatch(new RegExp(`^error: .*${runId}`));
      expect(fs.readFileSync(rig.journalPath(runId)).equals(damaged), name).toBe(true);
      expect(rig.everything(), name).toEqual(everything);
      fs.writeFileSync(rig.journalPath(runId), good);
    }
    // Once on the base, and not again.
    expect(fs.readFileSync(join(rig.root, "tested"), "utf8")).toBe("x\n");
    expect(rig.hasReport(runId)).toBe(false);
    expect((await rig.run(["resume", runId])).code).toBe(0);
  });

  test("newer is distinguished from damaged, and every command refuses it", async () => {
    const rig = Rig.inWorkTree();
    const runId = await stopped(rig);
    edit(rig, runId, damages["a newer format"] ?? ((lines) => lines));
    const before = rig.everything();
    for (const args of [
      ["resume", runId],
      ["show", runId],
      ["decide", runId, "pass"],
      ["cancel", runId],
    ]) {
      const { code, stderr } = await rig.run(args);
      expect({ args, code }).toEqual({ args, code: 6 });
      expect(stderr).toMatch(/newer.*version 4/);
    }
    expect(rig.everything()).toEqual(before);
  });

  test("the journal of another run is refused", async () => {
    const rig = Rig.inWorkTree();
    const { runId: other } = await rig.supervise({ agent: "agent done" });
    const runId = await stopped(rig).then(() => rig.runIds().find((id) => id !== other) ?? "");
    fs.copyFileSync(rig.journalPath(other), rig.journalPath(runId));
    const { code, stderr } = await rig.run(["resume", runId]);
    expect(code).toBe(6);
    expect(stderr).toContain(runId);
    expect(stderr).toContain(other);
    expect(rig.hasReport(runId)).toBe(false);
  });

  test("a cut-off append never happened: resume continues, and keeps the piece", async () => {
    const rig = Rig.inWorkTree();
    const runId = await stopped(rig);
    fs.appendFileSync(rig.journalPath(runId), '{"v":1,"seq":5,"at":"2026-');
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(rig.report(runId).final_status).toBe("passed");
    const torn = fs.readdirSync(dirname(rig.journalPath(runId))).filter((name) => name.includes("torn"));
    expect(torn).toHaveLength(1);
    expect(fs.readFileSync(join(dirname(rig.journalPath(runId)), torn[0] ?? ""), "utf8")).toBe(
      '{"v":1,"seq":5,"at":"2026-',
    );
  });

  test("a last record that lost its tail is an append that was cut off", async () => {
    const rig = Rig.inWorkTree();
    const runId = await stopped(rig);
    const good = fs.readFileSync(rig.journalPath(runId));
    fs.writeFileSync(rig.journalPath(runId), good.subarray(0, -20));
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(rig.report(runId).attempts).toHaveLength(1);
  });

  test("a damaged run does not hide the others, nor prevent a new one", async () => {
    const rig = Rig.inWorkTree();
    const { runId } = await rig.supervise({ agent: "agent done" });
    fs.writeFileSync(rig.journalPath(runId), "garbage\n");
    expect((await rig.run(rig.superviseArgs({ agent: "agent done" }))).code).toBe(0);
    const { code, stdout } = await rig.run(["runs"]);
    expect(code).toBe(0);
    for (const id of rig.runIds()) expect(stdout).toContain(id);
  });
});

test("a missing work directory is reported when the run is resumed", async () => {
  const rig = Rig.inWorkTree();
  rig.write("inner/here", "");
  const strings = await Strings.attach(rig);
  const running = rig.start(rig.superviseArgs({ agent: "puppet", more: ["--cwd", "inner"] }), {
    env: strings.env,
  });
  const puppet = await strings.next();
  process.kill(running.pid, "SIGINT");
  await puppet.say("DONE");
  await running.ended;
  fs.rmSync(join(rig.project, "inner"), { recursive: true });
  const { code, stderr } = await rig.run(["resume", rig.runIds()[0] ?? ""]);
  expect(code).toBe(2);
  expect(stderr).toContain(join(rig.project, "inner"));
});
