import { defineConfig } from "vitest/config";

/** Real clients are large, and much of their time is waiting: three of them at once, one file a client. Run it by `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    globalSetup: "test/rig/repository.ts",
    pool: "forks",
    maxWorkers: 3,
    // These tests are about what clients say and do, and their test commands count what happened.
    env: { RIG_CLEAN_ROOM: "off" },
  },
});
