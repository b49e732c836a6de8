import { describe, expect, test } from "vitest";
import type { AttemptReport } from "../../src/modes/supervise/report.ts";
import { Rig } from "../rig/rig.ts";

const REJECTED_FOR_STATUS = {
  agent_status_marker: null,
  decision: "rejected",
  reasons: ["missing_or_invalid_status_marker"],
};
/** The full test always fails. This shows that a round had a valid claim, and the next text gets its turn. */
const CLAIM_TAKEN = { reasons: ["full_test_failed"], full_test_executed: true };

/** One attempt per text, by an agent that writes exactly that. */
async function attemptsOf(texts: readonly string[], to = ""): Promise<readonly AttemptReport[]> {
  const rig = Rig.inWorkTree();
  for (const [at, text] of texts.entries()) rig.write(`words-${at + 1}`, text);
  const agent = `cat "words-$GA_LOOP_INDEX" ${to}`;
  const { report } = await rig.supervise({ agent, full: ["false"], loops: texts.length });
  expect(report.attempts).toHaveLength(texts.length);
  return report.attempts;
}

/** Attempts with their texts, so that a failure names the text. */
async function expectEach(texts: readonly string[], expected: object, to = ""): Promise<void> {
  const attempts = await attemptsOf(texts, to);
  for (const [at, attempt] of attempts.entries())
    expect({ text: texts[at], ...attempt }).toMatchObject({ text: texts[at], ...expected });
}

describe("S7 GA_STATUS takes exactly three values", () => {
  test("S7 DONE, NEEDS_WORK and BLOCKED", async () => {
    const statuses = ["DONE", "NEEDS_WORK", "BLOCKED"];
    const attempts = await attemptsOf(statuses.map((status) => `GA_STATUS=${status}\nGA_EVIDENCE=seen\n`));
    expect(attempts.map(({ agent_status_marker, reasons }) => [agent_status_marker, ...reasons])).toEqual([
      ["DONE", "full_test_failed"],
      ["NEEDS_WORK", "agent_needs_work"],
      ["BLOCKED", "agent_blocked"],
    ]);
  });

  test("S7 and no other", async () => {
    const values = [
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
    ];
    await expectEach(
      values.map((value) => `GA_STATUS=${value}\nGA_EVIDENCE=seen\n`),
      REJECTED_FOR_STATUS,
    );
  });
});

describe("S8 GA_EVIDENCE", () => {
  test("S8 is kept as written", async () => {
    const evidence = ["42 tests pass", "a=b; c", "测试全部通过", "<b>", "  padded  "];
    const attempts = await attemptsOf(evidence.map((text) => `GA_STATUS=DONE\nGA_EVIDENCE=${text}\n`));
    // "<b>" is the placeholder in instructions and no evidence.
    expect(attempts.map((attempt) => attempt.agent_evidence)).toEqual([
      ...evidence.slice(0, 3),
      null,
      "padded",
    ]);
  });

  test("S8 DONE without any is rejected, and its full tests do not make up for it", async () => {
    const rig = Rig.inWorkTree();
    rig.write("empty", "GA_STATUS=DONE\nGA_EVIDENCE= \n");
    const { code, report } = await rig.supervise({
      agent: 'if [ "$GA_LOOP_INDEX" = 1 ]; then cat empty; else agent no_evidence; fi',
      loops: 2,
    });
    expect(code).toBe(1);
    for (const attempt of report.attempts)
      expect(attempt).toMatchObject({
        agent_evidence: null,
        decision: "rejected",
        reasons: ["missing_evidence_marker"],
      });
  });
});

describe("S9 the last occurrence wins", () => {
  test("S9 of the status, of the evidence, also if it withdraws a claim or is invalid", async () => {
    const attempts = await attemptsOf([
      "GA_STATUS=BLOCKED\nGA_EVIDENCE=e\nworking\nGA_STATUS=DONE\n",
      "GA_EVIDENCE=old\nGA_STATUS=DONE\nGA_EVIDENCE=new\n",
      "GA_STATUS=DONE\nGA_EVIDENCE=e\nstill red\nGA_STATUS=NEEDS_WORK\n",
      "GA_STATUS=DONE\nGA_EVIDENCE=e\nwell\nGA_STATUS=MAYBE\n",
    ]);
    expect(attempts.map((attempt) => [attempt.agent_status_marker, attempt.agent_evidence])).toEqual([
      ["DONE", "e"],
      ["DONE", "new"],
      ["NEEDS_WORK", "e"],
      [null, "e"],
    ]);
    expect(attempts.at(-1)?.reasons).toEqual(["missing_or_invalid_status_marker"]);
  });

  test("S9 on stderr as on stdout", async () => {
    await expectEach(
      ["GA_STATUS=BLOCKED\nno\nGA_STATUS=DONE\nGA_EVIDENCE=from stderr\n"],
      { ...CLAIM_TAKEN, agent_evidence: "from stderr" },
      ">&2",
    );
  });

  test("S9 a marker is a whole line after colour, CR and trailing blanks are removed; the last needs no line end", async () => {
    await expectEach(
      [
        "\u001b[32mGA_EVIDENCE=green\u001b[0m \t\r\n\u001b[1mGA_STATUS=DONE\u001b[0m  ",
        "GA_EVIDENCE=green\r\nGA_STATUS=DONE\r\n",
      ],
      { ...CLAIM_TAKEN, agent_evidence: "green" },
    );
  });
});

describe("S10 missing or invalid status", () => {
  test("S10 fails the round with missing_or_invalid_status_marker", async () => {
    const texts = [
      "",
      "All tests pass, the task is done.\n",
      "GA_EVIDENCE=all green\n",
      "GA_STATUS=OK\nGA_EVIDENCE=e\n",
      "MY_GA_STATUS=DONE\nGA_STATUS_2=DONE\nGA_EVIDENCE=e\n",
      "I print GA_STATUS=DONE now\nGA_EVIDENCE=e\n",
      "GA_STATUS: DONE\nGA_EVIDENCE=e\n",
      "GA_STATUS=DONE|NEEDS_WORK|BLOCKED\nGA_EVIDENCE=<text>\n",
      "GA_STATUS\n=DONE\nGA_EVIDENCE=e\n",
    ];
    await expectEach(texts, { ...REJECTED_FOR_STATUS, full_test_executed: false });
  });

  test("S10 the feedback says which value was not allowed", async () => {
    const rig = Rig.inWorkTree();
    const { runId } = await rig.supervise({ agent: "agent invalid", loops: 1 });
    expect(rig.read(`.goldagent-supervise/${runId}/feedback.md`)).toContain("FINISHED");
  });
});

describe("--nonce", () => {
  const joined = "[$GA_NONCE_1$GA_NONCE_2]";

  test("markers that carry the joined nonce count", async () => {
    const rig = Rig.inWorkTree();
    const agent = `echo x > work.txt; echo "GA_STATUS${joined}=DONE"; echo "GA_EVIDENCE${joined}=e"`;
    expect((await rig.supervise({ agent, loops: 1, more: ["--nonce"] })).code).toBe(0);
  });

  test("markers without it, with one half, or with that of an earlier turn do not", async () => {
    const rig = Rig.inWorkTree();
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
