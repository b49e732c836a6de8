import { beforeAll, describe } from "vitest";
import { roomCases } from "./cases.ts";

/** Every file of tests is a process of its own: this one can become somebody else for good. */
const NOBODY = 65534;

describe.runIf(process.getuid?.() === 0)("somebody who is not root", () => {
  beforeAll(() => {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  });

  roomCases("for a user", ["overlay"]);
});
