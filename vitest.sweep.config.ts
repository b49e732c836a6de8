import { defineConfig } from "vitest/config";

/** Sweeps start hundreds of processes, so only two files run at once. */
export default defineConfig({
  test: {
    include: ["test/sweep/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    globalSetup: "test/rig/repository.ts",
    pool: "forks",
    maxWorkers: 2,
    // The clean room would double the time of hundreds of runs. `test/sweep/room.test.ts` covers it.
    env: { RIG_CLEAN_ROOM: "off" },
  },
});
