import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SLOWER } from "./test/slower.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/sweep/**", "test/clients/**", "node_modules/**", ...SLOWER],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: "test/rig/repository.ts",
    pool: "forks",
    // Test files of a worker share loaded modules. Loading them per file takes a third of the time.
    isolate: false,
    // Tests mostly wait for processes, so two workers per core are fine.
    maxWorkers: availableParallelism() * 2,
  },
});
