import { describe, expect, test } from "vitest";
import { SUPERVISOR } from "../rig/chat.ts";
import { until } from "../rig/rig.ts";
import { chatRig, completed, COMPLETED, TASK } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

describe("chat --print, the loop without a terminal", () => {
  test("C2, C13: agent, review, feedback in the same session, and so on until it is completed", async () => {
    const rig = chatRig({
      work: [{ write: { "hello.txt": "hello\n" } }, { write: { "hello.txt": "hello world\n" } }],
      reviews: [{ say: MISSING }, { say: `Now it is there.\n\n${COMPLETED}` }],
    });
    const { code, report } = await rig.print(TASK);
    expect(code).toBe(0);
    expect(rig.calls().map(({ kind }) => kind)).toEqual(["work", "review", "work", "review"]);
    const [first, second] = rig.calls("work");
    expect(first).toMatchObject({ prompt: TASK, resumed: null });
    expect(second?.resumed).toBe(first?.session);
    expect(second?.prompt).toMatch(/^\[agent-foreman review 1\/5\]\n/);
    expect(second?.prompt).toContain(MISSING);
    expect(report).toMatchObject({
      final_status: "passed",
      live: false,
      tasks: [{ task: 1, outcome: "accepted", reviews: 2 }],
    });
    expect(report.attempts.map(({ decision }) => decision)).toEqual(["rejected", "accepted"]);
  });

  test("C3: what the agent does is read line by line while it works", async () => {
    const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "plan.md" } };
    const line = { type: "assistant", message: { role: "assistant", content: [call] } };
    const back = { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1" }] } };
    const text = [line, back].map((one) => `${JSON.stringify(one)}\n`).join("");
    const rig = chatRig({ work: [{ raw: text, wait: "go" }] });
    const running = rig.start(["chat", "--print", TASK, "--json"]);
    await until(() => running.output().stdout.includes("plan.md"));
    expect(rig.eventsOf("turn_ended")).toEqual([]);
    rig.open("go");
    expect((await running.ended).code).toBe(0);
  });

  test("C4: the session's id is read from the stream, and shown", async () => {
    const rig = chatRig();
    const { report } = await rig.print(TASK);
    expect(report.session_id).toBe(rig.calls("work")[0]?.session);
    expect(rig.calls("review")[0]?.resumed).toBe(report.session_id);
  });

  test("C5: lines that are no JSON are reported and skipped", async () => {
    const rig = chatRig({ work: [{ raw: 'Warning: the moon is full\n{"type":"assist\n[1,\n' }] });
    const { code, report } = await rig.print(TASK);
    expect(code).toBe(0);
    expect(report.attempts[0]?.work?.unknown_lines).toBe(3);
  });

  test("C6: an agent that has stopped with an error is not reviewed, and goes on in the next attempt", async () => {
    const rig = chatRig({ work: [{ exit: 3 }, {}] });
    const { code, report } = await rig.print(TASK);
    expect(code).toBe(0);
    expect(rig.calls().map(({ kind }) => kind)).toEqual(["work", "work", "review"]);
    expect(report.attempts[0]).toMatchObject({ decision: "rejected", review: null });
  });

  test("C6: an agent that crashes twice in the same way is not called a third time", async () => {
    const rig = chatRig({ work: Array.from({ length: 5 }, () => ({ kill: "SIGKILL" })) });
    const { code, stdout, report } = await rig.print(TASK);
    expect(code).toBe(1);
    expect(rig.calls().map(({ kind }) => kind)).toEqual(["work", "work"]);
    expect(report).toMatchObject({ end_reason: "stuck", tasks: [{ outcome: "not_reviewed", reviews: 0 }] });
    expect(stdout).toContain("REJECTED after 2 attempts, 0 reviews ");
    expect(stdout).toContain("stuck: failed as attempt 1 did, and the work tree has not changed since");
  });

  test("C6: an agent that crashes but changes files each time has all its attempts", async () => {
    const work = ["one", "two"].map((text) => ({ write: { "hello.txt": text }, kill: "SIGKILL" as const }));
    const rig = chatRig({ work: [...work, {}] });
    const { code, report } = await rig.print(TASK);
    expect(code).toBe(0);
    expect(report.attempts).toHaveLength(3);
  });

  test("C7, C8: the reviewer is given what was asked, in full, and never its own feedback", async () => {
    const asked = `${TASK}\n\n1. in English\n2. 以及中文\n`;
    const rig = chatRig({ reviews: [{ say: MISSING }, { say: COMPLETED }] });
    const { report } = await rig.print(asked);
    const prompts = rig.calls("review").map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(2);
    for (const prompt of prompts) {
      expect(prompt).toContain(asked.trim());
      expect(prompt).not.toContain(MISSING);
    }
    expect(report.prompt).toBe(asked);
    expect(report.inputs).toHaveLength(1);
  });

  test("C9: a headless fork of the session, SUPERVISOR.md as its system prompt, and the inputs", async () => {
    const rig = chatRig();
    await rig.print(TASK);
    const [work] = rig.calls("work");
    const [review] = rig.calls("review");
    const argv = review?.argv.join(" ") ?? "";
    expect(argv).toContain("--print --output-format=stream-json");
    expect(argv).toContain(`--resume ${work?.session}`);
    expect(argv).toContain("--fork-session");
    expect(argv).toContain("disableAllHooks");
    expect(review?.argv).not.toContain("--dangerously-skip-permissions");
    expect(review?.system).toBe(SUPERVISOR);
    expect(review?.prompt).toContain(`用户原始提问:\n${TASK}\n`);
    expect(work?.system).toBeNull();
  });

  test("C10: the session is as it was after the review", async () => {
    const rig = chatRig({ reviews: [{ wait: "go" }] });
    const running = rig.start(["chat", "--print", TASK]);
    const { resumed } = await rig.called("review");
    const before = rig.sessions()[resumed ?? ""];
    rig.open("go");
    expect((await running.ended).code).toBe(0);
    expect(before).toContain(TASK);
    expect(rig.sessions()[resumed ?? ""]).toBe(before);
  });

  test("C11: the marker counts on a line of its own, in the last words, and nowhere else", async () => {
    const rig = chatRig({
      reviews: [
        { say: `Once the tests pass I shall write ${COMPLETED} here.` },
        { say: `For example:\n\`\`\`\n${COMPLETED}\n\`\`\`\n` },
        { say: `> ${COMPLETED}\n\nis what I do not say.` },
        { say: `- ${COMPLETED}` },
        { say: `All is well.\r\n  ${COMPLETED}  \r\n` },
      ],
    });
    const { code } = await rig.print(TASK);
    expect(completed(rig)).toEqual([false, false, false, false, true]);
    expect(code).toBe(0);
  });

  test("C12: the marker may carry a message, and may be another", async () => {
    const rig = chatRig({ reviews: [{ say: "[TASK_COMPLETED: two files, both read]" }] });
    expect((await rig.print(TASK)).code).toBe(0);
    const other = chatRig({ reviews: [{ say: COMPLETED }, { say: "ALL IS WELL" }] });
    expect((await other.print(TASK, ["--marker", "ALL IS WELL"])).code).toBe(0);
    expect(completed(other)).toEqual([false, true]);
    expect(other.calls("review")[0]?.prompt).toContain("ALL IS WELL");
  });

  test("C14: at the end the session is handed back", async () => {
    const rig = chatRig();
    const { stdout, report } = await rig.print(TASK);
    const [work] = rig.calls("work");
    expect(report.session_command).toBe(`claude --resume ${work?.session}`);
    expect(stdout).toContain(`claude --resume ${work?.session}`);
    expect(rig.calls()).toHaveLength(2);
  });

  test("reviews are bounded: used up means not accepted", async () => {
    const rig = chatRig({ reviews: [{ say: MISSING }] });
    const { code, stdout, report } = await rig.print(TASK, ["--max-reviews", "2"]);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      final_status: "failed",
      tasks: [{ outcome: "limit_reached", reviews: 2 }],
    });
    expect(stdout).toContain("REJECTED");
  });
});
