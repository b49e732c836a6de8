import { begin } from "../../src/modes/registry.ts";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockRun } from "../../src/cli/open-run.ts";
import { show } from "../../src/cli/show.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { FIRST_PREV } from "../../src/core/journal/record.ts";
import { RunStore } from "../../src/core/journal/run-store.ts";
import { superviseReport } from "../../src/modes/supervise/report.ts";
import {
  answered,
  asked,
  captured,
  check,
  editLine,
  ended,
  failedAttempt,
  fakeIo,
  HOSTILE,
  makeRun,
  passedAttempt,
  rejected,
  started,
  stateOf,
  STEERS_TERMINAL,
  turnEnded,
  turnStarted,
  type FakeIo,
} from "./fixtures.ts";

const ID = "0301-aaaa";
describe("show", () => {
  const failingRun = (io: FakeIo, output = "1 passed\nError: pager broke\n"): string => {
    const dir = join(new RunStore(io.home, begin).paths(ID).turns, "1");
    const log = captured(join(dir, "fast-1.log"), output);
    makeRun(io.home, [
      started(ID, { cwd: io.cwd, calledFrom: io.cwd, reportPath: join(io.cwd, "report.json") }),
      turnStarted(1),
      turnEnded(1, {
        stdout: captured(join(dir, "stdout.log"), "GA_STATUS=DONE\n"),
        stderr: captured(join(dir, "stderr.log"), ""),
      }),
      check(1, "fast", 1, { output: log }),
      { ...rejected(1, "fast_test_failed"), feedback: captured(join(dir, "feedback.md"), "# no\n") },
      ended("failed", "limit_reached"),
    ]);
    return dir;
  };

  test("says who, what, how it went, where to look and what to type next", async () => {
    const io = fakeIo();
    failingRun(io);
    fs.writeFileSync(join(io.cwd, "report.json"), "{}");
    expect(await show(ID, {}, io)).toBe(0);
    const lines = io.text().split("\n");
    expect(lines.slice(0, 4)).toEqual([
      `${ID} supervise  ✗ REJECTED after 1 of 6 attempts  5m`,
      "  task    Add pagination",
      "  agent   claude -p go",
      `  cwd     ${io.cwd}`,
    ]);
    expect(io.text()).toContain("  | Error: pager broke\n");
    expect(io.text()).not.toContain("!");
    expect(lines.slice(-6, -1)).toEqual([
      `  files   ${io.cwd}/.goldagent-supervise/${ID}`,
      `  output  ${io.home}/runs/${ID}/turns`,
      `  report  ${io.cwd}/report.json`,
      `  journal ${io.home}/runs/${ID}/journal.jsonl`,
      `  next    cat ${io.cwd}/report.json`,
    ]);
  });

  test("notices files that vanished or changed since they were recorded", async () => {
    const io = fakeIo();
    const dir = failingRun(io);
    fs.rmSync(join(dir, "fast-1.log"));
    fs.appendFileSync(join(dir, "stdout.log"), "more");
    fs.writeFileSync(join(dir, "feedback.md"), "# ok\n");
    await show(ID, {}, io);
    expect(io.text()).toContain(`! gone: ${dir}/fast-1.log\n`);
    expect(io.text()).toContain(`! changed since it was recorded: ${dir}/stdout.log\n`);
    expect(io.text()).toContain(`! changed since it was recorded: ${dir}/feedback.md\n`);
    expect(io.text()).not.toContain("stderr.log");
    expect(io.text()).toContain(`report.json (gone: agent-foreman resume ${ID} writes it again)\n`);
  });

  test("compares the size of files too large to read", async () => {
    const io = fakeIo();
    const path = join(io.cwd, "stdout.log");
    const stdout = { ...captured(path, "short"), bytes: 17 * 1024 * 1024 };
    makeRun(io.home, [started(ID), turnStarted(1), turnEnded(1, { stdout })]);
    await show(ID, {}, io);
    expect(io.text()).toContain(`! changed since it was recorded: ${path}\n`);
    fs.truncateSync(path, stdout.bytes);
    const later = fakeIo({ home: io.home });
    await show(ID, {}, later);
    expect(later.text()).not.toContain(path);
  });

  test("does not wait for a writer if a transcript was replaced by a pipe", async () => {
    const io = fakeIo();
    const dir = failingRun(io);
    fs.rmSync(join(dir, "fast-1.log"));
    fs.mkdirSync(join(dir, "fast-1.log"));
    await show(ID, {}, io);
    expect(io.text()).toContain(`! changed since it was recorded: ${dir}/fast-1.log\n`);
  });

  test("names a command that fits the state", async () => {
    const nextOf = async (
      events: readonly RunEvent[],
      live = false,
      base: string | null = "a1b2c3d4",
    ): Promise<string> => {
      const io = fakeIo();
      makeRun(io.home, [started(ID, {}, base), ...events]);
      const lock = live ? await lockRun(new RunStore(io.home, begin), ID, io.cwd) : undefined;
      onTestFinished(() => lock?.release());
      await show(ID, {}, io);
      return / {2}next {4}(.*)\n$/.exec(io.text())?.[1] ?? "";
    };
    expect(await nextOf([...failedAttempt(1), asked])).toBe(`agent-foreman decide ${ID}`);
    expect(await nextOf([turnStarted(1)], true)).toBe(`agent-foreman show ${ID}`);
    expect(await nextOf([turnStarted(1)])).toBe(`agent-foreman resume ${ID}`);
    const done = [...passedAttempt(1), ended("passed", "accepted")];
    expect(await nextOf(done)).toBe("cat /home/me/report.json");
    expect(await nextOf(done, false, null)).toBe("cat /home/me/report.json");
  });

  test("shows the current activity, or says that it was cut off", async () => {
    const io = fakeIo();
    makeRun(io.home, [started(ID), turnStarted(1)]);
    await show(ID, {}, io);
    expect(io.text()).toContain("! the turn of attempt 1 was cut off; it will be taken again\n");
    expect(io.text()).toContain("report  /home/me/report.json (written when the run ends)\n");
    const lock = await lockRun(new RunStore(io.home, begin), ID, io.cwd);
    onTestFinished(() => lock.release());
    const during = fakeIo({ home: io.home });
    await show(ID, {}, during);
    expect(during.text()).toMatch(new RegExp(`^${ID} supervise {2}~ RUNNING attempt 1 of 6 {2}`));
    expect(during.text()).toContain("~ 1/6 agent turn\n");
  });

  test("prints Chinese; reason codes stay", async () => {
    const io = fakeIo({ lang: "zh" });
    failingRun(io);
    await show(ID, {}, io);
    expect(io.text()).toContain(`${ID} supervise  ✗ 未通过`);
    expect(io.text()).toContain("检查    1/6 快测失败：npm test，退出码 1 (15s)\n");
    expect(io.text()).toContain("检查    1/6 全量测试未运行\n");
    expect(io.text()).toContain("(fast_test_failed)");
    expect(io.text()).toContain(`  下一步  cat ${io.cwd}/report.json\n`);
  });

  test("no foreign text controls the terminal", async () => {
    const io = fakeIo({ columns: 100 });
    const output = captured(join(io.home, "fast.log"), `Error: ${HOSTILE}\n`);
    const process = { command: HOSTILE, durationMs: 1, leaked: [{ pid: 1, command: HOSTILE }] };
    const claim = { status: "DONE", statusText: null, evidence: HOSTILE, orderCertain: true } as const;
    makeRun(io.home, [
      started(ID, {
        task: HOSTILE,
        agentCmd: HOSTILE,
        testFast: [HOSTILE],
        cwd: `/${HOSTILE}`,
        reportPath: `/${HOSTILE}`,
      }),
      turnStarted(1),
      turnEnded(1, { process: { ...process, end: { kind: "not_started", message: HOSTILE } }, claim }),
      check(1, "fast", 1, { process: { ...process, end: { kind: "exited", code: 1 } }, output }),
      rejected(1, "agent_execution_error", "fast_test_failed"),
      asked,
      answered({ kind: "mark_fail" }, { note: HOSTILE }),
    ]);
    await show(ID, {}, io);
    expect(io.text()).not.toMatch(STEERS_TERMINAL);
    expect(io.text()).toContain(String.raw`| Error: evil\x1b[2J`);
    const programs = fakeIo({ home: io.home });
    await show(ID, { json: true }, programs);
    expect(programs.text()).not.toMatch(STEERS_TERMINAL);
    expect(JSON.parse(programs.text())).toMatchObject({
      task: HOSTILE,
      attempts: [{ agent_evidence: HOSTILE }],
    });
  });

  test.for([
    ["../../etc", "run_id_invalid"],
    ["0301-zzzz", "run_not_found"],
  ] as const)("refuses %s", async ([runId, code]) => {
    const io = fakeIo();
    await expect(show(runId, {}, io)).rejects.toMatchObject({ code, exitCode: 2 });
    expect(io.text()).toBe("");
  });
});

describe("show --json", () => {
  test("gives the report of a run that has ended", async () => {
    const io = fakeIo();
    const first = started(ID);
    const events = [first, ...passedAttempt(1), ended("passed", "accepted")] as const;
    const { journal } = makeRun(io.home, events);
    expect(await show(ID, { json: true }, io)).toBe(0);
    const paths = { runDir: `/home/me/.goldagent-supervise/${ID}`, journal };
    const report = superviseReport(stateOf(events), first.settings, paths);
    expect(JSON.parse(io.text())).toEqual(structuredClone(report));
  });

  test("gives the judged attempts of one that has not", async () => {
    const io = fakeIo();
    makeRun(io.home, [started(ID), ...failedAttempt(1), turnStarted(2)]);
    await show(ID, { json: true }, io);
    expect(JSON.parse(io.text())).toMatchObject({
      run_id: ID,
      state: "interrupted",
      attempts: [{ index: 1, decision: "rejected", reasons: ["fast_test_failed"] }],
      report_path: null,
    });
  });
});

describe("a damaged journal", () => {
  const signed = (body: string): string =>
    `${body},"hash":"${createHash("sha256").update(body).digest("hex")}"}`;

  const damaged = async (
    hurt: (path: string) => void,
  ): Promise<{ text: string; json: unknown; error: unknown }> => {
    const io = fakeIo();
    hurt(makeRun(io.home, [started(ID), ...failedAttempt(1), ...failedAttempt(2)]).journal);
    const error: unknown = await show(ID, {}, io).catch((thrown: unknown) => thrown);
    const programs = fakeIo({ home: io.home });
    await expect(show(ID, { json: true }, programs)).rejects.toMatchObject({ exitCode: 6 });
    return { text: io.text(), json: JSON.parse(programs.text()), error };
  };

  test("is shown up to the line that was changed", async () => {
    const { text, json, error } = await damaged((path) =>
      editLine(path, 6, (line) => line.replace('"turn":2', '"turn":9')),
    );
    expect(error).toMatchObject({ code: "journal_tampered", exitCode: 6 });
    expect(text).toContain(`${ID} supervise  ! DAMAGED: this is what can be read of its journal\n`);
    expect(text).toContain("agent   1/6 ended: exit 0, said DONE (4m12s)\n  | all tests pass\n");
    expect(text).not.toContain("2/6");
    expect(text).toContain("! the journal breaks at line 6: its checksum does not fit (journal_tampered)\n");
    expect(text).not.toContain("next");
    expect(json).toMatchObject({
      state: "damaged",
      attempts: [{ index: 1 }],
      problem: { code: "journal_tampered", line: 6 },
    });
  });

  test("is shown up to where a line was taken out", async () => {
    const { text } = await damaged((path) => {
      const lines = fs.readFileSync(path, "utf8").split("\n");
      fs.writeFileSync(path, lines.toSpliced(3, 1).join("\n"));
    });
    expect(text).toContain("! the journal breaks at line 4: it does not follow the record before it");
    expect(text).not.toContain("fast failed");
  });

  test("is shown up to where a record was changed and signed again", async () => {
    const { text, error } = await damaged((path) =>
      editLine(path, 5, (line) =>
        signed(line.replace('"bytes":1229', '"bytes":12').replace(/,"hash":.*/, "")),
      ),
    );
    expect(error).toMatchObject({ code: "journal_tampered", about: { line: "6" } });
    expect(text).toContain("feedback: /nowhere (12 B)\n");
    expect(text).toContain("! the journal breaks at line 6: it does not follow the record before it");
    expect(text).not.toContain("2/6");
  });

  test("is shown up to a verdict without evidence, even with a new signature", async () => {
    const { text, json, error } = await damaged((path) => {
      const forged = (line: string): string =>
        line.replace('"rejected","reasons":["fast_test_failed"]', '"accepted","reasons":[]');
      editLine(path, 5, (line) => signed(forged(line).replace(/,"hash":.*/, "")));
      const lines = fs.readFileSync(path, "utf8").split("\n");
      expect(lines[4]).toContain('"accepted"');
      fs.writeFileSync(path, `${lines.slice(0, 5).join("\n")}\n`);
    });
    expect(error).toMatchObject({ code: "journal_tampered", about: { line: "5" } });
    expect(text).toContain(
      "! the journal breaks at line 5: attempt_judged: the evidence leads to another verdict (journal_tampered)\n",
    );
    expect(text).toContain("1/6 fast failed: npm test");
    expect(text).not.toContain("accepted");
    expect(json).toMatchObject({ state: "damaged", problem: { code: "journal_tampered", line: 5 } });
  });

  test("is shown up to a record of a newer version", async () => {
    const { text, error } = await damaged((path) => fs.appendFileSync(path, '{"v":4,"seq":10}\n'));
    expect(error).toMatchObject({ code: "journal_newer" });
    expect(text).toContain("agent   2/6 ended");
    expect(text).toContain("! the journal breaks at line 10: it has format version 4 (journal_newer)\n");
  });

  test("is shown up to an impossible record with a valid checksum", async () => {
    const { text, error } = await damaged((path) => {
      const last = fs.readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
      const prev = /"hash":"(\w+)"/.exec(last)?.[1] ?? FIRST_PREV;
      const body = `{"v":3,"seq":10,"at":"2026-03-01T10:00:00Z","prev":"${prev}","event":{"type":"unheard_of"}`;
      fs.appendFileSync(path, `${signed(body)}\n`);
    });
    expect(error).toMatchObject({ code: "journal_tampered", about: { line: "10" } });
    expect(text).toContain("agent   2/6 ended");
  });

  test("that belongs to another run is not shown as this one's", async () => {
    const { text, json, error } = await damaged((path) => {
      const other = fakeIo();
      fs.copyFileSync(makeRun(other.home, [started("0301-bbbb", { task: "Other" })]).journal, path);
    });
    expect(error).toMatchObject({ code: "journal_foreign" });
    expect(text).toContain(`${ID}  ! DAMAGED: nothing of its journal can be read\n`);
    expect(text).toContain("! the journal breaks at line 1: it belongs to run 0301-bbbb (journal_foreign)\n");
    expect(text).not.toContain("Other");
    expect(json).toMatchObject({ state: "damaged", task: null, attempts: [] });
  });

  test("that is empty is reported", async () => {
    const { text } = await damaged((path) => fs.writeFileSync(path, ""));
    expect(text).toContain("! the journal holds no record (journal_empty)\n");
  });

  test("does not include one whose last write was cut off", async () => {
    const io = fakeIo();
    const { journal } = makeRun(io.home, [started(ID), ...failedAttempt(1)]);
    fs.appendFileSync(journal, '{"v":1,"seq"');
    expect(await show(ID, {}, io)).toBe(0);
    expect(io.text()).toContain(
      `journal ${journal} (ends in 12 bytes of a write that was cut off; they do not count)\n`,
    );
  });
});
