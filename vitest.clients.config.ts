import { defineConfig } from "vitest/config";

/** Tests with real agents, one file per agent. Agents are large but mostly wait, so three run at once. Run with `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: "test/rig/repository.ts",
    pool: "forks",
    maxWorkers: 3,
    // These tests look at the output and actions of agents, and their test commands count calls in the work tree.
    env: { RIG_CLEAN_ROOM: "off" },
  },
});
