import { defineConfig } from "vitest/config";

/** The sweeps start hundreds of processes: two files at a time, each with its own few at once. */
export default defineConfig({
  test: {
    include: ["test/sweep/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    globalSetup: "test/rig/repository.ts",
    pool: "forks",
    maxWorkers: 2,
    // It would double the time of hundreds of runs. `test/sweep/room.test.ts` sweeps it.
    env: { RIG_CLEAN_ROOM: "off" },
  },
});
