import { expect, test } from "vitest";
import { snakeCased } from "../../src/text/snake-case.ts";

test("keeps names that a person chose, and changes every field of ours", () => {
  const own = { someName: "text" };
  expect(
    snakeCased({
      agentVersions: { myAgent: "1.0" },
      settings: { agents: [{ env: { apiKey: "x" } }], env: { testPaths: [], env: { nodeEnv: "test" } } },
      env: own,
      check: { agentVersions: own },
    }),
  ).toEqual({
    agent_versions: { myAgent: "1.0" },
    settings: { agents: [{ env: { apiKey: "x" } }], env: { test_paths: [], env: { nodeEnv: "test" } } },
    env: { some_name: "text" },
    check: { agent_versions: { some_name: "text" } },
  });
});
