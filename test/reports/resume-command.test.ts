import { expect, test } from "vitest";
import type { Impasse } from "../../src/core/event.ts";
import type { Limits } from "../../src/core/settings.ts";
import { resumeCommand } from "../../src/ui/shell-command.ts";
import * as story from "../rig/story.ts";

const { after, later, profile, started, agentRecord, turnEnded, turnFailed, turnStarted } = story;
const NONE: Limits = { costUsd: null, tokens: null, timeMs: null, waitMs: 3_600_000 };

function suggested(
  limits: Partial<Limits>,
  usage: [tokens: number, costUsd: number | null],
  by: Impasse,
): string {
  const settings = { agentCmd: null, agents: [profile("claude")], limits: { ...NONE, ...limits } };
  const agent = agentRecord("claude", {
    usage: { input: usage[0], cached: 0, output: 0, costUsd: usage[1] },
  });
  const state = after(
    started(settings),
    turnStarted(1, 1, "claude"),
    7200,
    { ...turnEnded(1), agent },
    { type: "run_stopped", by },
  );
  return resumeCommand(state).replace(`agent-foreman resume ${story.RUN_ID}`, "").trim();
}

test.each<[string, Partial<Limits>, [number, number | null], Impasse, string]>([
  ["as much money again as is spent", { costUsd: 5 }, [1, 7], "budget_reached", "--max-cost-usd 12"],
  ["also of very little", { costUsd: 0.002 }, [1, 0.003], "budget_reached", "--max-cost-usd 0.005"],
  ["an unknown price is not limited", { costUsd: 5 }, [9, null], "budget_reached", "--max-cost-usd 0"],
  ["tokens", { tokens: 100 }, [150, 0], "budget_reached", "--max-tokens 250"],
  ["time", { timeMs: 3_600_000 }, [1, 0], "budget_reached", "--max-time 3h"],
  [
    "no more time than can be given",
    { timeMs: 24 * 86_400_000 - 7_200_000, tokens: 1 },
    [0, 0],
    "budget_reached",
    "--max-time 576h",
  ],
  ["a login needs no flag", {}, [1, 0], "no_agent_available", ""],
])("%s", (_, limits, usage, by, flag) => {
  expect(suggested(limits, usage, by)).toBe(flag);
});

test("a longer wait: until the agent is back", () => {
  const settings = { agentCmd: null, agents: [profile("claude")], limits: NONE };
  const state = after(
    started(settings),
    turnStarted(1, 1, "claude"),
    turnFailed(1, 1, "claude", "quota", later(30 * 3600)),
    { type: "run_stopped", by: "wait_limit_reached" },
  );
  expect(resumeCommand(state)).toBe(`agent-foreman resume ${story.RUN_ID} --max-wait 31h`);
});
