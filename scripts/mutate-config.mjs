import { join } from "node:path";
import usual from "../vitest.config.ts";

const order = JSON.parse(process.env.MUTATE_TESTS);

class InOrder {
  shard(specs) {
    return specs;
  }
  sort(specs) {
    const place = ({ moduleId }) => order.findIndex((path) => moduleId.endsWith(`/${path}`));
    return specs.toSorted((a, b) => place(a) - place(b));
  }
}

export default {
  root: join(import.meta.dirname, ".."),
  test: {
    ...usual.test,
    include: order,
    maxWorkers: 1,
    bail: process.env.MUTATE_ONLY === undefined ? 0 : 1,
    testTimeout: 20_000,
    runner: "./scripts/mutate-runner.mjs",
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache" },
    sequence: { sequencer: InOrder },
  },
};
