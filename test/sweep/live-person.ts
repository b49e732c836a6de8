import { expect } from "vitest";
import { lastTask } from "../../src/modes/chat/reviews.ts";
import { lastAttempt, type RunState, taskOf } from "../../src/core/state.ts";
import { LiveChat } from "../rig/chat-live.ts";
import { ChatRig } from "../rig/chat.ts";
import { CLI, type Ended, type StartOptions } from "../rig/rig.ts";
import { expectEvidence } from "./chat-outcome.ts";
import { recordedState } from "./faults.ts";
import { onlyRun } from "./outcome.ts";

export const LIVE_ARGS: readonly string[] = ["chat", "--supervisor", "--check", "test -s hello.txt"];
const KILLED = 137;
const LOST = 99;
const LOOK_MS = 50;
const HANGS_AFTER_MS = 180_000;
/** An agent that was killed during its first work may have saved no session. */
const NO_SESSION = "No conversation found";
/** A person's shell. The terminal may return to it a moment after the program was killed. */
const UNTIL_GIVEN_BACK = `settings=$(stty -g)
"$@"
code=$?
tries=0
until [ "$(stty -g)" = "$settings" ] || [ "$tries" = 200 ]; do sleep 0.05; tries=$((tries + 1)); done
[ "$(stty -g)" = "$settings" ] || code=${LOST}
exit "$code"`;

/** The first work is incomplete, and the first review rejects it. */
export function liveRig(): ChatRig {
  const rig = new ChatRig({
    work: [{ write: { "hello.txt": "hello\n" } }, { write: { "hello.txt": "hello world\n" } }],
    reviews: [{ say: "there is no world in it" }, { say: "[TASK_COMPLETED]" }],
  });
  rig.alwaysWith({ cleanRoom: true });
  return rig;
}

/** A person works with the agent until the work is accepted or the program is killed. */
export async function atTerminal(
  rig: ChatRig,
  args: readonly string[],
  { preload, env }: StartOptions = {},
): Promise<Ended> {
  const node = [process.execPath, ...(preload === undefined ? [] : ["--import", preload])];
  const words = ["/bin/sh", "-c", UNTIL_GIVEN_BACK, "sh", ...node, CLI, ...rig.words(args)];
  const before = stateOf(rig);
  const chat = new LiveChat(rig, [], { words, ...(env && { env }) });
  const person = new Person(chat, rig, before);
  const code = await person.untilTheEnd();
  expect(code, "the terminal is not given back").not.toBe(LOST);
  await person.looksUntil(() => !chat.modes.paste && !chat.modes.focus);
  expect(chat.modes).toEqual({ paste: false, focus: false });
  const killed = code === KILLED;
  return { code: killed ? null : code, signal: killed ? "SIGKILL" : null, stdout: chat.text(), stderr: "" };
}

/** The number of events in an undisturbed conversation. */
export async function undisturbedEvents(): Promise<number> {
  const rig = liveRig();
  const ended = await atTerminal(rig, LIVE_ARGS);
  expectAccepted(rig, ended);
  const { length } = rig.events(onlyRun(rig));
  rig.dispose();
  return length;
}

/** Accepted by evidence. If the session was lost, nothing was accepted, and the screen says that. */
export function expectAccepted(rig: ChatRig, { code, stdout }: Ended): void {
  const events = rig.events(onlyRun(rig));
  expectEvidence(events);
  expect(events.filter(({ type }) => type === "run_ended")).toHaveLength(1);
  const outcome = rig.chatReport(onlyRun(rig)).tasks.at(-1)?.outcome;
  expect([code, outcome]).toEqual(stdout.includes(NO_SESSION) ? [1, "not_reviewed"] : [0, "accepted"]);
}

/** A killed run does not disturb the next one in the same project. */
export async function expectNextRun(rig: ChatRig): Promise<void> {
  const next = await rig.run(["chat", "--print", "write hello world", "--check", "test -s hello.txt"]);
  expect(next.code, next.stdout + next.stderr).toBe(0);
}

function stateOf(rig: ChatRig): RunState | undefined {
  try {
    return recordedState(rig);
  } catch {
    // The last line is incomplete.
    return undefined;
  }
}

const feedbackCount = ({ attempts }: RunState): number =>
  attempts.filter(({ chat }) => chat?.settled === "feedback_sent").length;

class Person {
  readonly #chat: LiveChat;
  readonly #rig: ChatRig;
  readonly #before: RunState | undefined;
  #isOver = false;

  constructor(chat: LiveChat, rig: ChatRig, before: RunState | undefined) {
    this.#chat = chat;
    this.#rig = rig;
    this.#before = before;
    void chat.ended.then(() => (this.#isOver = true));
  }

  async untilTheEnd(): Promise<number> {
    const hangs = setTimeout(() => this.#chat.close(), HANGS_AFTER_MS);
    await this.#untilOver(() => /^❯ /m.test(this.#chat.text()));
    while (!this.#isOver) {
      const state = stateOf(this.#rig);
      if (state?.chat?.live === "running" && !this.#isAtWork(state)) await this.#types(state);
      await pause();
    }
    clearTimeout(hangs);
    return this.#chat.ended;
  }

  /** Waits a few seconds at most. */
  async looksUntil(done: () => boolean): Promise<void> {
    for (let look = 0; look < 100 && !done(); look++) await pause();
  }

  /** The agent works, or its work is under review. An agent that was killed at work has lost its task. */
  #isAtWork(state: RunState): boolean {
    const attempt = lastAttempt(state);
    if (attempt?.chat?.task !== taskOf(state))
      return taskOf(state) > (this.#before ? taskOf(this.#before) : 0);
    const { settled } = attempt.chat;
    if (settled !== "feedback_sent") return settled === null;
    return feedbackCount(state) > (this.#before ? feedbackCount(this.#before) : 0);
  }

  async #types(state: RunState): Promise<void> {
    const text = lastTask(state) === "accepted" ? "/exit" : "write hello world";
    this.#chat.press(text);
    await this.#untilOver(() => new RegExp(`^❯ ${text}$`, "m").test(this.#chat.text()));
    this.#chat.press("\r");
    await this.#untilOver(() => taskOf(stateOf(this.#rig) ?? state) > taskOf(state));
  }

  async #untilOver(done: () => boolean): Promise<void> {
    while (!this.#isOver && !done()) await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
