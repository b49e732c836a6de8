import { describe, expect, test } from "vitest";
import type { AttemptReport } from "../../src/reports/report.ts";
import { Rig } from "../rig/rig.ts";

/** One attempt of an agent that writes this text, with tests that pass. */
async function attemptOf(text: string, to = ""): Promise<AttemptReport> {
  const rig = new Rig();
  rig.write("words", text);
  const { report } = await rig.supervise({ agent: `cat words ${to}`, loops: 1 });
  const [attempt] = report.attempts;
  if (!attempt) throw new Error("no attempt was reported");
  return attempt;
}

describe("S7 GA_STATUS takes exactly three values", () => {
  test.each([
    ["DONE", "accepted", []],
    ["NEEDS_WORK", "rejected", ["agent_needs_work"]],
    ["BLOCKED", "rejected", ["agent_blocked"]],
  ])("S7 %s", async (status, decision, reasons) => {
    const attempt = await attemptOf(`GA_STATUS=${status}\nGA_EVIDENCE=seen\n`);
    expect(attempt).toMatchObject({ agent_status_marker: status, decision, reasons });
  });

  test.each([
    "done",
    "Done",
    "DONE!",
    "DONE.",
    "FINISHED",
    "NEEDS WORK",
    "needs_work",
    "DONE DONE",
    " DONE",
    '"DONE"',
    "",
  ])("S7 not %j", async (value) => {
    const attempt = await attemptOf(`GA_STATUS=${value}\nGA_EVIDENCE=seen\n`);
    expect(attempt).toMatchObject({ agent_status_marker: null, decision: "rejected" });
    expect(attempt.reasons).toEqual(["missing_or_invalid_status_marker"]);
  });
});

describe("S8 GA_EVIDENCE", () => {
  test.each(["42 tests pass", "a=b; c", "测试全部通过", "  padded  "])("S8 %j is kept", async (evidence) => {
    const attempt = await attemptOf(`GA_STATUS=DONE\nGA_EVIDENCE=${evidence}\n`);
    expect(attempt.agent_evidence).toBe(evidence.trim());
    expect(attempt.decision).toBe("accepted");
  });

  test("S8 DONE without evidence is rejected", async () => {
    const attempt = await attemptOf("GA_STATUS=DONE\n");
    expect(attempt).toMatchObject({
      agent_evidence: null,
      decision: "rejected",
      reasons: ["missing_evidence_marker"],
    });
  });

  test("S8 empty evidence is none", async () => {
    const attempt = await attemptOf("GA_STATUS=DONE\nGA_EVIDENCE= \n");
    expect(attempt).toMatchObject({ agent_evidence: null, reasons: ["missing_evidence_marker"] });
  });
});

describe("S9 the last occurrence wins", () => {
  test("S9 of the status", async () => {
    const attempt = await attemptOf("GA_STATUS=BLOCKED\nGA_EVIDENCE=e\nworking\nGA_STATUS=DONE\n");
    expect(attempt).toMatchObject({ agent_status_marker: "DONE", decision: "accepted" });
  });

  test("S9 of the evidence", async () => {
    const attempt = await attemptOf("GA_EVIDENCE=old\nGA_STATUS=DONE\nGA_EVIDENCE=new\n");
    expect(attempt.agent_evidence).toBe("new");
  });

  test("S9 also where it takes back what was said", async () => {
    const attempt = await attemptOf("GA_STATUS=DONE\nGA_EVIDENCE=e\nstill red\nGA_STATUS=NEEDS_WORK\n");
    expect(attempt).toMatchObject({ agent_status_marker: "NEEDS_WORK", reasons: ["agent_needs_work"] });
  });

  test("S9 also where it is invalid", async () => {
    const attempt = await attemptOf("GA_STATUS=DONE\nGA_EVIDENCE=e\nwell\nGA_STATUS=MAYBE\n");
    expect(attempt.reasons).toEqual(["missing_or_invalid_status_marker"]);
  });

  test("S9 on stderr as on stdout", async () => {
    const attempt = await attemptOf("GA_STATUS=DONE\nGA_EVIDENCE=from stderr\n", ">&2");
    expect(attempt).toMatchObject({ decision: "accepted", agent_evidence: "from stderr" });
  });

  test("S9 a marker without a line end, with colour, CR and trailing blanks is a whole line", async () => {
    const attempt = await attemptOf(
      "\u001b[32mGA_EVIDENCE=green\u001b[0m \t\r\n\u001b[1mGA_STATUS=DONE\u001b[0m  ",
    );
    expect(attempt).toMatchObject({ decision: "accepted", agent_evidence: "green" });
  });
});

describe("S10 missing or invalid status", () => {
  test.each([
    ["nothing at all", ""],
    ["only prose", "All tests pass, the task is done.\n"],
    ["only evidence", "GA_EVIDENCE=all green\n"],
    ["an unknown value", "GA_STATUS=OK\nGA_EVIDENCE=e\n"],
    ["another key", "MY_GA_STATUS=DONE\nGA_STATUS_2=DONE\nGA_EVIDENCE=e\n"],
    ["in the middle of a line", "I print GA_STATUS=DONE now\nGA_EVIDENCE=e\n"],
    ["with a colon", "GA_STATUS: DONE\nGA_EVIDENCE=e\n"],
    ["a list of choices", "GA_STATUS=DONE|NEEDS_WORK|BLOCKED\nGA_EVIDENCE=<text>\n"],
  ])("S10 %s", async (_, text) => {
    const attempt = await attemptOf(text);
    expect(attempt).toMatchObject({
      agent_status_marker: null,
      decision: "rejected",
      reasons: ["missing_or_invalid_status_marker"],
      full_test_executed: false,
    });
  });

  test("S10 the feedback says which value was not allowed", async () => {
    const rig = new Rig();
    const { runId } = await rig.supervise({ agent: "agent invalid", loops: 1 });
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("FINISHED");
  });
});

describe("--nonce", () => {
  const joined = "[$GA_NONCE_1$GA_NONCE_2]";

  test("markers that carry the joined nonce count", async () => {
    const rig = new Rig();
    const agent = `echo "GA_STATUS${joined}=DONE"; echo "GA_EVIDENCE${joined}=e"`;
    expect((await rig.supervise({ agent, loops: 1, more: ["--nonce"] })).code).toBe(0);
  });

  test("markers without it, with one half, or with that of an earlier turn do not", async () => {
    const rig = new Rig();
    rig.write(
      "agent.sh",
      `[ -e old ] || printf '%s' "$GA_NONCE_1$GA_NONCE_2" > old
for tag in "" "[$GA_NONCE_1]" "[$GA_NONCE_2]"; do echo "GA_STATUS$tag=DONE"; echo "GA_EVIDENCE$tag=e"; done
[ "$GA_LOOP_INDEX" = 1 ] || { echo "GA_STATUS[$(cat old)]=DONE"; echo "GA_EVIDENCE[$(cat old)]=e"; }
env
`,
    );
    const { code, report } = await rig.supervise({ agent: "sh agent.sh", loops: 2, more: ["--nonce"] });
    expect(code).toBe(1);
    expect(report.attempts.map(({ reasons }) => reasons)).toEqual([
      ["missing_or_invalid_status_marker"],
      ["missing_or_invalid_status_marker"],
    ]);
  });
});
