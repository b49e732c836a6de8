import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import type { ChatDoing, ChatEnded, ChatRig } from "../rig/chat.ts";
import { chatRig, TASK } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";
const QUESTION = "Should the greeting be English or French?";

async function shown(rig: ChatRig): Promise<string> {
  return (await rig.run(["show", rig.runIds()[0] ?? ""])).stdout;
}

/** Task and review in the list of runs. */
async function places(rig: ChatRig): Promise<string | undefined> {
  return /#\d+ \d+\/\d+/.exec((await rig.run(["runs"])).stdout)?.[0];
}

async function reviewedBy(review: ChatDoing, flags: readonly string[] = []): Promise<[ChatRig, ChatEnded]> {
  const rig = chatRig({ reviews: [review] });
  return [rig, await rig.print(TASK, flags)];
}

/** The content of the file that the summary names. */
function outputOf({ stdout }: ChatEnded): string {
  return fs.readFileSync(/^ {2}output {2}(.*)$/m.exec(stdout)?.[1] ?? "", "utf8");
}

describe("the words for a reviewer that could not review", () => {
  test("one that was killed is called the reviewer, with its exit code", async () => {
    const [rig, { code, stdout }] = await reviewedBy({ kill: "SIGKILL" });
    const how = "reviewer claude ended with an error, exit 137 (SIGKILL)";
    expect(code).toBe(1);
    expect(stdout).toContain(`review  1/5 failed: ${how}`);
    expect(stdout).toContain(`  why     the reviewer's turn failed: ${how} (review_failed)\n`);
    expect(await shown(rig)).toContain(` review  1/5 failed: ${how}`);
  });

  test("one that cannot reach its service is not called the agent", async () => {
    const [rig, { code, stdout }] = await reviewedBy({ fails: "API Error: Connection refused" }, [
      ...["--max-wait", "0"],
    ]);
    const what = "reviewer claude cannot reach its API";
    expect(code).toBe(4);
    expect(stdout).toMatch(new RegExp(` review {2}1/5 ${what}; no attempt spent$`, "m"));
    expect(stdout).toContain(`\n! WAIT LIMIT reached (--max-wait 0): ${what}`);
    expect(stdout).toContain(`\n  review  ${what}: API Error: Connection refused\n`);
    expect(await shown(rig)).toContain(` review  1/5 ${what}; no attempt spent\n`);
  });

  test("an agent that cannot reach its service is called by its name", async () => {
    const rig = chatRig({ work: [{ fails: "API Error: Connection refused" }] });
    const { code, stdout } = await rig.print(TASK, ["--max-wait", "0"]);
    expect(code).toBe(4);
    expect(stdout).toMatch(/ agent {3}1\/5 claude cannot reach its API; no attempt spent$/m);
    expect(stdout).toContain("\n  agent   claude cannot reach its API: API Error: Connection refused\n");
  });

  test("the summary of one without an answer names a file that is not empty", async () => {
    const [, ended] = await reviewedBy({ say: "" });
    expect(outputOf(ended)).not.toBe("");
  });

  test("the summary names the error output where the reason is", async () => {
    const [, ended] = await reviewedBy({ error: "no such model\n", exit: 1 });
    expect(outputOf(ended)).toContain("no such model");
  });
});

describe("the words for the end", () => {
  test("a question is not called a failure", async () => {
    const rig = chatRig({ work: [{ say: QUESTION }], reviews: [{ say: "[WAITING_FOR_USER]" }] });
    const { code, stdout, runId } = await rig.print(TASK);
    expect(code).toBe(3);
    expect(stdout).toContain(`run     ${runId} ended: waits for your answer, exit 3\n`);
    expect(await shown(rig)).toContain(" ended: waits for your answer, exit 3 (waiting_for_user)\n");
    const skipped = await rig.run(["chat", "skip", runId]);
    expect(skipped.stderr).toContain(`run ${runId} has ended: waits for your answer`);
    const chinese = (await rig.run(["show", runId, "--lang", "zh"])).stdout;
    expect(chinese).toContain(" 结束：等你回答，退出码 3 (waiting_for_user)\n");
  });

  test("--quiet prints the agent's question", async () => {
    const rig = chatRig({
      work: [{ say: `Two ways.\n${QUESTION}` }],
      reviews: [{ say: "[WAITING_FOR_USER]" }],
    });
    const { code, stdout } = await rig.print(TASK, ["--quiet"]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^\? NOT ACCEPTED YET: the agent waits for your answer/);
    expect(stdout).toContain(`\n  | Two ways.\n  | ${QUESTION}\n`);
  });

  test("a chat without input has not passed", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    expect(await chat.leave()).toBe(0);
    expect(await shown(rig)).toContain(" ended: nothing was asked, exit 0 (nothing_asked)\n");
  });
});

describe("counters", () => {
  test("show names the feedback of each review, also of the last", async () => {
    const rig = chatRig({ reviews: [{ say: MISSING }] });
    expect((await rig.print(TASK, ["--max-reviews", "2"])).code).toBe(1);
    const afterVerdicts = [...(await shown(rig)).matchAll(/ rejected: .*\n(.*)/g)].map(([, next]) => next);
    expect(afterVerdicts).toEqual([
      expect.stringContaining("attempt-1/feedback.md"),
      expect.stringContaining("attempt-2/feedback.md"),
    ]);
  });

  test.each(["skip", "pause"])("runs counts a review that chat %s broke off once", async (action) => {
    const rig = chatRig({ reviews: [{ hang: true }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    expect(await places(rig)).toBe("#1 1/5");
    expect((await rig.run(["chat", action])).code).toBe(0);
    await rig.happens("turn_interrupted");
    expect(await places(rig)).toBe("#1 1/5");
    expect(await chat.leave()).toBe(1);
    expect(await places(rig)).toBe("#1 1/5");
  });

  test("runs counts a review once that ended with the agent", async () => {
    const rig = chatRig({ reviews: [{ hang: true }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    expect(await chat.leave()).toBe(1);
    expect(await places(rig)).toBe("#1 1/5");
  });

  test("runs counts a review that a signal broke off once", async () => {
    const rig = chatRig({ reviews: [{ hang: true }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    process.kill(chat.foreman(), "SIGTERM");
    expect(await chat.ended).toBe(143);
    expect(await places(rig)).toBe("#1 1/5");
  });
});

describe("a flag that does not fit", () => {
  test("--model for an agent that does not take part names each agent once", async () => {
    const { code, stderr } = await chatRig().run(["chat", "--print", TASK, "--model", "codex=opus"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--model codex=opus: the agents of this run are claude\n");
  });

  test("--marker with the words of the other marker is the flag that the message names", async () => {
    const { code, stderr } = await chatRig().run(["chat", "--print", TASK, "--marker", "[WAITING_FOR_USER]"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--marker must differ from --waiting-marker: [WAITING_FOR_USER]\n");
  });
});
