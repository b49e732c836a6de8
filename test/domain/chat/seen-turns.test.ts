import { describe, expect, test } from "vitest";
import { SeenTurns, type Seen, type SeenNews } from "../../../src/modes/chat/seen-turns.ts";

const EMPTY: Seen = { busy: false, draft: "", enters: 0, entered: "" };
const ENDED: SeenNews = { kind: "turn_ended" };
const input = (text: string): SeenNews => ({ kind: "input", text });

/** The news of each look. A look lists only its changes. */
function follow(...looks: readonly Partial<Seen>[]): readonly SeenNews[] {
  const turns = new SeenTurns();
  let seen = EMPTY;
  return looks.flatMap((look) => {
    seen = { ...seen, ...look };
    return turns.look(seen);
  });
}

const times = (count: number, look: Partial<Seen> = {}): Partial<Seen>[] =>
  Array.from({ length: count }, () => look);
const typed = (draft: string): Partial<Seen> => ({ draft });
const entered = (text: string, enters = 1): Partial<Seen> => ({ draft: "", enters, entered: text });
const WORKS: Partial<Seen> = { busy: true };
const RESTS: Partial<Seen> = { busy: false };

describe("C7 the person's input", () => {
  test("is their text when they pressed Enter", () => {
    expect(follow(typed("fix"), typed("fix it"), entered("fix it"))).toEqual([input("fix it")]);
  });

  test("is reported once", () => {
    expect(follow(typed("fix it"), entered("fix it"), WORKS, {})).toEqual([input("fix it")]);
  });

  test("is the text in the box if the keys give less: it was recalled, or completed", () => {
    expect(follow(typed("fix src/server.ts"), entered("fix sr"))).toEqual([input("fix src/server.ts")]);
  });

  test("is the text of the keys if the box showed less: it was typed between two looks", () => {
    expect(follow(typed("fi"), { ...entered("fix it"), ...WORKS })).toEqual([input("fix it")]);
  });

  test("counts also while the agent works", () => {
    expect(follow(WORKS, typed("and the tests"), entered("and the tests"))).toEqual([input("and the tests")]);
  });

  test("counts if the agent shows only later that it has taken it", () => {
    const still = { enters: 1, entered: "fix it" };
    expect(follow(typed("fix it"), still, {}, typed(""))).toEqual([input("fix it")]);
    expect(follow(typed("fix it"), still, WORKS)).toEqual([input("fix it")]);
  });

  test("does not count if the text stays in the box: Enter chose something, or began a line", () => {
    const stays = [
      typed("see @src"),
      { enters: 1, entered: "see @src" },
      ...times(8, typed("see @src/a.ts ")),
    ];
    expect(follow(...stays, typed(""))).toEqual([]);
    expect(follow(...stays, entered("see @src/a.ts it", 2))).toEqual([input("see @src/a.ts it")]);
  });

  test("counts if the agent is slow to show that it has taken it", () => {
    const still = { enters: 1, entered: "fix it" };
    expect(follow(typed("fix it"), still, ...times(20), typed(""))).toEqual([input("fix it")]);
    expect(follow(typed("[Pasted ~5 lines]"), still, ...times(20), typed(""))).toHaveLength(1);
    const drawnLate = { ...still, draft: "fix it" };
    expect(follow(typed("fi"), drawnLate, ...times(20), typed(""))).toEqual([input("fix it")]);
    expect(follow(typed("fix it"), still, ...times(60), typed(""))).toEqual([]);
  });

  test("counts if the agent draws another screen before it shows that it has taken it", () => {
    const away = { draft: null, busy: true, enters: 1, entered: "fix it" };
    expect(follow(typed("fix it"), away, typed(""))).toEqual([input("fix it")]);
    expect(follow(typed("fix it"), away, ...times(20), typed(""))).toEqual([input("fix it")]);
    expect(follow(typed("fix it"), away, ...times(60), typed(""))).toEqual([]);
  });

  test("counts if the agent appeared only after the last check", () => {
    expect(follow({ draft: null, busy: true }, entered("fix it"))).toEqual([input("fix it")]);
  });

  test("does not count in a dialog", () => {
    const dialog = [typed(""), { draft: null, busy: true }];
    expect(follow(...dialog, { enters: 1, entered: "opus" }, typed(""), ...times(4))).toEqual([]);
    expect(follow(...dialog, { ...entered("opus"), ...WORKS })).toEqual([]);
    expect(follow(...dialog, { ...entered("opus"), ...RESTS })).toEqual([]);
  });

  test.each(["", "  ", "/model opus", " /clear", "!ls"])("%j is no task", (text) => {
    expect(follow(typed(text), entered(text))).toEqual([]);
  });
});

describe("C6 the agent has stopped", () => {
  test("when it was at rest for some looks after it worked", () => {
    expect(follow(WORKS, RESTS, ...times(2))).toEqual([]);
    expect(follow(WORKS, RESTS, ...times(3))).toEqual([ENDED]);
  });

  test("once", () => {
    expect(follow(WORKS, RESTS, ...times(12))).toEqual([ENDED]);
  });

  test("again after it worked again", () => {
    expect(follow(WORKS, RESTS, ...times(5), WORKS, RESTS, ...times(3))).toEqual([ENDED, ENDED]);
  });

  test("not between two calls of a tool", () => {
    expect(follow(WORKS, RESTS, ...times(2), WORKS, RESTS, ...times(2))).toEqual([]);
  });

  test("not while it asks something", () => {
    expect(follow(WORKS, { busy: false, draft: null }, ...times(9))).toEqual([]);
    expect(follow(WORKS, { busy: false, draft: null }, ...times(9), typed(""), ...times(3))).toEqual([ENDED]);
  });

  test("not if it never worked", () => {
    expect(follow(...times(9))).toEqual([]);
  });

  test("not by its work before the input", () => {
    const booted = [
      { busy: true, draft: null },
      { busy: false, draft: "" },
    ];
    expect(follow(...booted, typed("one"), entered("one"), ...times(9))).toEqual([input("one")]);
    const worked = [WORKS, RESTS, {}];
    expect(follow(...worked, entered("one"), ...times(9))).toEqual([input("one")]);
    expect(follow(...worked, entered("one"), ...times(9), WORKS, RESTS, ...times(3))).toEqual([
      input("one"),
      ENDED,
    ]);
  });

  test("not by a dialog alone: the person opened it", () => {
    expect(follow({ busy: true, draft: null }, { busy: false, draft: "" }, ...times(9))).toEqual([]);
  });

  test("also while the person types the next thing", () => {
    expect(follow(WORKS, { ...RESTS, ...typed("an") }, ...times(3))).toEqual([ENDED]);
  });
});

test("a conversation: inputs come before its end", () => {
  const first = [typed("one"), entered("one"), WORKS, RESTS, ...times(3)];
  const second = [typed("two"), entered("two", 2), WORKS, RESTS, ...times(3)];
  expect(follow(...first, ...second)).toEqual([input("one"), ENDED, input("two"), ENDED]);
});
