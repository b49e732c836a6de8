import { expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { storyLines } from "../../src/screens/show/run-story.ts";
import { moments } from "../commands/fixtures.ts";
import { exited, profile, ran, started, turnFailed, turnStarted } from "../rig/story.ts";
import { open, pipe, tty } from "./rig.ts";
import { play } from "./steps-rig.ts";

const LEAKED = [{ pid: 4242, command: "node server.js" }];
const STORY: readonly RunEvent[] = [
  started({ agentCmd: null, agents: [profile("claude")] }, { interactive: true }),
  turnStarted(1, 1, "claude"),
  { ...turnFailed(1, 1, "claude", "overloaded"), process: { ...ran("claude", exited(1)), leaked: LEAKED } },
];
/** The event's text after the prefix of each output. */
const SAID = [
  "claude is overloaded or has server errors; no attempt spent",
  "| claude: overloaded",
  "1 process outlived its command and was ended",
  "| 4242 node server.js",
];

/** The history on stdout without the prefixes. */
function history(stream: () => ReturnType<typeof tty>): readonly string[] {
  const stdout = stream();
  play(open({ stdout, stderr: stream() }, { env: { TERM: "xterm", NO_COLOR: "1" } }), STORY);
  return stdout.text.trimEnd().split("\n").slice(-4);
}

test("an event says the same in every output, each in its own layout", () => {
  const [failed = "", quote = "", leaked = "", process = ""] = SAID;
  expect(history(() => tty(300))).toEqual([`~ 1 ${failed}`, `  ${quote}`, `! ${leaked}`, `  ${process}`]);
  expect(history(pipe).map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""))).toEqual([
    `agent   1/3 ${failed}`,
    `  ${quote}`,
    `agent   ${leaked}`,
    `  ${process}`,
  ]);
});

test("show prints it, too", () => {
  const to = open({ stdout: pipe(), stderr: pipe() });
  const state = play(to, STORY);
  const view = { texts: commandTexts.en.show, terms: terminalTexts.en };
  const evidence: KeptFiles = { conditionOf: () => "same", excerptOf: () => [], firstLineOf: () => "" };
  const recorded = moments(STORY.map((event) => ({ at: state.updatedAt, event })));
  const lines = storyLines(recorded, evidence, view).map(({ lead, text }) => `${lead ?? ""}${text}`);
  expect(lines.slice(-4).map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""))).toEqual([
    `agent   1/3 ${SAID[0]}`,
    `  ${SAID[1]}`,
    `agent   ${SAID[2]}`,
    `  ${SAID[3]}`,
  ]);
});
