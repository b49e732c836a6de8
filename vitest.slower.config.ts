import { mergeConfig } from "vitest/config";
import { SLOWER } from "./test/slower.ts";
import usual from "./vitest.config.ts";

// Some of these files give up being root.
export default {
  test: { ...mergeConfig(usual, {}).test, include: [...SLOWER], exclude: [], isolate: true },
};
