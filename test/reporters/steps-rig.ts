import { describe } from "vitest";
import type { RunEvent } from "../../src/domain/event.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import type { Lang } from "../../src/domain/settings.ts";
import type { RunState } from "../../src/domain/state.ts";
import { DONE, type ReviewItem } from "../../src/domain/step.ts";
import type { LiveEvent } from "../../src/reporters/reporter.ts";
import { aStep } from "../rig/steps-story.ts";
import { open, pipe, tty } from "./rig.ts";

/** Something that happens, or so many milliseconds that pass. */
export type Told = RunEvent | LiveEvent | number;

const LIVE = new Set<string>([
  "phase_started",
  "output",
  "check_output",
  "review_words",
  "activity",
  "waiting",
  "stopping",
]);
const isLive = (one: RunEvent | LiveEvent): one is LiveEvent => LIVE.has(one.type);

export function tell(to: ReturnType<typeof open>, story: readonly Told[]): RunState {
  let state: RunState | undefined;
  for (const one of story) {
    if (typeof one === "number") to.clock.advance(one);
    else if (isLive(one)) to.reporter.live(one);
    else {
      const at = new Date(to.clock.now()).toISOString();
      state = state ? fold(state, one, at) : begin(one, at);
      to.reporter.event(one, state);
    }
  }
  if (!state) throw new Error("nothing was told");
  return state;
}

const READERS = {
  "on a terminal": () => ({ stdout: tty(200), stderr: tty(200) }),
  "through a pipe": () => ({ stdout: pipe(), stderr: pipe() }),
  "on a terminal, history piped": () => ({ stdout: pipe(), stderr: tty(200) }),
} as const;
export const everyReader = describe.each(Object.keys(READERS) as (keyof typeof READERS)[]);

/** What a story leaves on stdout, with the summary where the foreman leaves. */
export function shown(
  reader: keyof typeof READERS,
  lang: Lang,
  story: readonly Told[],
  leave = false,
): readonly string[] {
  const streams = READERS[reader]();
  const to = open(streams, { lang });
  const state = tell(to, story);
  if (leave) to.reporter.leave(state);
  return streams.stdout.text.split("\n").slice(0, -1);
}

export const piped = (lang: Lang, story: readonly Told[], leave = false): readonly string[] =>
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
