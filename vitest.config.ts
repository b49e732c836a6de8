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
    // Files of a worker share the modules: loading them again for each takes a third of the time.
    isolate: false,
    // Most of a test is waiting for processes, so that two workers a core are not too many.
    maxWorkers: availableParallelism() * 2,
  },
});
