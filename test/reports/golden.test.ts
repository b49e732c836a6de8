import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Lang } from "../../src/core/settings.ts";
import { fold } from "../../src/core/fold.ts";
import { outcomeOf } from "../../src/core/end.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";
import { progressMarkdown } from "../../src/modes/steps/progress.ts";
import { workOf } from "../../src/modes/registry.ts";
import { STORIES } from "../reporters/golden-stories.ts";
import { open, pipe } from "../reporters/rig.ts";
import { play, type StoryItem } from "../reporters/steps-rig.ts";

/** What the agent is sent after each verdict of one eventful run per mode, and its reports. Update them with `vitest -u` and read the difference. */

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?(?: [+-]\d\d:\d\d)?/g;

function inLanguage(one: StoryItem, lang: Lang): StoryItem {
  const isStart = typeof one === "object" && one.type === "run_started";
  return isStart ? { ...one, settings: { ...one.settings, lang } } : one;
}

function written(story: readonly StoryItem[], lang: Lang): string {
  const parts: string[] = [];
  const to = open({ stdout: pipe(), stderr: pipe() });
  const feedback = (state: RunState): void => {
    const attempt = lastAttempt(state);
    if (!attempt?.judged) return;
    const text = workOf(state.settings).feedback(state, attempt, attempt.judged, null);
    parts.push(`=== feedback on attempt ${attempt.index}\n${text}`);
  };
  const reporter = {
    ...to.reporter,
    live: () => undefined,
    event: ({ type }: { readonly type: string }, after: RunState) => {
      if (type === "attempt_judged") feedback(after);
    },
  };
  const state = play(
    { ...to, reporter },
    story.map((one) => inLanguage(one, lang)),
  );
  const { settings } = state;
  if (settings.mode === "run") parts.push(`=== progress\n${progressMarkdown(state, settings)}`);
  if (lang === "en") {
    const atEnd = outcomeOf(state)
      ? state
      : fold(state, { type: "run_stopped", by: "no_agent_available" }, state.updatedAt);
    const report = workOf(settings).report(atEnd, settings, "/journal");
    parts.push(`=== report\n${JSON.stringify(report, null, 2)}\n`);
  }
  return parts.join("\n").replaceAll(TIME, "<time>");
}

describe.each(Object.entries(STORIES))("%s", (name, story) => {
  test.each(["en", "zh"] as const)("%s", async (lang) => {
    await expect(written(story, lang)).toMatchFileSnapshot(
      join(import.meta.dirname, "..", "golden", "reports", `${name}.${lang}.txt`),
    );
  });
});
