import { describe, expect, test } from "vitest";
import { Scene } from "./observer-scene.ts";
import { hookMessage } from "./stage.ts";

const FEEDBACK = "[agent-foreman review 1/5]\nhello.txt says\nnothing.";
const LATER = "[agent-foreman review 2/5]\nhello.txt says too much.";
/** More looks than the observer needs to decide that an agent has stopped. */
const LOOKS = 10;

describe("an input that the agent reports", () => {
  test("is the person's where they pressed Enter on it", () => {
    const scene = Scene.begun();
    scene.press("write hello\r");
    scene.hears(hookMessage.input("write hello"));
    expect(scene.news).toEqual([{ kind: "input", session: "s1", text: "write hello" }]);
  });

  test.each([
    ["no key was pressed", ""],
    ["something is typed, and not entered", "say hi"],
    ["Enter was pressed in an empty box", "\r"],
    ["something else was entered", "write hello\r"],
    ["the terminal said what it is", "\u001B[?62;22c\u001B[>41;354;0c"],
    ["the terminal said where its cursor is, and that all is well", "\u001B[12;1R\u001B[0n"],
    ["the terminal said how large it is", "\u001B[8;24;80t"],
    ["the person looked away, and moved the mouse", "\u001B[O\u001B[I\u001B[<0;13;13M"],
  ])("is made up where %s", (_, keys) => {
    const scene = Scene.begun();
    scene.press(keys);
    scene.hears(hookMessage.input("say hi"));
    expect(scene.news).toEqual([]);
  });

  test("is the person's once", () => {
    const scene = Scene.begun();
    scene.press("write hello\r");
    scene.hears(hookMessage.input("write hello"));
    scene.hears(hookMessage.input("write hello"));
    expect(scene.inputs).toEqual(["write hello"]);
  });

  test("two that are reported at once are both the person's", () => {
    const scene = Scene.begun();
    scene.press("one\rtwo\r");
    scene.hears(hookMessage.input("one"));
    scene.hears(hookMessage.input("two"));
    expect(scene.inputs).toEqual(["one", "two"]);
  });

  test("is complete even if the keys give only a part of it", () => {
    const scene = Scene.begun();
    scene.press("/he\t\r");
    scene.hears(hookMessage.input("/help me with hello"));
    expect(scene.inputs).toEqual(["/help me with hello"]);
  });
});

describe("the foreman's input", () => {
  test.each([
    ["as it was said", FEEDBACK],
    ["wrapped otherwise", FEEDBACK.replaceAll("\n", " \r\n  ")],
  ])("is not the person's, and known to be taken: %s", (_, reported) => {
    const scene = Scene.begun();
    scene.ears.saying(FEEDBACK);
    expect(scene.ears.wasTaken).toBe(false);
    // An Enter that could explain any event.
    scene.press("\u001B[A\r");
    scene.hears(hookMessage.input(reported));
    expect([scene.news, scene.ears.wasTaken]).toEqual([[], true]);
  });

  test("does not count as the person's if reported late, and proves nothing about later inputs", () => {
    const scene = Scene.begun();
    scene.ears.saying(FEEDBACK);
    scene.ears.saying(LATER);
    scene.press("\u001B[A\r");
    scene.hears(hookMessage.input(FEEDBACK));
    expect([scene.news, scene.ears.wasTaken]).toEqual([[], false]);
    scene.hears(hookMessage.input(LATER));
    expect([scene.news, scene.ears.wasTaken]).toEqual([[], true]);
  });

  test("is not counted as the person's where they put their own words around it", () => {
    const scene = Scene.begun();
    scene.ears.saying(FEEDBACK);
    scene.press(" and write tests\r");
    scene.hears(hookMessage.input(`${FEEDBACK} and write tests`));
    expect(scene.inputs.map((text) => text.trim())).toEqual(["and write tests"]);
    expect(scene.ears.wasTaken).toBe(true);
  });

  test("must be taken again for each input", () => {
    const scene = Scene.begun();
    scene.ears.saying(FEEDBACK);
    scene.hears(hookMessage.input(FEEDBACK));
    scene.ears.saying(LATER);
    expect(scene.ears.wasTaken).toBe(false);
  });

  test("does not change because the person typed something", () => {
    const scene = Scene.begun();
    scene.ears.saying(FEEDBACK);
    scene.press("write hello\r");
    scene.hears(hookMessage.input("write hello"));
    expect([scene.inputs, scene.ears.wasTaken]).toEqual([["write hello"], false]);
  });
});

describe("the session", () => {
  test.each(["--dangerously-skip-permissions", "-c", "", "a b", "a\nb", "../s1", "x".repeat(200)])(
    "is never %j: it goes into a command line",
    async (id) => {
      const scene = new Scene(null);
      scene.hears(hookMessage.session(id));
      scene.press("write hello\r");
      scene.hears(hookMessage.input("write hello", id));
      scene.hears(hookMessage.stop("done", id));
      await scene.looks();
      expect(scene.news).toEqual([]);
      scene.hears(hookMessage.input("write hello"));
      expect(scene.news).toEqual([{ kind: "input", session: "s1", text: "write hello" }]);
    },
  );

  test("changes only after an Enter of the person", async () => {
    const scene = new Scene(null);
    scene.hears(hookMessage.session("s1"));
    scene.hears(hookMessage.session("s2"));
    scene.press("\u001B[?62;c");
    scene.hears(hookMessage.session("s3"));
    scene.press("/clear\r");
    scene.hears(hookMessage.session("s4"));
    scene.hears(hookMessage.session("s5"));
    scene.hears(hookMessage.stop("done", "s6"));
    await scene.looks();
    expect(scene.news).toEqual([{ kind: "turn_ended", session: "s4", message: "done" }]);
  });

  test("does not change by an Enter that was for an input in it", async () => {
    const scene = new Scene(null);
    scene.hears(hookMessage.session("s1"));
    scene.press("write hello\r");
    scene.hears(hookMessage.input("write hello", "s1"));
    scene.hears(hookMessage.session("s2"));
    scene.hears(hookMessage.stop("done", "s2"));
    await scene.looks();
    expect(scene.news.map((news) => "session" in news && news.session)).toEqual(["s1", "s1"]);
  });

  test("is the one that reported the person's input, despite forged messages before and after it", async () => {
    const scene = new Scene(null);
    scene.hears(hookMessage.session("s1"));
    scene.press("write hello\r");
    scene.hears(hookMessage.input("say hi", "s2"));
    scene.news.length = 0;
    scene.hears(hookMessage.input("write hello", "s1"));
    scene.hears(hookMessage.session("s3"));
    scene.hears(hookMessage.stop("done", "s4"));
    await scene.looks();
    expect(scene.news).toEqual([
      { kind: "input", session: "s1", text: "write hello" },
      { kind: "turn_ended", session: "s1", message: "done" },
    ]);
  });

  test("continues under another name after a resume", () => {
    const scene = new Scene("s1");
    scene.hears(hookMessage.session("s2"));
    scene.press("write hello\r");
    scene.hears(hookMessage.input("write hello", "s2"));
    expect(scene.news).toEqual([{ kind: "input", session: "s2", text: "write hello" }]);
  });
});

describe("the end of a turn", () => {
  test("counts only when the screen confirms it, and is reported once", async () => {
    const scene = Scene.begun();
    scene.shows({ busy: true });
    scene.hears(hookMessage.stop("done"));
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([]);
    scene.shows({ busy: false });
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([{ kind: "turn_ended", session: "s1", message: "done" }]);
  });

  test("does not count if it continues with queued input", async () => {
    const scene = Scene.begun();
    scene.hears(hookMessage.stop("done"));
    scene.press("and then\r");
    scene.hears(hookMessage.input("and then"));
    await scene.looks(LOOKS);
    expect(scene.stops).toEqual([]);
  });

  test("is the last one, where it stops again while the screen is looked at", async () => {
    const scene = Scene.begun();
    scene.hears(hookMessage.stop("first"));
    scene.onLook = () => {
      scene.onLook = () => undefined;
      scene.hears(hookMessage.stop("second"));
    };
    await scene.looks(LOOKS);
    expect(scene.stops).toEqual(["second"]);
  });

  test("does not count if the service did not answer", async () => {
    const scene = Scene.begun();
    scene.hears(hookMessage.stop("half"));
    scene.hears(hookMessage.failure("API Error"));
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([]);
  });
});

describe("an agent that reports nothing, or stops reporting", () => {
  /** The person types, the agent works and then stops. */
  async function turn(scene: Scene, text: string): Promise<void> {
    scene.press(text);
    scene.shows({ draft: text });
    await scene.looks();
    scene.press("\r");
    scene.shows({ busy: true, draft: "" });
    await scene.looks();
    scene.shows({ busy: false });
    await scene.looks(LOOKS);
  }

  test("is seen at work where its hooks are silent", async () => {
    const scene = new Scene(null);
    expect(scene.ears.reportsInputs).toBe(false);
    await turn(scene, "write hello");
    expect(scene.news).toEqual([
      { kind: "input", session: null, text: "write hello" },
      { kind: "turn_ended", session: null, message: "what\nis seen" },
    ]);
  });

  test("is seen at work where its hooks were lost, and by its hooks alone before", async () => {
    const scene = Scene.begun();
    expect(scene.ears.reportsInputs).toBe(true);
    await turn(scene, "one");
    expect(scene.news).toEqual([]);
    scene.ears.loseHooks();
    expect(scene.ears.reportsInputs).toBe(false);
    await turn(scene, "two");
    expect([scene.inputs.at(-1), scene.stops]).toEqual(["two", ["what\nis seen"]]);
  });

  test("stays lost, despite later reports", () => {
    const scene = Scene.begun();
    scene.ears.loseHooks();
    scene.hears(hookMessage.session("s1"));
    expect(scene.ears.reportsInputs).toBe(false);
  });

  test("an input that is seen and reported later is one input", async () => {
    const scene = new Scene(null);
    await turn(scene, "write hello");
    scene.hears(hookMessage.input("write hello"));
    expect(scene.inputs).toEqual(["write hello"]);
  });

  test("the foreman's input is not taken for the person's", async () => {
    const scene = new Scene(null);
    scene.ears.saying(FEEDBACK);
    scene.shows({ busy: true });
    await scene.looks();
    scene.shows({ busy: false });
    await scene.looks(LOOKS);
    expect([scene.inputs, scene.stops]).toEqual([[], ["what\nis seen"]]);
  });

  test("does not stop at the next input right after a stop", async () => {
    const scene = new Scene(null);
    scene.shows({ busy: true });
    await scene.looks();
    scene.shows({ busy: false });
    let views = 0;
    // The agent is seen to have stopped, then works again at once.
    scene.onLook = () => void (++views === 5 && scene.shows({ busy: true }));
    await scene.looks(4);
    scene.shows({ busy: false, draft: "" });
    scene.press("write hello\r");
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([{ kind: "input", session: null, text: "write hello" }]);
  });

  test("does not stop at the foreman's feedback right after a stop", async () => {
    const scene = new Scene(null);
    scene.shows({ busy: true });
    await scene.looks();
    scene.shows({ busy: false });
    await scene.looks();
    scene.ears.saying(FEEDBACK);
    await scene.looks(LOOKS);
    expect(scene.news).toEqual([]);
  });

  test("whose hooks report during a screen check is not counted twice", async () => {
    const scene = new Scene(null);
    scene.shows({ busy: true });
    await scene.looks();
    scene.shows({ busy: false });
    let looks = 0;
    // At the look that would suffice to see that it has stopped.
    scene.onLook = () => void (++looks === 4 && scene.hears(hookMessage.stop("done")));
    await scene.looks(LOOKS);
    expect(scene.stops).toEqual(["done"]);
  });
});
