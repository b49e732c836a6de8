import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/screens/clock.ts";
import { open, pipe, Screen, tty } from "./rig.ts";
import { Run } from "./run.ts";

const RUN_ID = "1115-k3f7";
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/;

interface JsonLine {
  readonly type: string;
  readonly [key: string]: unknown;
}

function jsonRun(options: Parameters<typeof open>[1]) {
  const streams = { stdout: pipe(), stderr: pipe() };
  const to = open(streams, { mode: "json", ...options });
  const lines = (): JsonLine[] =>
    streams.stdout.text
      .trimEnd()
      .split("\n")
      .map((line): JsonLine => JSON.parse(line));
  return { ...to, ...streams, lines };
}

test("JSON: one value per line, events numbered, nothing else on stdout", () => {
  const to = jsonRun({});
  const run = new Run(to, { task: "line\nbreak\u2028\u009b2J" }).startTurn(1).output("unheard").endTurn();
  run.check("fast", { end: { kind: "exited", code: 1 } }, ["boom"]).judged("fast_test_failed");
  to.reporter.live({ type: "stopping", signal: "SIGINT" });
  to.reporter.live({ type: "killing" });
  run.failed();
  to.reporter.pause();
  to.reporter.leave(run.state);
  const lines = to.lines();
  expect(lines.map((line) => line.type).join(" ")).toBe(
    "event event phase event phase check_output event event stopping killing event left",
  );
  expect(lines.flatMap((line) => (line.type === "event" ? [line["seq"]] : []))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(lines[1]).toEqual({
    type: "event",
    run_id: RUN_ID,
    seq: 2,
    at: run.state.startedAt,
    event: {
      type: "turn_started",
      role: "worker",
      attempt: 1,
      turn: 1,
      agent: null,
      resumes: null,
      tree: null,
    },
  });
  const about = { run_id: RUN_ID, at: expect.stringMatching(ISO_TIME) as string };
  expect(lines[2]).toEqual({ type: "phase", ...about, attempt: 1, phase: "agent", command: "claude -p" });
  expect(lines[5]).toEqual({
    type: "check_output",
    ...about,
    path: "attempt-1/fast-1.txt",
    lines: [{ text: "boom" }, { left_out: 38 }],
  });
  expect(lines.at(-1)).toEqual({
    type: "left",
    ...about,
    status: "failed",
    exit_code: 1,
    reason: "limit_reached",
    state: "ended",
    report_path: "goldagent-supervise-report-1115-k3f7.json",
    receipt_path: null,
  });
  expect(to.stdout.text).not.toContain("unheard");
  expect(to.stdout.text).not.toContain("\u2028");
  expect(lines[0]).toMatchObject({ event: { settings: { task: "line\nbreak\u2028\u009b2J" } } });
  expect(to.stderr.text).toBe("");
});

test("JSON, verbose: output in whole lines, incomplete ones only at the end of the turn, secrets never", () => {
  const to = jsonRun({ verbose: true, redact: (text) => text.replaceAll("secret", "[redacted]") });
  const euro = Buffer.from("€");
  const run = new Run(to).startTurn(1);
  run.output("a sec").output("err\n", "stderr");
  run.output(Buffer.concat([Buffer.from("ret\n"), euro.subarray(0, 2)]));
  run.output(Buffer.concat([euro.subarray(2), euro.subarray(0, 1)])).endTurn();
  const about = { run_id: RUN_ID, at: expect.stringMatching(ISO_TIME) as string };
  expect(to.lines().filter((line) => line.type === "output")).toEqual([
    { type: "output", ...about, stream: "stderr", text: "err\n" },
    { type: "output", ...about, stream: "stdout", text: "a [redacted]\n" },
    { type: "output", ...about, stream: "stdout", text: "€\uFFFD" },
  ]);
});

test("JSON: a run that is left says whether it waits for a person", () => {
  const to = jsonRun({});
  const run = new Run(to, { maxLoops: 1 }).rejected(1);
  to.reporter.leave(run.state);
  run.emit({ type: "question_asked", id: "q" });
  to.reporter.leave(run.state);
  expect(to.lines().flatMap((line) => (line.type === "left" ? [line["state"]] : []))).toEqual([
    "stopped",
    "waiting",
  ]);
  expect(to.lines().at(-1)).toMatchObject({ status: null, exit_code: null, report_path: null });
});

test("quiet: only the summary, also on a terminal", async () => {
  const screen = new Screen();
  const to = open(screen, { mode: "quiet", verbose: true });
  const run = new Run(to).startTurn(1);
  to.clock.advance(1000);
  run.output("noise\n").endTurn().check("fast").check("full").judged().passed();
  to.reporter.pause();
  expect(await screen.rows()).toEqual([]);
  to.reporter.leave(run.state);
  expect((await screen.rows())[0]).toBe("✓ ACCEPTED at attempt 1 of 6  1.0s");
  expect(screen.stderr.text).toBe("");
});

test.each(["auto", "quiet", "json"] as const)("a reader that goes away does no harm: %s", (mode) => {
  const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const streams = { stdout: tty(), stderr: tty() };
  for (const stream of [streams.stdout, streams.stderr])
    stream.onWrite = () => {
      stream.emit("error", broken);
      throw broken;
    };
  const to = open(streams, { mode, verbose: true });
  open(streams, { mode });
  expect(streams.stdout.listenerCount("error")).toBe(1);
  const run = new Run(to).startTurn(1).output("x\n");
  to.clock.advance(1000);
  run.endTurn().check("fast").check("full").judged().passed();
  expect(() => to.reporter.leave(run.state)).not.toThrow();
});

test("a display that fails goes dark instead of ending the run", () => {
  vi.useFakeTimers();
  try {
    const tick = vi.fn<() => void>(() => {
      throw new Error("cannot draw");
    });
    systemClock.every(100, tick);
    vi.advanceTimersByTime(1000);
    expect(tick).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});

test.each(["auto", "json"] as const)(
  "%s, verbose, to a stalled reader: the agent's text does not pile up",
  (mode) => {
    const [stdout, stderr] = [pipe(), pipe()];
    const to = open({ stdout, stderr }, { mode, verbose: true });
    const run = new Run(to).startTurn(1);
    stdout.writableLength = 100 * 1024 * 1024;
    run.output("lost\n");
    stdout.writableLength = 0;
    run.output("heard\n").endTurn();
    expect(stdout.text).not.toContain("lost");
    expect(stdout.text).toContain("heard");
  },
);
