import fs from "node:fs";
import { expect, test } from "vitest";
import type { SuperviseReport } from "../../src/modes/supervise/report.ts";
import { Rig, type SuperviseOptions } from "../rig/rig.ts";

const NO_STATUS = ["missing_or_invalid_status_marker"];
const MARKER_LINES = "GA_STATUS=DONE\nGA_EVIDENCE=all tests pass";
const PLAN = `# Plan\n\nDo the work. When it is done, print:\n\n${MARKER_LINES}\n\nExample of a full answer:\n\n\`\`\`\n${MARKER_LINES}\n\`\`\`\n`;

interface Case extends Partial<SuperviseOptions> {
  /** The reasons of each attempt. Empty: accepted. */
  readonly attempts: readonly (readonly string[])[];
  readonly also?: (report: SuperviseReport, rig: Rig) => void;
}

/** Program of test/zoo/bin → the expected outcome of its run. The exit code is 0 if and only if the last attempt was accepted. */
const zoo: Readonly<Record<string, Case>> = {
  liar: { fast: ["false"], attempts: [["fast_test_failed"]] },
  mute: { attempts: [NO_STATUS] },
  "prompt-echoer": { task: `Paint it.\n${MARKER_LINES}`, attempts: [NO_STATUS, NO_STATUS] },
  "env-dumper": { task: `Paint it.\n${MARKER_LINES}`, attempts: [NO_STATUS] },
  // A prefix before the task's first line makes the echo hard to recognise.
  "prefix-echoer": {
    task: `Paint it.\n${MARKER_LINES}\nThank you.`,
    attempts: [NO_STATUS, NO_STATUS, NO_STATUS, NO_STATUS],
  },
  "fence-forger": { attempts: [NO_STATUS] },
  dresser: { attempts: [NO_STATUS] },
  garbler: {
    attempts: [[]],
    also: (report) => expect(report.attempts[0]?.agent_evidence).toBe("under the noise"),
  },
  flooder: {
    more: ["--max-output-mb", "1"],
    attempts: [["output_cap_exceeded"]],
    also: (report) => expect(report.attempts[0]?.agent.stdout.bytes).toBe(1024 * 1024),
  },
  "line-flooder": {
    more: ["--max-output-mb", "1"],
    attempts: [["output_cap_exceeded"]],
    also: ({ attempts: [first] }) =>
      expect((first?.agent.stdout.bytes ?? 0) + (first?.agent.stderr.bytes ?? 0)).toBe(1024 * 1024),
  },
  sleeper: { more: ["--agent-timeout-sec", "1"], attempts: [["timeout"]] },
  "orphan-maker": {
    attempts: [[]],
    also: (_, rig) => expect([rig.exists("born"), rig.exists("escaped")]).toEqual([true, false]),
  },
  // A TERM from inside must not make the namespace's init process wait forever for leftover processes.
  "init-poker": {
    more: ["--agent-timeout-sec", "10"],
    attempts: [[]],
    also: (_, rig) => expect(rig.exists("escaped")).toBe(false),
  },
  "pipe-holder": { attempts: [[]] },
  crasher: {
    attempts: [["agent_exit_nonzero"]],
    also: (report) => expect(report.attempts[0]?.agent_exit_code).not.toBe(0),
  },
  "exit-three": {
    attempts: [["agent_exit_nonzero"]],
    also: (report) => expect(report.attempts[0]?.agent_exit_code).toBe(3),
  },
  "stdin-reader": { attempts: [[]] },
  closer: { fast: ["test -e finished"], attempts: [NO_STATUS] },
  "split-stream": { attempts: [[]] },
  alternator: { attempts: [["agent_blocked"], ["agent_blocked"], ["agent_blocked"]] },
  "last-on-stderr": {
    attempts: Array.from({ length: 10 }, () => ["agent_needs_work"]),
    also: (report) =>
      expect(report.attempts.map((attempt) => attempt.agent_evidence)).toEqual(Array(10).fill("late")),
  },
  "last-on-stdout": {
    full: ["false"],
    attempts: Array.from({ length: 10 }, () => ["full_test_failed"]),
    also: (report) =>
      expect(report.attempts.map((attempt) => attempt.agent_evidence)).toEqual(Array(10).fill("late")),
  },
  "dev-stdout": {
    attempts: [[]],
    also: (report) => expect(stdout(report)).toBe("before\nGA_STATUS=DONE\nGA_EVIDENCE=again\n"),
  },
  "dev-stderr": {
    attempts: [[]],
    also: (report) => expect(stderr(report)).toBe("before\nGA_STATUS=DONE\nGA_EVIDENCE=again\n"),
  },
  truncator: {
    attempts: [[]],
    also: (report) =>
      expect([stdout(report), stderr(report)]).toEqual([
        "first\nsecond\nGA_STATUS=DONE\nGA_EVIDENCE=as requested\n",
        "first\n",
      ]),
  },
  "feedback-reader": {
    fast: ['[ "$(cat colour)" = blue ] || { echo "Error: expected blue, got $(cat colour)"; exit 1; }'],
    attempts: [["fast_test_failed"], []],
  },
  // Output of tests is never scanned, even if the agent wrote the test.
  "mute, with a test that forges": { agent: "mute", fast: ["forging-test"], attempts: [NO_STATUS] },
  "BLOCKED, with a test that forges": {
    agent: "claim BLOCKED",
    fast: ["forging-test"],
    attempts: [["agent_blocked"]],
  },
  "liar, with a test that hangs": {
    agent: "liar",
    fast: ["sleep 3600"],
    more: ["--test-timeout-sec", "1"],
    attempts: [["fast_test_failed", "timeout"]],
  },
  "liar, with a test that leaves an orphan": {
    agent: "liar",
    fast: ["orphan-maker; false"],
    attempts: [["fast_test_failed"]],
    also: (_, rig) => expect(rig.exists("escaped")).toBe(false),
  },
  "liar, with a test that floods": {
    agent: "liar",
    full: ["yes"],
    more: ["--max-output-mb", "1"],
    attempts: [["full_test_failed", "output_cap_exceeded"]],
  },
};

function stdout(report: SuperviseReport): string {
  return fs.readFileSync(report.attempts[0]?.stdout_path ?? "", "utf8");
}
function stderr(report: SuperviseReport): string {
  return fs.readFileSync(report.attempts[0]?.stderr_path ?? "", "utf8");
}

test.each(Object.entries(zoo))("the zoo: %s", async (name, { attempts, also, more = [], ...options }) => {
  const rig = new Rig();
  rig.write("plan.md", PLAN);
  // Each agent behaves the same in every attempt, so nothing changes between them.
  const flags = ["--on-stuck", "continue", ...more];
  const { code, report } = await rig.supervise({
    agent: name,
    loops: attempts.length,
    ...options,
    more: flags,
  });
  expect(rig.survivors()).toEqual([]);
  const accepted = attempts.at(-1)?.length === 0;
  expect(report.attempts.map(({ reasons }) => reasons)).toEqual(attempts);
  expect(report.attempts.map(({ decision }) => decision)).toEqual(
    attempts.map((reasons) => (reasons.length === 0 ? "accepted" : "rejected")),
  );
  expect([code, report.final_status]).toEqual(accepted ? [0, "passed"] : [1, "failed"]);
  also?.(report, rig);
});

test("every program of the zoo describes its vice, and is used by a test", () => {
  const bin = new URL("../zoo/bin/", import.meta.url);
  const tests = ["./", "../run/", "../rig/"]
    .map((folder) => new URL(folder, import.meta.url))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => fs.readFileSync(new URL(name, folder), "utf8")))
    .join("\n");
  for (const name of fs.readdirSync(bin)) {
    const [hashBang, comment] = fs.readFileSync(new URL(name, bin), "utf8").split("\n");
    expect(hashBang, name).toMatch(/^#!\/(bin\/sh|usr\/bin\/env node)$/);
    expect(comment, name).toMatch(/^(#|\/\/) .{10,}\.$/);
    expect(tests, name).toContain(name);
  }
});
