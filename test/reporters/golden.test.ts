import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runStatus } from "../../src/core/run-status.ts";
import { runTime } from "../../src/core/run-time.ts";
import type { Lang } from "../../src/core/settings.ts";
import type { RunState } from "../../src/core/state.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import { Page, type Line } from "../../src/ui/page.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { nextLines, placeLines } from "../../src/screens/show/run-places.ts";
import { lastLines, storyHead, storyLines, type Moment } from "../../src/screens/show/run-story.ts";
import { runTable } from "../../src/screens/show/run-table.ts";
import { open, pipe, tty } from "./rig.ts";
import { STORIES } from "./golden-stories.ts";
import { play, type StoryItem } from "./steps-rig.ts";

/** The complete outputs of one eventful run per mode, for every kind of reader. Update them with `vitest -u` and read the difference. */

const EVIDENCE: KeptFiles = {
  conditionOf: () => "same",
  excerptOf: () => [{ leftOut: 3 }, { text: "pager > keeps the last page" }],
  firstLineOf: () => "The 404 case is missing.",
};

function reported(story: readonly StoryItem[], lang: Lang, sink: "terminal" | "pipe" | "quiet"): string {
  const streams =
    sink === "terminal" ? { stdout: tty(110), stderr: tty(110) } : { stdout: pipe(), stderr: pipe() };
  const env = { TERM: "xterm", ...(sink === "terminal" ? {} : { NO_COLOR: "1" }) };
  const to = open(streams, { lang, env, verbose: true, ...(sink === "quiet" && { mode: "quiet" }) });
  to.reporter.leave(play(to, story));
  return streams.stdout.text;
}

/** The run in `show` and its line in `runs`. */
function shown(story: readonly StoryItem[], lang: Lang): string {
  const stream = tty(110);
  const page = new Page(stream.stream, { terminal: true, color: true });
  const { state, moments } = recorded(story);
  const view = { texts: commandTexts[lang].show, terms: terminalTexts[lang] };
  const status = runStatus(state, state.ended === null);
  const places = {
    runDir: null,
    transcripts: "/turns",
    journal: "/journal",
    reportExists: true,
    tornBytes: 0,
  };
  const entry = { runId: state.runId, status, state, live: false };
  const { texts } = view;
  const lines: Line[] = [
    ...storyHead(state, status, runTime(state), view),
    ...storyLines(moments, EVIDENCE, view),
    ...lastLines(state, status, view),
    ...placeLines(state, status, places, texts),
    ...nextLines(state, status, "/project", texts),
    ...runTable([entry], { texts: commandTexts[lang].runs, now: 0, columns: null }),
  ];
  page.print(lines);
  return stream.text;
}

function recorded(story: readonly StoryItem[]): { state: RunState; moments: readonly Moment[] } {
  const moments: Moment[] = [];
  const to = open({ stdout: pipe(), stderr: pipe() });
  const { reporter } = to;
  const event: typeof reporter.event = (one, after) => void moments.push({ event: one, state: after });
  return { state: play({ ...to, reporter: { ...reporter, event } }, story), moments };
}

const COLORS = new RegExp(String.raw`\u001b\[(\d+)m`, "gu");

describe.each(Object.entries(STORIES))("%s", (name, story) => {
  test.each(["en", "zh"] as const)("%s", async (lang) => {
    const sinks = {
      terminal: reported(story, lang, "terminal"),
      pipe: reported(story, lang, "pipe"),
      quiet: reported(story, lang, "quiet"),
      show: shown(story, lang),
    };
    const text = Object.entries(sinks)
      .map(([sink, lines]) => `=== ${sink}\n${lines}`)
      .join("\n")
      .replace(COLORS, "<$1>");
    await expect(text).toMatchFileSnapshot(
      join(import.meta.dirname, "..", "golden", "outputs", `${name}.${lang}.txt`),
    );
  });
});
