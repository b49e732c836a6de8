import { describe, expect, test, vi } from "vitest";
import { NO_BOX, pasteOf, SUBMIT, type ChatAdapter } from "../../src/agents/chat.ts";
import { LiveObserver } from "../../src/modes/chat/live-observer.ts";
import { LiveTypist } from "../../src/modes/chat/live-typist.ts";
import { useImpatientClock } from "./impatient-clock.ts";
import { hookMessage, Stage } from "./stage.ts";

useImpatientClock();

const TEXT = "[agent-foreman review 1/5]\nhello.txt says nothing.";
const PASTE = pasteOf(TEXT);
const SHOWN = "[Pasted text #1 +2 lines]";
/** Longer than any wait. */
const LONG_MS = 60_000;
/** Longer than the pauses of a person who types. */
const STILL_MS = 2000;

/** By the test's clock, which does not advance during actions. */
const AT_ONCE_MS = 100;

type Said = "taken" | "not_taken" | null;

/** A well-behaved agent: it puts a paste into its box and reports it at Enter. */
class Scene extends Stage {
  readonly away = new AbortController();
  readonly gone = new AbortController();
  readonly ears: LiveObserver;
  readonly voice: LiveTypist;
  said: Said | "speaks" = "speaks";
  saidAt = Infinity;
  reported = false;

  constructor(more: Partial<ChatAdapter> = {}) {
    super();
    const adapter = this.adapter(more);
    this.ears = new LiveObserver({ adapter, cwd: "/", env: {} }, null, () => undefined);
    this.voice = new LiveTypist(this.terminal, this.ears, adapter.pasteMs, this.gone.signal);
    this.ears.hook(hookMessage.session("s1"), this.terminal);
    this.reads = (bytes) => (bytes === SUBMIT ? this.takes() : this.shows({ draft: SHOWN, atStart: false }));
  }

  takes(): void {
    this.shows({ busy: true, draft: "" });
    this.reported = true;
    this.ears.hook(hookMessage.input(TEXT), this.terminal);
  }

  async say(): Promise<void> {
    void this.#hear();
    await this.pass(0);
  }

  async #hear(): Promise<void> {
    this.said = await this.voice.say(TEXT, this.away.signal);
    this.saidAt = performance.now();
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }

  get bytes(): readonly string[] {
    return this.typed.map(({ bytes }) => bytes);
  }
}

const TAKEN = [PASTE, SUBMIT];

describe("the foreman's input to the agent", () => {
  test("is pasted, and entered when it is seen; the person's keys wait for just that", async () => {
    const scene = new Scene();
    await scene.say();
    expect(scene.said).toBe("taken");
    expect(scene.typed).toEqual([
      { bytes: PASTE, held: true },
      { bytes: SUBMIT, held: true },
    ]);
    expect(scene.held).toBe(false);
  });

  test("waits until the person has paused for a while", async () => {
    const scene = new Scene();
    scene.press("a");
    await scene.say();
    for (let key = 0; key < 20; key++) {
      await scene.pass(1000);
      scene.press("\u007F");
    }
    expect([scene.bytes, scene.asked]).toEqual([[], 0]);
    await scene.pass(STILL_MS);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test.each([
    ["the agent works", { busy: true }],
    ["the box is not empty", { draft: "and then", atStart: false }],
    ["there is no box", NO_BOX],
  ])("waits while %s", async (_, look) => {
    const scene = new Scene();
    scene.shows(look);
    await scene.say();
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.asked, scene.said]).toEqual([[], 0, "speaks"]);
    scene.shows({ busy: false, draft: "", atStart: true });
    await scene.pass(STILL_MS);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("does not wait for the agent's suggestion, which disappears on typing", async () => {
    const scene = new Scene();
    scene.shows({ draft: "run the tests", atStart: true });
    await scene.say();
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("waits for the person's text, wherever the cursor is", async () => {
    const scene = new Scene();
    scene.press("and then");
    scene.shows({ draft: "and then", atStart: true });
    await scene.say();
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.said]).toEqual([[], "speaks"]);
  });

  test("a key that comes while the screen is looked at", async () => {
    const scene = new Scene();
    scene.onLook = () => {
      scene.press("\u001B[I");
      scene.onLook = () => undefined;
    };
    await scene.say();
    expect([scene.bytes, scene.asked]).toEqual([[], 0]);
    await scene.pass(STILL_MS);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("waits if keys cannot be held (in the middle of a paste), while other work continues", async () => {
    const scene = new Scene();
    scene.mayHold = false;
    await scene.say();
    await scene.pass(1000);
    expect(scene.bytes).toEqual([]);
    expect(scene.asked).toBeLessThan(10);
    scene.mayHold = true;
    await scene.pass(1000);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("is interrupted while it waits: nothing was sent", async () => {
    const scene = new Scene();
    scene.shows({ busy: true });
    await scene.say();
    scene.away.abort();
    await scene.pass(0);
    expect([scene.bytes, scene.said, scene.held]).toEqual([[], null, false]);
  });

  test("is called away in the very look that finds the box free", async () => {
    const scene = new Scene();
    scene.onLook = () => scene.away.abort();
    await scene.say();
    expect([scene.bytes, scene.said, scene.held]).toEqual([[], null, false]);
  });

  test("is called away after the input, while it is unknown whether it was heard", async () => {
    const scene = new Scene();
    scene.takes = () => scene.shows({ busy: true, draft: "" });
    await scene.say();
    expect([scene.bytes, scene.said, scene.held]).toEqual([TAKEN, "speaks", false]);
    scene.away.abort();
    await scene.pass(0);
    expect(scene.said).toBeNull();
  });
});

describe("Enter, which could mean anything", () => {
  test.each([
    ["does not show what was pasted", () => undefined],
    ["shows a dialog instead", (scene: Scene) => scene.shows({ draft: null })],
    ["only clears what it had proposed", (scene: Scene) => scene.shows({ draft: "" })],
  ])("is not pressed where the agent %s", async (_, reads) => {
    const scene = new Scene();
    scene.shows({ draft: "run the tests", atStart: true });
    scene.reads = () => reads(scene);
    await scene.say();
    expect(scene.said).toBe("speaks");
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.said, scene.held]).toEqual([[PASTE], "not_taken", false]);
  });

  test("is not pressed where a dialog comes up after the paste was shown", async () => {
    const scene = new Scene({ pasteMs: 100 });
    await scene.say();
    scene.shows({ draft: null });
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.said, scene.held]).toEqual([[PASTE], "not_taken", false]);
  });

  test("is not pressed if the pasted text is gone", async () => {
    const scene = new Scene({ pasteMs: 100 });
    await scene.say();
    scene.shows({ draft: "" });
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.said, scene.held]).toEqual([[PASTE], "not_taken", false]);
  });

  test("waits for an agent that takes its time to show a paste, and for one that takes Enter for a part of it", async () => {
    const scene = new Scene({ pasteMs: 500 });
    const { reads } = scene;
    scene.reads = (bytes) => void setTimeout(reads, bytes === SUBMIT ? 0 : 1000, bytes);
    await scene.say();
    await scene.pass(1400);
    expect([scene.bytes, scene.held]).toEqual([[PASTE], true]);
    await scene.pass(300);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("does not wait for an agent that reads nothing", async () => {
    const scene = new Scene();
    vi.spyOn(scene.terminal, "type").mockReturnValue(new Promise(() => undefined));
    await scene.say();
    await scene.pass(LONG_MS);
    expect([scene.said, scene.held]).toEqual(["not_taken", false]);
  });
});

describe("a second Enter", () => {
  /** The first attempt is misread, and the text stays where it was. */
  async function once(then: (scene: Scene) => void = () => undefined): Promise<Scene> {
    const scene = new Scene();
    let enters = 0;
    scene.takes = () => {
      if (++enters === 2) Scene.prototype.takes.call(scene);
      else setTimeout(() => then(scene), 5000);
    };
    await scene.say();
    await scene.pass(LONG_MS);
    expect(scene.held).toBe(false);
    return scene;
  }

  test("with the same text still in the box", async () => {
    const scene = await once();
    expect([scene.bytes, scene.said]).toEqual([[...TAKEN, SUBMIT], "taken"]);
    expect(scene.typed.every(({ held }) => held)).toBe(true);
  });

  test.each<[string, (scene: Scene) => void]>([
    ["another text stands there", (scene) => scene.shows({ draft: `${SHOWN} and tests` })],
    ["nothing stands there", (scene) => scene.shows({ draft: "" })],
    ["the agent works", (scene) => scene.shows({ busy: true })],
    ["keys cannot be held", (scene) => (scene.mayHold = false)],
    ["the person has the last word", (scene) => keepPressing(scene)],
  ])("not where %s", async (_, then) => {
    const scene = await once(then);
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "not_taken"]);
  });

  function keepPressing(scene: Scene): void {
    const timer = setInterval(() => scene.press("\u001B[I"), 500);
    setTimeout(() => clearInterval(timer), LONG_MS / 2);
  }
});

describe("an agent that reports nothing", () => {
  test("has taken text that was visible and is gone", async () => {
    const scene = new Scene({ reportsInputs: false });
    scene.takes = () => scene.shows({ draft: "" });
    await scene.say();
    expect([scene.bytes, scene.said]).toEqual([TAKEN, "taken"]);
  });

  test("has not taken text that is still there after two Enters", async () => {
    const scene = new Scene({ reportsInputs: false });
    scene.takes = () => undefined;
    await scene.say();
    await scene.pass(LONG_MS);
    expect([scene.bytes, scene.said, scene.held]).toEqual([[...TAKEN, SUBMIT], "not_taken", false]);
  });
});

describe("an agent that goes in the middle of it", () => {
  /** The agent exits at its n-th look or input and does nothing more. */
  async function goesAt(moment: number, scene: Scene, hangs: boolean): Promise<number> {
    let moments = 0;
    let goneAt = Infinity;
    scene.gone.signal.addEventListener("abort", () => (goneAt = performance.now()));
    const { reads } = scene;
    const meet = (): void => void (++moments === moment && scene.gone.abort());
    scene.onLook = meet;
    scene.reads = (bytes) => {
      meet();
      if (!scene.gone.signal.aborted) reads(bytes);
    };
    const { type } = scene.terminal;
    vi.spyOn(scene.terminal, "type").mockImplementation(async (bytes) => {
      await type(bytes);
      if (hangs && scene.gone.signal.aborted) await new Promise(() => undefined);
    });
    await scene.say();
    await scene.pass(LONG_MS);
    expect(scene.saidAt - goneAt).toBeLessThan(AT_ONCE_MS);
    return moments;
  }

  /** Pauses before Enter and loses the first Enter, so that every wait occurs. */
  function slow(): Scene {
    const scene = new Scene({ pasteMs: 200 });
    let enters = 0;
    const take = (): void => void (scene.gone.signal.aborted || Scene.prototype.takes.call(scene));
    scene.takes = () => void (++enters === 2 && setTimeout(take, 1000));
    return scene;
  }

  test.each([
    ["takes no more bytes", true],
    ["swallows them", false],
  ])("and %s: nothing was sent, and the keys are the person's, whenever it exits", async (_, hangs) => {
    const whole = slow();
    const moments = await goesAt(0, whole, hangs);
    expect([whole.said, whole.bytes]).toEqual(["taken", [...TAKEN, SUBMIT]]);
    expect(moments).toBeGreaterThan(100);
    for (let moment = 1; moment < moments; moment++) {
      const scene = slow();
      await goesAt(moment, scene, hangs);
      expect([moment, scene.said, scene.held]).toEqual([moment, scene.reported ? "taken" : null, false]);
    }
  });

  test("before anything was sent", async () => {
    const scene = new Scene();
    scene.gone.abort();
    await scene.say();
    expect([scene.bytes, scene.said, scene.held]).toEqual([[], null, false]);
  });
});
