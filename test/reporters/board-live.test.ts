import { describe, expect, test } from "vitest";
import type { LivePhase } from "../../src/engine/live-phase.ts";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import { BoardStory } from "../rig/board-story.ts";
import { open, pipe, Screen } from "./rig.ts";
import { play, type StoryItem } from "./steps-rig.ts";

const phase = (name: LivePhase, command = "claude --headless"): LiveEvent => ({
  type: "phase_started",
  attempt: 1,
  phase: name,
  command,
  encoded: true,
});

describe("current activity", () => {
  const board = (): BoardStory => new BoardStory({ iterationsBefore: 11 });
  const called = (): BoardStory => board().main({ nextAgent: "DEV", header: ["red_waiver: old"] });

  async function screenAfter(story: readonly StoryItem[]): Promise<readonly string[]> {
    const screen = new Screen();
    play(open(screen), story);
    return (await screen.rows()).slice(-3);
  }

  test("MAIN decides", async () => {
    expect(await screenAfter([...board().asks().events, phase("main"), 200])).toEqual([
      expect.stringMatching(/^\S \[12\] MAIN decides {2}00:00 {2}no output yet$/),
      "  claude --headless",
      "  total 00:00  Ctrl-C: stop after this turn",
    ]);
  });

  test("a role works; the title has the number of the iteration", async () => {
    const screen = new Screen();
    const titles: string[] = [];
    screen.onTitle((title) => titles.push(title));
    play(open(screen), [...called().works().events, phase("agent"), 161_000]);
    expect((await screen.rows()).slice(-3)[0]).toMatch(/^\S \[12\] DEV turn {2}02:41 {2}quiet 2m$/);
    expect(titles).toEqual(["[12] agent-foreman"]);
  });

  test("the foreman runs the first of the acceptance commands", async () => {
    const lines = await screenAfter([...called().role().events, phase("acceptance", "check M1-T1"), 200]);
    expect(lines).toEqual([
      expect.stringMatching(/^\S \[12\] acceptance 1\/1 {2}00:00$/),
      "  check M1-T1",
      "  total 00:00  Ctrl-C: stop after this test",
    ]);
  });

  test("a pipe gets a sign of life every five minutes", () => {
    const streams = { stdout: pipe(), stderr: pipe() };
    play(open(streams, { lang: "zh" }), [...called().works().events, phase("agent"), 300_000]);
    expect(streams.stdout.text.split("\n").at(-2)).toBe("09:05:00 ~ [12] DEV 执行 运行 5m，已 5m 无输出");
  });
});
