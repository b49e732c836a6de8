import { describe, expect, test } from "vitest";
import { Scene } from "./observer-scene.ts";
import { hookMessage } from "./stage.ts";

const FEEDBACK = "[agent-foreman review 1/5]\nhello.txt says\nnothing.";
/** More looks than it takes to see the content of the box. */
const LOOKS = 10;

describe("an input that the agent puts back into its box", () => {
  const TAKEN_BACK = { kind: "taken_back" };
  const ESCAPE = "\u001B";
  const UP = "\u001B[A";
  const asked = (...texts: readonly string[]): Scene => {
    const scene = Scene.begun();
    for (const text of texts) {
      scene.press(`${text}\r`);
      scene.hears(hookMessage.input(text));
    }
    scene.shows({ busy: true });
    scene.news.length = 0;
    return scene;
  };

  test("is detected after an interruption, however it is wrapped", async () => {
    const scene = asked("write hello");
    await scene.looks();
    scene.press(ESCAPE);
    await scene.looks();
    expect(scene.news).toEqual([]);
    scene.shows({ busy: false, draft: "write\n  hello", atStart: false });
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([TAKEN_BACK]);
  });

  test("is detected for all queued messages", async () => {
    const scene = asked("write hello", "and", "more");
    scene.shows({ draft: "", queued: true });
    await scene.looks();
    scene.press(UP);
    scene.look = { busy: true, draft: "and\nmore", atStart: false };
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([TAKEN_BACK, TAKEN_BACK]);
  });

  test.each([
    ["it is only drawn", "", {}],
    ["it is recalled from history while the agent works", UP, { busy: true }],
    ["it is recalled from history after it was broken off", ESCAPE + UP, {}],
    ["the person types it again", `${ESCAPE}${ESCAPE}write hello`, {}],
    ["something else stands there", ESCAPE, { draft: "write" }],
  ])("stays asked where %s", async (_, keys, look) => {
    const scene = asked("write hello");
    await scene.looks();
    scene.press(keys);
    scene.shows({ busy: false, draft: "write hello", ...look });
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([]);
  });

  test("stays asked once the agent has answered", async () => {
    const scene = asked("write hello");
    scene.hears(hookMessage.stop("done"));
    scene.shows({ busy: false });
    await scene.looks();
    scene.press(ESCAPE);
    scene.shows({ draft: "write hello" });
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([{ kind: "turn_ended", session: "s1", message: "done" }]);
  });

  test("is no task if the foreman typed it", async () => {
    const scene = asked("write hello");
    scene.ears.saying(FEEDBACK);
    scene.press(ESCAPE);
    scene.shows({ busy: false, draft: FEEDBACK });
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([]);
  });
});
