import { afterEach, describe, expect, test, vi } from "vitest";
import { Ending, type Control } from "../../src/platform/process/ending.ts";
import { Bench, WAYS } from "./machine.ts";

afterEach(() => {
  vi.useRealTimers();
});

const LINGERS = "echo done; exec sleep 1000";

/** Runs a command; `act` runs at its first output. Only the timeouts are under the test's control. */
async function run(command: string, act: (control: Control) => void, way?: (typeof WAYS)[number]) {
  const bench = new Bench(way);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let control: Control | undefined;
  return bench.run(command, {
    timeoutMs: 60_000,
    stdin: { kind: "conversation", onOpen: () => undefined },
    watch: (given) => {
      control = given;
    },
    onOutput: () => {
      if (control) act(control);
      control = undefined;
    },
  });
}

describe.each(WAYS)("by %s", (way) => {
  test("ends an agent that lingers after its final message, and counts it as finished", async () => {
    const ran = await run(
      LINGERS,
      ({ finish }) => {
        finish();
        finish();
        vi.advanceTimersByTime(5000);
      },
      way,
    );
    expect(ran.process.end).toEqual({ kind: "finished" });
    expect(ran.out).toBe("done\n");
    expect(ran.process.leaked).toEqual([]);
  });

  test("an agent over its budget is ended", async () => {
    const ran = await run(LINGERS, ({ overBudget }) => overBudget(), way);
    expect(ran.process.end).toEqual({ kind: "over_budget" });
  });
});

test("an agent that exits in time after its last word has its own end", async () => {
  const ran = await run("echo done; cat; exit 3", ({ finish }) => {
    finish();
    vi.advanceTimersByTime(4999);
  });
  expect(ran.process.end).toEqual({ kind: "exited", code: 3 });
});

test("after the final message neither time nor money can run out", async () => {
  const ran = await run(LINGERS, ({ finish, overBudget }) => {
    vi.advanceTimersByTime(59_000);
    finish();
    overBudget();
    vi.advanceTimersByTime(5000);
  });
  expect(ran.process.end).toEqual({ kind: "finished" });
});

test("a process over its budget cannot finish any more", async () => {
  const ran = await run("trap '' TERM; echo done; while :; do sleep 1000; done", ({ finish, overBudget }) => {
    overBudget();
    finish();
    vi.advanceTimersByTime(5000);
  });
  expect(ran.process.end).toEqual({ kind: "over_budget" });
});

describe("the first cause", () => {
  function fakeChild() {
    return {
      exited: vi.fn<() => boolean>(() => false),
      terminate: vi.fn<() => void>(),
      endInput: vi.fn<() => void>(),
    };
  }

  test("wins", () => {
    const child = fakeChild();
    const ending = new Ending(child, 0);
    ending.stalled(10);
    ending.stop("interrupted");
    ending.finish();
    expect(ending.cause).toEqual({ kind: "stalled", afterMs: 10 });
    expect(child.terminate).toHaveBeenCalledTimes(1);
    expect(child.endInput).not.toHaveBeenCalled();
  });

  test("comes too late after a normal end", () => {
    const child = fakeChild();
    const ending = new Ending(child, 0);
    child.exited.mockReturnValue(true);
    ending.overBudget();
    expect(ending.cause).toBeUndefined();
    expect(child.terminate).not.toHaveBeenCalled();
  });

  test("is never a stall after the final message, but may still be the person's stop", () => {
    const child = fakeChild();
    const ending = new Ending(child, 0);
    ending.finish();
    ending.stalled(10);
    expect(ending.cause).toBeUndefined();
    expect(child.endInput).toHaveBeenCalledTimes(1);
    ending.stop("interrupted");
    expect(ending.cause).toBe("interrupted");
    ending.close();
  });
});

test("a premature last word: its time starts again, and its limits apply again", async () => {
  const ran = await run(LINGERS, ({ finish, goesOn, overBudget }) => {
    finish();
    goesOn();
    vi.advanceTimersByTime(59_000);
    overBudget();
  });
  expect(ran.process.end).toEqual({ kind: "over_budget" });
});
