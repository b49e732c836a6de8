import { mergeConfig } from "vitest/config";
import { SLOWER } from "./test/slower.ts";
import usual from "./vitest.config.ts";

// Isolated, because some of these files drop root privileges.
export default {
  test: { ...mergeConfig(usual, {}).test, include: [...SLOWER], exclude: [], isolate: true },
};
