import { expect, onTestFinished } from "vitest";
import { ChatRig, type ChatScript } from "../rig/chat.ts";

const PATIENCE = 250;
export const COMPLETED = "[TASK_COMPLETED]";
/** A script's input in these tests. */
export const TASK = "Write the greeting to hello.txt";

/** A rig that must have no live processes after the test. */
export function chatRig(script: ChatScript = {}): ChatRig {
  const rig = new ChatRig(script);
  onTestFinished(async () => {
    // Killed processes need a moment to disappear.
    for (let look = 0; look < PATIENCE && rig.survivors().length > 0; look++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rig.survivors()).toEqual([]);
  });
  return rig;
}

/** The result of each review. */
export function completed(rig: ChatRig): (boolean | undefined)[] {
  return rig.eventsOf("review_ended").map((event) => event.completed);
}
