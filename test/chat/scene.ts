import { expect, onTestFinished } from "vitest";
import { ChatRig, type ChatScript } from "../rig/chat.ts";

const PATIENCE = 250;
export const COMPLETED = "[TASK_COMPLETED]";
/** What a script asks in these tests. */
export const TASK = "Write the greeting to hello.txt";

/** A rig of which no process may be alive when the test is over. */
export function chatRig(script: ChatScript = {}): ChatRig {
  const rig = new ChatRig(script);
  onTestFinished(async () => {
    // What was killed needs a moment to be gone.
    for (let look = 0; look < PATIENCE && rig.survivors().length > 0; look++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rig.survivors()).toEqual([]);
  });
  return rig;
}

/** What each review came to. */
export function completed(rig: ChatRig): (boolean | undefined)[] {
  return rig.told("review_ended").map((event) => event.completed);
}
