import { describe, expect, test } from "vitest";
import { DOING } from "../../src/core/step.ts";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import { marked, reviewStarted, stepsStarted, stepStarted } from "../rig/steps-story.ts";
import { turnStarted } from "../rig/story.ts";
import { open, pipe, Screen } from "./rig.ts";
import { STEPS, play, type StoryItem } from "./steps-rig.ts";

describe("current activity", () => {
  const phase = (name: "agent" | "review", attempt = 1): LiveEvent => ({
    type: "phase_started",
    attempt,
    phase: name,
    command: "claude --headless",
    encoded: true,
  });
  const begun: StoryItem[] = [stepsStarted({ steps: STEPS }), stepStarted(2), marked(2, DOING)];

  test("the redrawn lines and the title name the step", async () => {
    const screen = new Screen();
    const titles: string[] = [];
    screen.onTitle((title) => titles.push(title));
    play(open(screen), [...begun, turnStarted(1, 1, "claude"), phase("agent"), 161_000]);
    expect((await screen.rows()).slice(-3)).toEqual([
      expect.stringMatching(/^\S \[2\/3\] 1\/5 agent turn {2}02:41 {2}quiet 2m$/),
      "  claude --headless",
      "  total 02:41  Ctrl-C: stop after this turn",
    ]);
    expect(titles).toEqual(["[2/3] agent-foreman"]);
  });

  test("a verification is a turn as well, and a regression check no attempt", async () => {
    const screen = new Screen();
    const start = stepsStarted({ steps: STEPS, fullVerify: true });
    play(open(screen, { lang: "zh" }), [
      start,
      stepStarted(1, true),
      reviewStarted(0, 1),
      phase("review", 0),
      200,
    ]);
    expect((await screen.rows()).slice(-3)).toEqual([
      expect.stringMatching(/^\S \[1\/3\] verification 验证 {2}00:00 {2}尚无输出$/),
      "  claude --headless",
      "  总计 00:00  Ctrl-C：本轮结束后停止",
    ]);
  });

  test("a pipe gets a sign of life every five minutes, and the effect of a signal", () => {
    const streams = { stdout: pipe(), stderr: pipe() };
    const to = open(streams);
    play(to, [
      ...begun,
      turnStarted(1, 1, "claude"),
      phase("agent"),
      300_000,
      { type: "stopping", signal: "SIGINT" },
    ]);
    expect(streams.stdout.text.split("\n").at(-2)).toBe(
      "09:05:00 ~ [2/3] 1/5 agent turn running 5m, quiet 5m",
    );
    expect(streams.stderr.text).toBe("09:05:00 ! SIGINT: stopping after this turn; Ctrl-C again kills it\n");
  });
});
