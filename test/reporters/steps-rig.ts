import { describe, expect } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { foldWithRuns } from "../rig/room-runs.ts";
import { begin } from "../../src/modes/registry.ts";
import type { Lang } from "../../src/core/settings.ts";
import type { RunState } from "../../src/core/state.ts";
import { DONE, type ReviewItem } from "../../src/core/step.ts";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import { aStep } from "../rig/steps-story.ts";
import { open, pipe, tty } from "./rig.ts";

/** An event, or a number of milliseconds that pass. */
export type StoryItem = RunEvent | LiveEvent | number;

const LIVE = new Set<string>([
  "phase_started",
  "output",
  "check_output",
  "turn_output",
  "review_words",
  "activity",
  "waiting",
  "stopping",
]);
export const isLive = (one: { readonly type: string }): one is LiveEvent => LIVE.has(one.type);

export function play(to: ReturnType<typeof open>, story: readonly StoryItem[]): RunState {
  let state: RunState | undefined;
  for (const one of story) {
    if (typeof one === "number") to.clock.advance(one);
    else if (isLive(one)) to.reporter.live(one);
    else {
      const at = new Date(to.clock.now()).toISOString();
      state = state ? foldWithRuns(state, one, at) : begin(one, at);
      to.reporter.event(one, state);
    }
  }
  if (!state) throw new Error("the story has no event");
  return state;
}

const READERS = {
  "on a terminal": () => ({ stdout: tty(300), stderr: tty(300) }),
  "through a pipe": () => ({ stdout: pipe(), stderr: pipe() }),
  "on a terminal, history piped": () => ({ stdout: pipe(), stderr: tty(300) }),
} as const;
export const everyReader = describe.each(Object.keys(READERS) as (keyof typeof READERS)[]);

/**
 * A story's output on stdout, with the final summary. In a pipe, every unindented line of the history begins with the time, which is checked and
 * removed here.
 */
export function shown(
  reader: keyof typeof READERS,
  lang: Lang,
  story: readonly StoryItem[],
  leave = false,
): readonly string[] {
  const streams = READERS[reader]();
  const to = open(streams, { lang });
  const state = play(to, story);
  const before = streams.stdout.text;
  if (leave) to.reporter.leave(state);
  const { mode } = state.settings;
  const isStamped = reader !== "on a terminal" && mode !== "supervise" && mode !== "chat";
  const lines = before.split("\n").slice(0, -1);
  const stripped = isStamped ? lines.map(withoutTime) : lines;
  return [...stripped, ...streams.stdout.text.slice(before.length).split("\n").slice(0, -1)];
}

function withoutTime(line: string): string {
  if (line.startsWith("  ")) return line;
  expect(line).toMatch(/^\d\d:\d\d:\d\d \S/u);
  return line.slice("09:00:00 ".length);
}

export const piped = (lang: Lang, story: readonly StoryItem[], leave = false): readonly string[] =>
  shown("through a pipe", lang, story, leave);

export const STEPS = [
  aStep("001", { file: "001-schema.json", status: DONE }),
  aStep("002", {
    file: "002-service.json",
    description: "Add the refund service\nand more",
    verification: [
      { type: "unit", description: "refunds are stored" },
      { type: "manual", description: "the page shows them" },
    ],
  }),
  aStep("003", { file: "003-page.json" }),
];
export const passed = (item: number): ReviewItem => ({ item, passed: true, evidence: "seen" });
export const failed = (item: number, evidence: string): ReviewItem => ({ item, passed: false, evidence });
