import { begin } from "../../src/modes/registry.ts";
import fs from "node:fs";
import stringWidth from "fast-string-width";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockRun } from "../../src/cli/open-run.ts";
import { runs } from "../../src/cli/runs.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { RunStore } from "../../src/core/journal/run-store.ts";
import { runStatus } from "../../src/core/run-status.ts";
import type { RunEntry } from "../../src/screens/show/run-status.ts";
import { byUrgency, runListed, runTable } from "../../src/screens/show/run-table.ts";
import {
  answered,
  asked,
  editLine,
  ended,
  failedAttempt,
  fakeIo,
  HOSTILE,
  makeRun,
  passedAttempt,
  started,
  stateOf,
  STEERS_TERMINAL,
  turnStarted,
} from "./fixtures.ts";

const entry = (runId: string, events: readonly RunEvent[], live = false): RunEntry => {
  const state = stateOf([started(runId), ...events]);
  return { runId, state, status: runStatus(state, live), live };
};
const marked = (kind: "mark_pass" | "mark_fail"): RunEvent[] => [
  ...failedAttempt(1),
  asked,
  answered({ kind }),
];
const table = (entries: readonly RunEntry[], columns: number | null = null): string[] =>
  runTable(entries, { texts: commandTexts.en.runs, now: Date.parse("2026-03-01T09:13:00Z"), columns }).map(
    ({ lead, text }) => `${lead ?? ""}${text}`,
  );

describe("the table", () => {
  test("shows the state of every run: questions first, then live runs, then the rest in order", () => {
    const entries = [
      entry("0301-aaaa", [...passedAttempt(1), ended("passed", "accepted")]),
      entry("0301-bbbb", [turnStarted(1)], true),
      entry("0301-cccc", [...failedAttempt(1), asked]),
      entry("0301-dddd", [...failedAttempt(1), ended("failed", "limit_reached")]),
      entry("0301-eeee", [...marked("mark_pass"), ended("manually_passed", "marked_by_person")]),
      entry("0301-ffff", [...marked("mark_fail"), ended("manually_failed", "marked_by_person")]),
      entry("0301-gggg", [ended("failed", "cancelled")]),
      entry("0301-hhhh", [turnStarted(1)]),
      entry("0301-jjjj", [...failedAttempt(1), asked], true),
    ];
    expect(table(byUrgency(entries))).toEqual([
      "RUN        MODE       STATE            AT   TIME  WAITED  COST  TASK",
      "0301-cccc  supervise  ? asks you       1/6  5m    -       -     Add pagination",
      "0301-jjjj  supervise  ? asks you       1/6  5m    8m      -     Add pagination",
      "0301-bbbb  supervise  ~ running        1/6  13m   -       -     Add pagination",
      "0301-aaaa  supervise  ✓ accepted       1/6  6m    -       -     Add pagination",
      "0301-dddd  supervise  ✗ rejected       1/6  5m    -       -     Add pagination",
      "0301-eeee  supervise  ✓ marked passed  1/6  6m    1m      -     Add pagination",
      "0301-ffff  supervise  ✗ marked failed  1/6  6m    1m      -     Add pagination",
      "0301-gggg  supervise  ✗ cancelled      0/6  1m    -       -     Add pagination",
      "0301-hhhh  supervise  ! interrupted    1/6  1m    -       -     Add pagination",
    ]);
  });

  test("counts granted attempts", () => {
    const more = entry("0301-aaaa", [...failedAttempt(1), asked, answered({ kind: "continue_n", n: 3 })]);
    expect(table([more])[1]).toContain(" 1/9 ");
    expect(runListed(more, 0)).toMatchObject({ attempt: 1, max_loops: 6, allowed_loops: 9 });
  });

  test("cuts the task by display width on a terminal, and never otherwise", () => {
    const task = `分页接口 ${"很长的任务".repeat(20)} end`;
    const state = stateOf([started("0301-aaaa", { task })]);
    const long: RunEntry = { runId: "0301-aaaa", status: "interrupted", live: false, state };
    const [, cut = ""] = table([long], 80);
    expect(stringWidth(cut)).toBeLessThan(80);
    expect(cut).toMatch(/\.\.\.$/);
    expect(table([long])[1]).toContain(task);
  });

  test("makes a task of many lines one line", () => {
    const state = stateOf([started("0301-aaaa", { task: "one\r\n\n\ttwo\n" })]);
    expect(table([{ runId: "0301-aaaa", status: "interrupted", live: false, state }])[1]).toMatch(
      / {2}one two$/,
    );
  });
});

describe("runs", () => {
  test.for([
    ["en", "No runs yet: agent-foreman demo\n"],
    ["zh", "还没有运行：agent-foreman demo\n"],
  ] as const)("says in %s where to begin if there is no run", async ([lang, text]) => {
    const io = fakeIo({ lang });
    expect(await runs({}, io)).toBe(0);
    expect(io.text()).toBe(text);
    expect(fs.existsSync(io.home)).toBe(false);
  });

  test("lists the newest first and knows which run is supervised now", async () => {
    const io = fakeIo();
    makeRun(io.home, [started("0301-aaaa"), ...passedAttempt(1), ended("passed", "accepted")]);
    makeRun(io.home, [started("0301-bbbb"), turnStarted(1)], 1);
    makeRun(io.home, [started("0301-cccc"), turnStarted(1)], 2);
    makeRun(io.home, [started("0301-dddd"), ...failedAttempt(1), asked], 3);
    const lock = await lockRun(new RunStore(io.home, begin), "0301-bbbb", io.cwd);
    onTestFinished(() => lock.release());
    expect(await runs({}, io)).toBe(0);
    const rows = io.text().split("\n").slice(1, -1);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ["0301-dddd", "supervise", "? asks you"],
      ["0301-bbbb", "supervise", "~ running"],
      ["0301-cccc", "supervise", "! interrupted"],
      ["0301-aaaa", "supervise", "✓ accepted"],
    ]);
  });

  test("prints one array for programs", async () => {
    const io = fakeIo();
    const last = ended("passed", "accepted");
    makeRun(io.home, [started("0301-aaaa", { task: HOSTILE }), ...passedAttempt(1), last]);
    makeRun(io.home, [started("0301-bbbb")], 1);
    expect(await runs({ json: true }, io)).toBe(0);
    expect(JSON.parse(io.text())).toEqual([
      {
        run_id: "0301-bbbb",
        mode: "supervise",
        state: "interrupted",
        attempt: 0,
        max_loops: 6,
        allowed_loops: 6,
        started_at: "2026-03-01T10:00:00.000Z",
        updated_at: "2026-03-01T10:00:00.000Z",
        duration_ms: 0,
        waited_ms: 0,
        cost_usd: null,
        tokens: 0,
        task: "Add pagination",
        cwd: "/home/me",
        report_path: null,
      },
      expect.objectContaining({ state: "accepted", task: HOSTILE, report_path: "/home/me/report.json" }),
    ]);
    expect(io.text()).not.toMatch(STEERS_TERMINAL);
  });

  test("shows hostile text harmlessly, also in colour", async () => {
    const io = fakeIo({ columns: 200, env: { NO_COLOR: "", FORCE_COLOR: "1" } });
    makeRun(io.home, [started("0301-aaaa", { task: HOSTILE })]);
    await runs({}, io);
    const bare = io.text().replaceAll(/\u001b\[\d+m/g, "");
    expect(bare).not.toBe(io.text());
    expect(bare).not.toMatch(STEERS_TERMINAL);
    expect(bare).toContain(String.raw`evil\x1b[2J`);
  });

  test.for(["en", "zh"] as const)("prints each run on one line at 80 columns, in %s", async (lang) => {
    const io = fakeIo({ lang, columns: 80 });
    const done = [...passedAttempt(1), ended("passed", "accepted")];
    // All lengths up to far too long, including an exact fit.
    const lengths = Array.from({ length: 40 }, (_, at) => at + 1);
    for (const length of lengths) {
      const id = `0301-a${String(length).padStart(3, "a")}`;
      makeRun(io.home, [started(id, { task: "a b c d ".repeat(10).slice(0, length) }), ...done], length);
    }
    await runs({}, io);
    const rows = io.text().trimEnd().split("\n");
    expect(rows.filter((row) => !/^(?:RUN|运行|0301-)/.test(row))).toEqual([]);
    expect(rows).toHaveLength(lengths.length + 1);
    expect(Math.max(...rows.map((row) => stringWidth(row)))).toBeLessThan(80);
  });

  test("leaves out a column rather than break a line", async () => {
    const io = fakeIo({ columns: 80 });
    const rest = [...marked("mark_fail"), ended("manually_failed", "marked_by_person")];
    makeRun(io.home, [
      started("0301-aaaa", { task: "Add pagination to the list", maxLoops: 1000000 }),
      ...rest,
    ]);
    await runs({}, io);
    expect(io.text()).toBe(
      "RUN        MODE       STATE            AT         TIME  COST  TASK\n" +
        "0301-aaaa  supervise  ✗ marked failed  1/1000000  6m    -     Add paginatio...\n",
    );
  });

  test("prints Chinese", async () => {
    const io = fakeIo({ lang: "zh" });
    makeRun(io.home, [started("0301-aaaa"), ...failedAttempt(1), asked]);
    await runs({}, io);
    expect(io.text()).toBe(
      "运行       模式       状态        轮次  用时  花费  任务\n" +
        "0301-aaaa  supervise  ? 等你决定  1/6   5m    -     Add pagination\n",
    );
  });
});

describe("damaged journals", () => {
  const damage: Record<string, { hurt: (path: string) => void; says: string; problem: object }> = {
    "a changed line": {
      hurt: (path) => editLine(path, 3, (line) => line.replace("all tests pass", "all tests lie")),
      says: "journal_tampered at line 3",
      problem: { code: "journal_tampered", line: 3, why: "its checksum does not fit" },
    },
    "a newer format": {
      hurt: (path) => editLine(path, 2, () => '{"v":4,"seq":2}'),
      says: "journal_newer at line 2",
      problem: { code: "journal_newer", line: 2, why: "it has format version 4" },
    },
    "no journal of ours": {
      hurt: (path) => fs.writeFileSync(path, "hello\n"),
      says: "journal_foreign at line 1",
      problem: { code: "journal_foreign", line: 1, why: "it is not a journal record" },
    },
    "an empty file": {
      hurt: (path) => fs.writeFileSync(path, ""),
      says: "journal_empty",
      problem: { code: "journal_empty", line: null, why: null },
    },
  };

  test.for(Object.entries(damage))(
    "%s is listed with its failure code",
    async ([, { hurt, says, problem }]) => {
      const io = fakeIo();
      hurt(makeRun(io.home, [started("0301-aaaa"), ...failedAttempt(1)]).journal);
      makeRun(io.home, [started("0301-bbbb")], 1);
      expect(await runs({}, io)).toBe(0);
      expect(io.text()).toMatch(/^0301-bbbb /m);
      expect(io.text()).toMatch(new RegExp(`^0301-aaaa {2}- {10}! damaged {6}- {4}- {5}- {5}${says}$`, "m"));
      const programs = fakeIo({ home: io.home });
      await runs({ json: true }, programs);
      expect(JSON.parse(programs.text())).toContainEqual(
        expect.objectContaining({ run_id: "0301-aaaa", state: "damaged", task: null, problem }),
      );
    },
  );

  test("a write that was cut off is no damage", async () => {
    const io = fakeIo();
    const { journal } = makeRun(io.home, [started("0301-aaaa"), turnStarted(1)]);
    fs.appendFileSync(journal, '{"v":1,"seq":3,"at":"20');
    await runs({}, io);
    expect(io.text()).toMatch(/^0301-aaaa {2}supervise {2}! interrupted/m);
  });
});
