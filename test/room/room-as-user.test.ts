import { beforeAll, describe } from "vitest";
import { roomCases } from "./cases.ts";

/** Every test file is a separate process, so this one can change its user for good. */
const NOBODY = 65534;

describe.runIf(process.getuid?.() === 0)("a user who is not root", () => {
  beforeAll(() => {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  });

  roomCases("for a user", ["overlay"]);
});
