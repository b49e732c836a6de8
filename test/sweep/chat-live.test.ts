import { expect, test } from "vitest";
import { TERMINAL_RESTORED, LiveChat } from "../rig/chat-live.ts";
import { ChatRig } from "../rig/chat.ts";
import { CLI, until } from "../rig/rig.ts";
import { expectEvidence } from "./chat-outcome.ts";
import { noSurvivors, onlyRun } from "./outcome.ts";
import { KILL_AFTER, sweepIn, upTo } from "./points.ts";

const STORY = [
  ...["run_started", "live_started", "input_given"],
  ...["live_turn_ended", "check_ended", "turn_started", "review_ended", "attempt_judged", "feedback_sent"],
  ...["live_turn_ended", "check_ended", "turn_started", "review_ended", "attempt_judged"],
  ...["live_ended", "run_ended"],
];
const FLAGS = ["--check", "test -s hello.txt"];
const USABLE = "[the terminal is the person's again]";
const LOST = "[the terminal is lost]";
/** An agent that was killed during its first work may have saved no session. */
const NO_SESSION = "No conversation found";
/** The person resumes in the same terminal as soon as the killed program has released it. */
const AND_RESUME = `settings=$(stty -g)
"$@"
tries=0
until [ "$(stty -g)" = "$settings" ] || [ "$tries" = 200 ]; do sleep 0.05; tries=$((tries + 1)); done
printf '\\033[H\\033[2J\\033[3J'
[ "$(stty -g)" = "$settings" ] && echo "${USABLE}" || echo '${LOST}'
exec '${process.execPath}' '${CLI}' resume "$(ls "$AGENT_FOREMAN_HOME/runs")"`;

/** The first work is incomplete, and the first review rejects it. */
const newRig = (): ChatRig =>
  new ChatRig({
    work: [{ write: { "hello.txt": "hello\n" } }, { write: { "hello.txt": "hello world\n" } }],
    reviews: [{ say: "there is no world in it" }, { say: "[TASK_COMPLETED]" }],
  });

test("chat --supervisor: SIGKILL after every append, and resume in the same terminal", async () => {
  await expectStory();
  await sweepIn(
    newRig,
    upTo(STORY.length),
    (n) => `after append ${n} (${STORY[n - 1]})`,
    async (n, rig) => {
      const words = [
        process.execPath,
        "--import",
        KILL_AFTER,
        CLI,
        "chat",
        "--supervisor",
        "--no-clean-room",
        ...FLAGS,
      ];
      const chat = new LiveChat(rig, [], {
        words: ["/bin/sh", "-c", AND_RESUME, "sh", ...words],
        env: { SWEEP_KILL: `after:${n}` },
      });
      await tellStory(chat, rig, n);
      expect(await chat.shows(/\[the terminal .*\]/)).toContain(USABLE);
      const types = rig.events(onlyRun(rig)).map(({ type }) => type);
      expect(types.slice(0, n)).toEqual(STORY.slice(0, n));
      await goOn(chat, rig, n);
      const code = await chat.ended;
      await chat.shows(TERMINAL_RESTORED);
      await noSurvivors(rig);
      expectEnd(rig, code, STORY[n - 1] === "input_given" && chat.text().includes(NO_SESSION));
    },
  );
});

/** The undisturbed conversation. */
async function expectStory(): Promise<void> {
  const rig = newRig();
  const chat = new LiveChat(rig, FLAGS);
  await tellStory(chat, rig, STORY.length);
  expect(await chat.ended).toBe(0);
  expect(rig.events(onlyRun(rig)).map(({ type }) => type)).toEqual(STORY);
  rig.dispose();
}

/** The person's actions until the program is killed. */
async function tellStory(chat: LiveChat, rig: ChatRig, killedAt: number): Promise<void> {
  if (killedAt < STORY.indexOf("input_given") + 1) return;
  await chat.ready();
  await chat.ask("write hello world");
  if (killedAt <= STORY.lastIndexOf("attempt_judged") + 1) return;
  await rig.happens("attempt_judged", 2);
  await chat.ask("/exit");
}

/** Reviews and messages continue automatically. An agent that was killed at work needs the prompt again. */
async function goOn(chat: LiveChat, rig: ChatRig, killedAt: number): Promise<void> {
  if (killedAt > STORY.lastIndexOf("attempt_judged") + 1) return;
  // An agent that exits at once is reported below.
  await Promise.race([chat.ready(), chat.ended]);
  if (chat.text().includes(NO_SESSION)) return;
  const wasAtWork = ["run_started", "live_started", "input_given", "feedback_sent"];
  if (wasAtWork.includes(STORY[killedAt - 1] ?? "")) await chat.ask("go on");
  await until(() => rig.eventsOf("attempt_judged").some(({ verdict }) => verdict === "accepted"));
  await chat.ask("/exit");
}

/** Accepted by evidence. If the session was lost, nothing was accepted, and the screen says that. */
function expectEnd(rig: ChatRig, code: number, isSessionLost: boolean): void {
  const events = rig.events(onlyRun(rig));
  expectEvidence(events);
  expect(events.filter(({ type }) => type === "run_ended")).toHaveLength(1);
  const outcomes = rig.chatReport(onlyRun(rig)).tasks.map(({ outcome }) => outcome);
  expect([code, outcomes.at(-1)]).toEqual(isSessionLost ? [1, "not_reviewed"] : [0, "accepted"]);
}
