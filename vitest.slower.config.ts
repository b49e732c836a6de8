import { mergeConfig } from "vitest/config";
import { SLOWER } from "./test/slower.ts";
import usual from "./vitest.config.ts";

export default { test: { ...mergeConfig(usual, {}).test, include: [...SLOWER], exclude: [] } };
