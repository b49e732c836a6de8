import { begin } from "../../src/modes/registry.ts";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fs from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { chatControl, type ReviewControl } from "../../src/cli/chat-control.ts";
import { runLockName, treeLockName } from "../../src/cli/run-store.ts";
import type { RunEvent, RunStarted } from "../../src/core/event.ts";
import { Failure } from "../../src/platform/failure.ts";
import { receive } from "../../src/core/message.ts";
import type { RunState } from "../../src/core/state.ts";
import { Inbox } from "../../src/core/journal/inbox.ts";
import { Journal } from "../../src/core/journal/journal.ts";
import { acquireLock, type Lock } from "../../src/core/journal/lock.ts";
import { RunStore, type RunPaths } from "../../src/core/journal/run-store.ts";
import { ChatStory } from "../rig/chat-story.ts";
import { AT } from "../rig/story.ts";
import { fakeIo, makeRun, started, type FakeIo } from "./fixtures.ts";

const RUN = "1116-k3f7";
const live = (): ChatStory => ChatStory.live({}, { runId: RUN });

function madeFrom({ events }: ChatStory, io: FakeIo): RunPaths {
  return makeRun(io.home, events as unknown as [RunStarted, ...RunEvent[]]);
}

function released(lock: Lock | { readonly heldBy: string }): void {
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy}`);
  onTestFinished(() => lock.release());
}

/** Handles the run's messages like its supervisor. */
async function supervise(paths: RunPaths, io: FakeIo): Promise<() => RunState> {
  released(await acquireLock(runLockName(new RunStore(io.home, begin), RUN), RUN));
  const journal = Journal.open(paths.journal, RUN, begin);
  const inbox = new Inbox(paths.inbox);
  const poll = setInterval(() => {
    const message = inbox.peek();
    if (!message) return;
    const event = receive(journal.state, message);
    if (event) journal.append(event, AT);
    inbox.remove(message.id);
  }, 5);
  onTestFinished(() => {
    clearInterval(poll);
    journal.close();
  });
  return () => journal.state;
}

async function failure(wish: ReviewControl, run: string | undefined, io: FakeIo): Promise<Failure> {
  try {
    await chatControl(wish, run, {}, io);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("it was granted");
}

describe("a person's command about reviews", () => {
  test.each<[ReviewControl, string]>([
    ["pause", "paused"],
    ["stop", "stopped"],
  ])("%s is accepted, and repeating it is no error", async (wish, reviews) => {
    const io = fakeIo();
    const state = await supervise(madeFrom(live(), io), io);
    expect(await chatControl(wish, RUN, {}, io)).toBe(0);
    expect(state().chat?.reviews).toBe(reviews);
    expect(await chatControl(wish, RUN, {}, io)).toBe(0);
    expect(io.text().split("\n")).toEqual([
      expect.stringContaining(`✓ run ${RUN} reviews nothing`),
      expect.stringContaining(`✓ run ${RUN} reviews nothing`),
      "",
    ]);
  });

  test("go-on ends a pause, and works without one", async () => {
    const io = fakeIo({ lang: "zh" });
    const state = await supervise(madeFrom(live().sets("paused"), io), io);
    await chatControl("go-on", RUN, {}, io);
    expect(state().chat?.reviews).toBe("on");
    await chatControl("go-on", RUN, {}, io);
    expect(io.text()).toBe(`✓ 运行 ${RUN} 恢复评审\n`.repeat(2));
  });

  test("a stopped conversation does not continue", async () => {
    const io = fakeIo();
    const state = await supervise(madeFrom(live().sets("stopped"), io), io);
    expect(await failure("go-on", RUN, io)).toMatchObject({ code: "reviews_stopped", exitCode: 2 });
    expect(await failure("pause", RUN, io)).toMatchObject({ code: "reviews_stopped" });
    expect(state().chat?.reviews).toBe("stopped");
  });

  test("skip drops the review that is due", async () => {
    const io = fakeIo();
    const state = await supervise(madeFrom(live().asks().stops(), io), io);
    await chatControl("skip", RUN, {}, io);
    expect(state().attempts.at(-1)?.chat?.settled).toBe("skipped");
    expect(io.text()).toBe(`✓ run ${RUN} goes on without this review\n`);
  });

  test("skip says if there is nothing to skip", async () => {
    const io = fakeIo();
    await supervise(madeFrom(live().asks(), io), io);
    expect(await chatControl("skip", RUN, {}, io)).toBe(0);
    expect(io.text()).toBe(`run ${RUN} reviews nothing now\n`);
  });
});

describe("the selected run", () => {
  test("within the conversation, the agent's run", async () => {
    const io = fakeIo({ env: { AGENT_FOREMAN_CHAT: RUN } });
    const state = await supervise(madeFrom(live(), io), io);
    await chatControl("pause", undefined, {}, io);
    expect(state().chat?.reviews).toBe("paused");
  });

  test("elsewhere, the run of the work tree", async () => {
    const io = fakeIo();
    const state = await supervise(madeFrom(live(), io), io);
    released(await acquireLock(treeLockName(io.cwd), RUN));
    spawnSync("git", ["init", "--quiet"], { cwd: io.cwd });
    const below = join(io.cwd, "below");
    fs.mkdirSync(below);
    await chatControl("pause", undefined, {}, { ...io, cwd: below });
    expect(state().chat?.reviews).toBe("paused");
    await chatControl("stop", undefined, { cwd: below }, { ...io, cwd: "/" });
    expect(state().chat?.reviews).toBe("stopped");
  });

  test("none", async () => {
    const none = await failure("pause", undefined, fakeIo());
    expect(none).toMatchObject({ code: "chat_not_running", exitCode: 2, about: {} });
  });

  test.each<[string, string, string]>([
    ["unknown", "1116-zzzz", "run_not_found"],
    ["misspelt", "../x", "run_id_invalid"],
  ])("one that is %s", async (_, run, code) => {
    expect((await failure("pause", run, fakeIo())).code).toBe(code);
  });
});

describe("a run without reviews gets no message", () => {
  test.each<[string, ChatStory, string]>([
    ["ended", live().leaves().ends("passed", "nothing_asked"), "run_has_ended"],
    ["left by the agent", live().leaves(), "chat_not_running"],
    ["a script's", new ChatStory({}, { runId: RUN }), "chat_not_running"],
  ])("%s", async (_, story, code) => {
    const io = fakeIo();
    const paths = madeFrom(story, io);
    await supervise(paths, io);
    expect(await failure("skip", RUN, io)).toMatchObject({ code, about: { runId: RUN } });
  });

  test("of another mode", async () => {
    const io = fakeIo();
    await supervise(makeRun(io.home, [started(RUN)]), io);
    expect((await failure("pause", RUN, io)).code).toBe("chat_not_running");
  });

  test("a run without a supervisor", async () => {
    const io = fakeIo();
    const paths = madeFrom(live(), io);
    expect(await failure("pause", RUN, io)).toMatchObject({
      code: "chat_not_running",
      about: { runId: RUN },
    });
    expect(new Inbox(paths.inbox).peek()).toBeUndefined();
  });
});
