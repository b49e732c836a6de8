import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { protectedDiff } from "../../src/cli/protected-diff.ts";
import { writePack } from "../../src/platform/git/pack.ts";
import {
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  inRoom,
  ORIGINALS_FAIL,
  ROOM,
} from "../rig/room-story.ts";
import { asked, check, fakeIo, started, stateOf, turnEnded, turnStarted } from "./fixtures.ts";

test("a path that holds a secret is not shown, and what was changed there is, where the base has it", () => {
  const { home, cwd } = fakeIo();
  const place = join(cwd, "t0ken.test.js");
  fs.writeFileSync(place, "a\n");
  fs.mkdirSync(join(home, "base", "1"), { recursive: true });
  const { kept: pack } = writePack(join(home, "base", "1", "pack"), cwd, ["t0ken.test.js"]);
  fs.writeFileSync(place, "b\n");
  const state = stateOf([
    started("0301-aaaa", { room: ROOM, cwd }),
    baseTaken({ pack }),
    baseChecked("fast", "npm test"),
    baseChecked("full", "npm run test:all"),
    turnStarted(1),
    turnEnded(1),
    candidateTaken(1, {
      protected: [changed("[redacted].test.js"), changed("[redacted].js", { how: "added" })],
    }),
    check(1, "fast", 0, { room: inRoom() }),
    check(1, "full", 0, { room: inRoom(ORIGINALS_FAIL) }),
    asked,
  ]);
  const { parts } = protectedDiff(state, "en", (line) => line.replace("t0ken", "[redacted]"));
  expect(parts).toEqual([
    ["--- [redacted].test.js", "@@ -1 +1 @@", "-a", "+b"],
    ["--- [redacted].js (not shown: its path holds a secret; look for it in the work tree)"],
  ]);
});
