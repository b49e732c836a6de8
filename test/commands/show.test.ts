import { createHash } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockRun } from "../../src/commands/open-run.ts";
import { show } from "../../src/commands/show.ts";
import type { RunEvent } from "../../src/domain/event.ts";
import { commandTexts } from "../../src/i18n/commands.ts";
import { terminalTexts } from "../../src/i18n/terminal.ts";
import { FIRST_PREV } from "../../src/journal/record.ts";
import { RunStore } from "../../src/journal/run-store.ts";
import { containmentText } from "../../src/reporters/wording.ts";
import type { Evidence } from "../../src/reports/attempt-story.ts";
import { runReport } from "../../src/reports/report.ts";
import { storyLines } from "../../src/reports/run-story.ts";
import {
  accepted,
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
  timed,
  turnEnded,
  turnStarted,
  type FakeIo,
} from "./fixtures.ts";

const ID = "0301-aaaa";
const UNTOUCHED: Evidence = {
  conditionOf: () => "same",
  excerptOf: () => [{ leftOut: 3 }, { text: "pager > keeps the last page" }],
};

/** The story without its times of day, which depend on where the test runs. */
function story(events: readonly RunEvent[], evidence = UNTOUCHED, columns: number | null = null): string[] {
  const view = { texts: commandTexts.en.show, terms: terminalTexts.en, columns };
  const lines = storyLines(timed(events), stateOf(events), evidence, view);
  return lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d /, "@ ")).slice(1);
}

describe("the story", () => {
  test("goes attempt by attempt: what the agent said, what the foreman ran, what was decided", () => {
    expect(
      story([started(ID), ...failedAttempt(1), ...passedAttempt(2), ended("passed", "accepted")]),
    ).toEqual([
      "@    started: up to 6 attempts, contained: pid namespace",
      '@  1 ✗ agent  4m12s  exit 0  said DONE "all tests pass"',
      "         fast ✗ npm test  exit 1  15s",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         full - not run",
      "         ✗ rejected: fast tests failed (fast_test_failed)  feedback 1.2 KB",
      '@  2 ✓ agent  4m12s  exit 0  said DONE "all tests pass"',
      "         fast ✓ npm test  exit 0  15s",
      "         full ✓ npm run test:all  exit 0  15s",
      "         ✓ accepted  feedback 0 B",
      "@    ended: passed, exit 0 (accepted)",
    ]);
  });

  test("tells how things ended that did not end by themselves, and what they left", () => {
    const killed = { kind: "signaled", signal: "SIGSEGV" } as const;
    const slow = { kind: "timeout", afterMs: 90_000 } as const;
    const leaked = Array.from({ length: 7 }, (_, index) => ({ pid: index + 10, command: `sleep ${index}` }));
    const command = "claude";
    expect(
      story([
        started(ID, { testFast: ["a", "b"] }),
        turnStarted(1),
        turnEnded(1, {
          process: { command, end: killed, durationMs: 900, leaked: [] },
          claim: { status: "invalid", statusText: "FINISHED", evidence: null, orderCertain: false },
        }),
        check(1, "fast", 0, {
          process: { command: "a", end: { kind: "exited", code: 0 }, durationMs: 1, leaked },
        }),
        check(1, "fast", 1, {
          index: 2,
          process: { command: "b", end: slow, durationMs: 90_000, leaked: [] },
        }),
        rejected(1),
      ]).slice(1),
    ).toEqual([
      "@  1 ✗ agent  0.9s  killed by SIGSEGV  said an unknown status: FINISHED",
      "         ! it is not known which stream spoke last: the less favourable status counts",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         fast 1 ✓ a  exit 0  0.0s",
      "         ! 7 processes outlived their command and were ended",
      "           | 10 sleep 0",
      "           | 11 sleep 1",
      "           | 12 sleep 2",
      "           | 13 sleep 3",
      "           | 14 sleep 4",
      "           | ... 2 more lines",
      "         fast 2 ✗ b  timed out after 1m30s  1m30s",
      "           | ... 3 lines left out",
      "           | pager > keeps the last page",
      "           all output: /nowhere",
      "         full   - not run",
      "         ✗ rejected: fast tests failed (fast_test_failed)  feedback 1.2 KB",
    ]);
  });

  test("tells of stops, resumptions, interrupted turns, questions, answers and refusals", () => {
    expect(
      story([
        started(ID),
        turnStarted(1),
        { type: "run_stopped", by: "SIGINT" },
        {
          type: "run_resumed",
          interactive: true,
          containment: "process_group",
          toolVersion: "1",
          ended: [{ pid: 7, command: "node server" }],
        },
        { type: "turn_interrupted", attempt: 1, turn: 1 },
        turnStarted(1, 2),
        turnEnded(1),
        {
          type: "answer_refused",
          messageId: "m1",
          why: "no_open_question",
          answer: { kind: "mark_pass" },
          note: "trust me",
        },
        { type: "answer_refused", messageId: "m2", why: "unreadable", answer: null, note: null },
        check(1, "fast", 0),
        check(1, "full", 0),
        rejected(1),
        asked,
        { type: "run_stopped", by: "undecided" },
        {
          type: "question_answered",
          id: "q1-secret",
          answer: { kind: "mark_pass" },
          note: "looked at it\nmyself",
          via: "decide",
          messageId: null,
        },
        ended("manually_passed", "marked_by_person"),
      ]).filter((line) => !/fast|full|feedback|rejected/.test(line)),
    ).toEqual([
      "@    started: up to 6 attempts, contained: pid namespace",
      "@    ! stopped by SIGINT",
      `@    resumed: ${containmentText("process_group", terminalTexts.en)}`,
      "         ! ended 1 process the earlier foreman left",
      "           | 7 node server",
      "@  1 ! agent interrupted; no attempt spent",
      '@  1 ✗ agent  4m12s  exit 0  said DONE "all tests pass"',
      "@    ! an answer was refused: mark_pass; no question is open (no_open_question)",
      "           | trust me",
      "@    ! an answer was refused; it cannot be read (unreadable)",
      "@    ? asked: continue, pass or fail?",
      "@    waits: nobody answered",
      "@    ? a person decided: mark as passed (decide)",
      "           | looked at it",
      "           | myself",
      "@    ended: manually_passed, exit 0 (marked_by_person)",
    ]);
  });

  test("keeps the question's id to itself", () => {
    expect(story([started(ID), ...failedAttempt(1), asked]).join("\n")).not.toContain("q1-secret");
  });

  test("cuts a claim on a terminal, never a command", () => {
    const evidence = "证据".repeat(100);
    const claim = { status: "DONE", statusText: null, evidence, orderCertain: true } as const;
    const command = `npm test ${"x".repeat(100)}`;
    const process = { command, end: { kind: "exited", code: 0 }, durationMs: 1, leaked: [] } as const;
    const events = [
      started(ID),
      turnStarted(1),
      turnEnded(1, { claim }),
      check(1, "fast", 0, { process }),
      accepted(1),
    ];
    const [, turn = "", test = ""] = story(events, UNTOUCHED, 80);
    expect(stringWidth(turn)).toBeLessThan(80);
    expect(turn).toMatch(/\.\.\."$/);
    expect(test).toContain(command);
    expect(story(events)[1]).toContain(evidence);
  });
});

describe("show", () => {
  const failingRun = (io: FakeIo, output = "1 passed\nError: pager broke\n"): string => {
    const dir = join(new RunStore(io.home).paths(ID).turns, "1");
    const log = captured(join(dir, "fast-1.log"), output);
    makeRun(io.home, [
      started(ID, { cwd: io.cwd, calledFrom: io.cwd, reportPath: join(io.cwd, "report.json") }),
      turnStarted(1),
      turnEnded(1, {
        stdout: captured(join(dir, "stdout.log"), "GA_STATUS=DONE\n"),
        stderr: captured(join(dir, "stderr.log"), ""),
      }),
      check(1, "fast", 1, { output: log }),
      { ...rejected(1), feedback: captured(join(dir, "feedback.md"), "# no\n") },
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
      `${ID} supervise  ✗ REJECTED after 1 of 6 attempts  4m27s`,
      "  task    Add pagination",
      "  agent   claude -p go",
      `  cwd     ${io.cwd}`,
    ]);
    expect(io.text()).toContain("           | Error: pager broke\n");
    expect(io.text()).not.toContain("!");
    expect(lines.slice(-6, -1)).toEqual([
      `  files   ${io.cwd}/.goldagent-supervise/${ID}`,
      `  output  ${io.home}/runs/${ID}/turns`,
      `  report  ${io.cwd}/report.json`,
      `  journal ${io.home}/runs/${ID}/journal.jsonl`,
      "  next    git diff a1b2c3d",
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

  test("does not wait for whoever put something else in a transcript's place", async () => {
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
      const lock = live ? await lockRun(new RunStore(io.home), ID, io.cwd) : undefined;
      onTestFinished(() => lock?.release());
      await show(ID, {}, io);
      return / {2}next {4}(.*)\n$/.exec(io.text())?.[1] ?? "";
    };
    expect(await nextOf([...failedAttempt(1), asked])).toBe(`agent-foreman decide ${ID}`);
    expect(await nextOf([turnStarted(1)], true)).toBe(`agent-foreman show ${ID}`);
    expect(await nextOf([turnStarted(1)])).toBe(`agent-foreman resume ${ID}`);
    const done = [...passedAttempt(1), ended("passed", "accepted")];
    expect(await nextOf(done)).toBe("git -C /work diff a1b2c3d");
    expect(await nextOf(done, false, null)).toBe("cat /work/report.json");
  });

  test("says what goes on now, or was cut off", async () => {
    const io = fakeIo();
    makeRun(io.home, [started(ID), turnStarted(1)]);
    await show(ID, {}, io);
    expect(io.text()).toContain("! the turn of attempt 1 was cut off; it will be taken again\n");
    expect(io.text()).toContain("report  /work/report.json (written when the run ends)\n");
    const lock = await lockRun(new RunStore(io.home), ID, io.cwd);
    onTestFinished(() => lock.release());
    const during = fakeIo({ home: io.home });
    await show(ID, {}, during);
    expect(during.text()).toMatch(new RegExp(`^${ID} supervise {2}~ RUNNING attempt 1 of 6 {2}`));
    expect(during.text()).toContain(" 1 ~ agent turn under way\n");
  });

  test("speaks Chinese; reason codes stay", async () => {
    const io = fakeIo({ lang: "zh" });
    failingRun(io);
    await show(ID, {}, io);
    expect(io.text()).toContain(`${ID} supervise  ✗ 未通过`);
    expect(io.text()).toContain("         快测 ✗ npm test  退出码 1  15s\n");
    expect(io.text()).toContain("         全量 - 未运行\n");
    expect(io.text()).toContain("(fast_test_failed)");
    expect(io.text()).toContain("  下一步  git diff a1b2c3d\n");
  });

  test("lets no foreign text steer the terminal", async () => {
    const io = fakeIo({ columns: 100 });
    const output = captured(join(io.home, "fast.log"), `Error: ${HOSTILE}\n`);
    const process = { command: HOSTILE, durationMs: 1, leaked: [{ pid: 1, command: HOSTILE }] };
    const claim = { status: "DONE", statusText: null, evidence: HOSTILE, orderCertain: true } as const;
    makeRun(io.home, [
      started(ID, { task: HOSTILE, agentCmd: HOSTILE, cwd: `/${HOSTILE}`, reportPath: `/${HOSTILE}` }),
      turnStarted(1),
      turnEnded(1, { process: { ...process, end: { kind: "not_started", message: HOSTILE } }, claim }),
      check(1, "fast", 1, { process: { ...process, end: { kind: "exited", code: 1 } }, output }),
      rejected(1),
      asked,
      {
        type: "question_answered",
        id: "q1-secret",
        answer: { kind: "mark_fail" },
        note: HOSTILE,
        via: "terminal",
        messageId: null,
      },
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
    const events = [started(ID), ...passedAttempt(1), ended("passed", "accepted")] as const;
    const { journal } = makeRun(io.home, events);
    expect(await show(ID, { json: true }, io)).toBe(0);
    const paths = { runDir: `/work/.goldagent-supervise/${ID}`, journal };
    expect(JSON.parse(io.text())).toEqual(structuredClone(runReport(stateOf(events), paths)));
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
    expect(text).toContain('1 ✗ agent  4m12s  exit 0  said DONE "all tests pass"\n');
    expect(text).not.toMatch(/ 2 . agent/);
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
    expect(text).not.toContain("fast ✗");
  });

  test("is shown up to what a newer version wrote", async () => {
    const { text, error } = await damaged((path) => fs.appendFileSync(path, '{"v":2,"seq":10}\n'));
    expect(error).toMatchObject({ code: "journal_newer" });
    expect(text).toContain("2 ✗ agent");
    expect(text).toContain("! the journal breaks at line 10: it has format version 2 (journal_newer)\n");
  });

  test("is shown up to a record whose checksum fits but which cannot be", async () => {
    const { text, error } = await damaged((path) => {
      const last = fs.readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
      const prev = /"hash":"(\w+)"/.exec(last)?.[1] ?? FIRST_PREV;
      const body = `{"v":1,"seq":10,"at":"2026-03-01T10:00:00Z","prev":"${prev}","event":{"type":"unheard_of"}`;
      const hash = createHash("sha256").update(body).digest("hex");
      fs.appendFileSync(path, `${body},"hash":"${hash}"}\n`);
    });
    expect(error).toMatchObject({ code: "journal_tampered", about: { line: "10" } });
    expect(text).toContain("2 ✗ agent");
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

  test("that is empty says so", async () => {
    const { text } = await damaged((path) => fs.writeFileSync(path, ""));
    expect(text).toContain("! the journal holds no record (journal_empty)\n");
  });

  test("is not one whose last write was cut off", async () => {
    const io = fakeIo();
    const { journal } = makeRun(io.home, [started(ID), ...failedAttempt(1)]);
    fs.appendFileSync(journal, '{"v":1,"seq"');
    expect(await show(ID, {}, io)).toBe(0);
    expect(io.text()).toContain(
      `journal ${journal} (ends in 12 bytes of a write that was cut off; they do not count)\n`,
    );
  });
});
