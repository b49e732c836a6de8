import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import { until } from "../rig/rig.ts";
import { chatRig, TASK } from "./scene.ts";

const WAITING = "[WAITING_FOR_USER]";
const QUESTION = "Should the greeting be English or French?";

describe("an agent that asks its user something", () => {
  test("gets no feedback, and the review is no rejection; the answer is the next task", async () => {
    const rig = chatRig({
      work: [{ say: `I have looked around.\n\n${QUESTION}` }, { write: { "hello.txt": "bonjour\n" } }],
      reviews: [{ say: `Only the user knows.\n${WAITING}` }, {}],
    });
    const chat = await talk(rig);
    await chat.ask("write a greeting");
    expect(await rig.happens("review_dropped")).toMatchObject({ why: "waiting_for_user" });
    await until(() => chat.title.includes("waits for your answer"));
    await chat.ask("French");
    await rig.happens("attempt_judged");
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    expect(rig.eventsOf("attempt_judged")).toMatchObject([{ verdict: "accepted" }]);
    expect(rig.calls("work").map(({ prompt }) => prompt)).toEqual(["write a greeting", "French"]);
    expect(rig.calls("review")[0]?.prompt).toContain(WAITING);
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("2 tasks: 1 accepted, 1 asked you something");
    const [runId = ""] = rig.runIds();
    const shown = (await rig.run(["show", runId])).stdout;
    expect(shown).toMatch(/review +#1 1\/\d+ waits for your answer/);
    expect(shown).toContain("nothing sent: the agent waits for your answer (waiting_for_user)");
    expect(rig.chatReport(runId)).toMatchObject({
      tasks: [{ outcome: "waiting_for_user", reviews: 1 }, { outcome: "accepted" }],
      attempts: [{ decision: null, settled: "waiting_for_user", review: { waiting: true } }, {}],
    });
  });

  test("left without an answer: exit 3, and the list of runs says why", async () => {
    const rig = chatRig({ work: [{ say: QUESTION }], reviews: [{ say: WAITING }] });
    const chat = await talk(rig, ["--check", "false"]);
    await chat.ask("write a greeting");
    await rig.happens("review_dropped");
    expect(await chat.leave()).toBe(3);
    expect(await chat.lastLine()).toContain("1 task: 1 asked you something");
    const [runId = ""] = rig.runIds();
    expect(rig.chatReport(runId)).toMatchObject({ end_reason: "waiting_for_user" });
    expect((await rig.run(["runs"])).stdout).toMatch(new RegExp(`${runId}.*had a question`));
  });

  test("without a terminal: exit 3 with the question on the screen, and no second turn", async () => {
    const rig = chatRig({ work: [{ say: `Two ways.\n${QUESTION}` }], reviews: [{ say: WAITING }] });
    const { code, stdout, report } = await rig.print(TASK);
    expect(code).toBe(3);
    expect(stdout).toContain("review  1/5 waits for your answer: Two ways.");
    expect(stdout).toContain(`| ${QUESTION}`);
    expect(stdout).toMatch(/\? NOT ACCEPTED YET: the agent waits for your answer/);
    expect(stdout).toMatch(/next {4}claude --resume \S+/);
    expect(rig.calls("work")).toHaveLength(1);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "waiting_for_user",
      tasks: [{ outcome: "waiting_for_user", reviews: 1 }],
      attempts: [{ decision: null, settled: "waiting_for_user" }],
    });
  });

  test("the reviewer's message goes first, then the agent's question, then the reviewer's other words", async () => {
    const rig = chatRig({
      work: [{ say: `Two ways.\n${QUESTION}` }],
      reviews: [{ say: "I looked at the files.\n[WAITING_FOR_USER: which language?]" }],
    });
    const { code, stdout } = await rig.print(TASK);
    expect(code).toBe(3);
    const from = stdout.indexOf("waits for your answer: which language?");
    const shown = ["  | Two ways.", `  | ${QUESTION}`, "  | I looked at the files."];
    const places = shown.map((line) => stdout.indexOf(line));
    expect([from, ...places]).toEqual([from, ...places].toSorted((a, b) => a - b));
    expect(from).toBeGreaterThan(-1);
  });

  test("--json keeps the reviewer's words and the agent's question apart", async () => {
    const rig = chatRig({
      work: [{ say: QUESTION }],
      reviews: [{ say: "[WAITING_FOR_USER: which language?]" }],
    });
    const { stdout } = await rig.print(TASK, ["--json"]);
    const lines = stdout.split("\n").filter((line) => line.includes('"review_words"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { words: "which language?", question: QUESTION },
    ]);
  });

  test("the marker in bold counts: nothing is sent to the agent", async () => {
    const rig = chatRig({ reviews: [{ say: `Which language?\n\n**${WAITING}**` }] });
    expect((await rig.print(TASK)).code).toBe(3);
    expect(rig.eventsOf("review_ended")).toMatchObject([{ completed: false, waiting: true }]);
  });

  test("both markers in one answer accept nothing: the question counts", async () => {
    const rig = chatRig({ reviews: [{ say: `${WAITING}\n[TASK_COMPLETED]` }] });
    expect((await rig.print(TASK)).code).toBe(3);
    expect(rig.eventsOf("review_ended")).toMatchObject([{ completed: false, waiting: true }]);
  });

  test("the marker can be changed, but not to that of completion", async () => {
    const rig = chatRig({ reviews: [{ say: "ASK THE USER" }] });
    expect((await rig.print(TASK, ["--waiting-marker", "ASK THE USER"])).code).toBe(3);
    expect(rig.calls("review")[0]?.prompt).toContain("`ASK THE USER`");
    for (const same of ["[TASK_COMPLETED]", "**[task_completed]**"]) {
      const { code, stderr } = await rig.run(["chat", "--print", TASK, "--waiting-marker", same]);
      expect(code).toBe(2);
      expect(stderr).toContain("--waiting-marker must differ from --marker: [TASK_COMPLETED]");
    }
  });
});
