import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Strings } from "../rig/puppet.ts";
import { Rig, until } from "../rig/rig.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";

/** Ways in which an agent can disturb the foreman besides its output. */
describe("the foreman checks what an agent can reach", () => {
  test("a git filter planted by the agent cannot answer for the person", async () => {
    const rig = new Rig();
    rig.write(".gitattributes", "* filter=mine\n");
    const plant = [
      `git config filter.mine.clean 'touch ${rig.root}/filtered; setsid agent-foreman decide $(ls ${rig.state}/runs) pass >/dev/null 2>&1 & cat'`,
      "echo changed >> plan.md",
      "agent needs_work",
    ].join("; ");
    const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: plant, loops: 1 }));
    await terminal.shows("attempts used");
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
    expect(fs.existsSync(join(rig.root, "filtered"))).toBe(false);
    const [runId = ""] = rig.runIds();
    expect(rig.events(runId).at(-1)).toMatchObject({ type: "run_stopped", by: "undecided" });
  });

  test("a git filter leaves nothing behind when the run has ended", async () => {
    const rig = new Rig();
    rig.write(".gitattributes", "* filter=mine\n");
    const agent =
      "git config filter.mine.clean 'setsid sleep 1000 >/dev/null 2>&1 & cat'; echo changed >> plan.md; agent done";
    const { code, report } = await rig.supervise({ agent }, { cleanRoom: true });
    expect(code).toBe(0);
    expect(report.changes).toMatchObject({ files: 2, outside: [".git/config filter.mine.clean"] });
    expect(rig.survivors()).toEqual([]);
  });

  test("a plan that became a pipe does not stop the next round", async () => {
    const rig = new Rig();
    const { code } = await rig.supervise({ agent: "rm -f plan.md; mkfifo plan.md; agent needs_work done" });
    expect(code).toBe(0);
  });

  test("a pipe in the inbox is refused like any other nonsense", async () => {
    const rig = new Rig();
    const agent = `[ -e poked ] || mkfifo "$(echo ${rig.state}/runs/*/inbox)/1-answer-x.json"; touch poked; agent needs_work done`;
    const { code, report } = await rig.supervise({ agent });
    expect(code).toBe(0);
    expect(report.refused_answers).toBe(1);
  });

  test("a directory in place of a file of ours is replaced", async () => {
    const rig = new Rig();
    const agent =
      'rm -f "$GA_PREV_FEEDBACK_FILE"; mkdir -p "$GA_PREV_FEEDBACK_FILE/x" "$GA_RUN_DIR/attempt-1.json/x"; agent needs_work done';
    const { code, runId } = await rig.supervise({ agent });
    expect(code).toBe(0);
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("accepted");
  });

  test("restores an attempt file that was changed later", async () => {
    const rig = new Rig();
    const agent =
      '[ "$GA_LOOP_INDEX" = 1 ] || echo "{}" > "$GA_RUN_DIR/attempt-1.json"; agent needs_work done';
    const { report, runId } = await rig.supervise({ agent });
    expect(JSON.parse(rig.read(`.goldagent-supervise/${runId}/attempt-1.json`))).toEqual(report.attempts[0]);
  });

  test("removed pipes end the run with a reason, and it can be resumed", async () => {
    const rig = new Rig();
    const agent = `[ -e poked ] || rm -rf ${rig.state}/runs/*/pipes; touch poked; agent done`;
    const first = await rig.run(rig.superviseArgs({ agent }));
    expect(first).toMatchObject({ code: 6, stderr: expect.stringContaining("named pipes") as string });
    const [runId = ""] = rig.runIds();
    expect((await rig.run(["resume", runId])).code).toBe(0);
  });
});

test("cancel after the supervisor was killed in a turn: the turn is recorded, the run has failed", async () => {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const first = rig.start(rig.superviseArgs({ agent: "puppet" }), { env: strings.env });
  const puppet = await strings.next();
  first.child.kill("SIGKILL");
  await Promise.all([first.ended, puppet.gone]);
  const [runId = ""] = rig.runIds();
  expect((await rig.run(["cancel", runId])).code).toBe(0);
  expect(rig.report(runId)).toMatchObject({
    final_status: "failed",
    end_reason: "cancelled",
    interrupted_turns: [{ attempt: 1, turn: 1 }],
  });
  expect(fs.readdirSync(join(rig.state, "runs", runId, "inbox"))).toEqual([]);
  await until(() => rig.survivors().length === 0);
});

test("takes back an answer that cannot be accepted", async () => {
  const rig = new Rig();
  const terminal = new TerminalSession(rig, rig.superviseArgs({ agent: "agent needs_work", loops: 1 }));
  await terminal.shows("attempts used");
  terminal.press(Key.ctrlC);
  await terminal.ended;
  const [runId = ""] = rig.runIds();
  fs.renameSync(rig.project, `${rig.project}-away`);
  const refused = await rig.run(["decide", runId, "pass"], { cwd: rig.root });
  fs.renameSync(`${rig.project}-away`, rig.project);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("work directory") as string });
  expect(fs.readdirSync(join(rig.state, "runs", runId, "inbox"))).toEqual([]);
});

test("called in a directory that is gone: bad input, not a verdict", async () => {
  const rig = new Rig();
  const gone = join(rig.root, "gone");
  const script = `mkdir ${gone} && cd ${gone} && rmdir ${gone} && agent-foreman "$@"`;
  const args = rig.superviseArgs({ agent: "agent done", plan: join(rig.project, "plan.md") });
  const result = spawnSync("sh", ["-c", script, "sh", ...args], { env: rig.env(), encoding: "utf8" });
  expect({ code: result.status, stderr: result.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("current directory") as string,
  });
});

test("a tree that names a program to fetch its objects with does not get it run", async () => {
  const rig = new Rig();
  const head = rig.git("rev-parse", "HEAD").trim();
  rig.git("config", "remote.origin.url", `ext::touch ${rig.root}/fetched`);
  rig.git("config", "remote.origin.promisor", "true");
  rig.git("config", "extensions.partialClone", "origin");
  rig.git("config", "protocol.ext.allow", "always");
  fs.rmSync(join(rig.project, ".git", "objects", head.slice(0, 2), head.slice(2)));
  await rig.supervise({ agent: "agent done" });
  expect(fs.existsSync(join(rig.root, "fetched"))).toBe(false);
});

test("tools planted in a directory before the system's on PATH do not judge the agent's work", async () => {
  const rig = new Rig();
  const bin = join(rig.project, "node_modules", ".bin");
  fs.mkdirSync(bin, { recursive: true });
  // By an agent of an earlier run, and again by this one.
  const plant = `for tool in setpriv unshare bwrap mkfifo git sh; do printf '#!/bin/sh\\nexit 0\\n' > ${bin}/$tool; chmod +x ${bin}/$tool; done`;
  spawnSync("/bin/sh", ["-c", plant]);
  const agent = `${plant}; agent done`;
  const env = { PATH: `${bin}:${rig.env()["PATH"] ?? ""}` };
  const { code, report } = await rig.supervise(
    { agent, fast: ["/bin/false"], full: ["/bin/false"], loops: 2 },
    { env },
  );
  expect(code).toBe(1);
  expect(report.attempts.map((attempt) => attempt.reasons)).toEqual([
    ["fast_test_failed"],
    ["fast_test_failed"],
  ]);
});

test("a journal that was seen to change stays refused, even if the added part would verify", async () => {
  const rig = new Rig();
  const meddle = `tail -n 1 ${rig.state}/runs/*/journal.jsonl > ${rig.root}/line; cat ${rig.root}/line >> $(ls ${rig.state}/runs/*/journal.jsonl)`;
  const agent = `[ -e meddled ] || { touch meddled; ${meddle}; }; agent done`;
  const ended = await rig.run(rig.superviseArgs({ agent }));
  expect(ended.code).toBe(6);
  const [runId = ""] = rig.runIds();
  const path = rig.journalPath(runId);
  // Restores a journal that is valid in itself.
  fs.writeFileSync(path, `${fs.readFileSync(path, "utf8").split("\n").slice(0, 2).join("\n")}\n`);
  expect((await rig.run(["resume", runId])).code).toBe(6);
  expect((await rig.run(["runs"])).stdout).toContain("damaged");
});

test("a signal that would open the inspector has no effect", async () => {
  const rig = new Rig();
  const strings = await Strings.attach(rig);
  const running = rig.start(rig.superviseArgs({ agent: "puppet" }), { env: strings.env });
  const puppet = await strings.next();
  running.child.kill("SIGUSR1");
  await puppet.say("DONE");
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the kernel may drop notifications while the foreman is paused: then no order is certain", async () => {
  const rig = new Rig();
  const [ready, go, written] = ["ready", "go", "written"].map((name) => join(rig.root, name));
  const agent = `touch ${ready}; until [ -e ${go} ]; do sleep 0.02; done; alternator; touch ${written}`;
  const running = rig.start(rig.superviseArgs({ agent, loops: 1 }));
  await until(() => fs.existsSync(ready ?? ""));
  running.child.kill("SIGSTOP");
  fs.writeFileSync(go ?? "", "");
  await until(() => fs.existsSync(written ?? ""));
  running.child.kill("SIGCONT");
  expect((await running.ended).code).toBe(1);
  expect(rig.report(rig.runIds()[0] ?? "").attempts[0]?.reasons).toEqual(["agent_blocked"]);
});

test("a withdrawn cancel counts: the run does not loop between being killed and continuing", async () => {
  const rig = new Rig();
  const script = `#!/bin/sh
trap '' TERM
f=$(ls -d "$AGENT_FOREMAN_HOME"/runs/*/inbox)/1-cancel-mine.json
echo '{"v":1,"kind":"cancel"}' >"$f"
sleep 1
rm "$f"
`;
  const { code, report } = await rig.supervise({ agent: `sh '${rig.write("canceller.sh", script)}'` });
  expect(code).toBe(1);
  expect(report).toMatchObject({ end_reason: "cancelled", attempts: [] });
});
