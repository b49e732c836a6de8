import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/sweep/**", "test/clients/**", "node_modules/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Most of a test is waiting for processes, so that two workers a core are not too many.
    maxWorkers: availableParallelism() * 2,
  },
});
