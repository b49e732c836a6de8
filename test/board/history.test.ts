import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compactHistory, historyFields, type HistoryEntry } from "../../src/modes/orchestrate/history.ts";
import { NEXT_AGENTS } from "../../src/core/board/answer.ts";
import { LONG_TEXTS, texts } from "./hostile.ts";

const said = (text: string): object => Object.fromEntries(historyFields(text).fields);

describe("an entry of the history", () => {
  test("B52, B53 of the contract's own example", () => {
    const text = "## Iteration 3:\nnext_agent: DEV\nreason: TEST 通过\ndev_plan: M1-T2 状态更新为 DOING\n";
    expect(historyFields(text).iteration).toBe(3);
    expect(said(text)).toEqual({
      next_agent: "DEV",
      reason: "TEST 通过",
      dev_plan: "M1-T2 状态更新为 DOING",
    });
  });

  test.each([
    ["## Iteration 3：", 3],
    ["## Iteration 12: DEV goes on\r\nx", 12],
    ["", null],
    ["\n## Iteration 3:", null],
    ["## Iteration 3", null],
    ["# Iteration 3:", null],
    ["## iteration 3:", null],
    ["## Iteration three:", null],
  ])("B52 %j begins iteration %j", (text, iteration) => {
    expect(historyFields(text).iteration).toBe(iteration);
  });

  test.each([
    ["- dev_plan: x", {}],
    ["* reason: x", {}],
    [" reason: x", {}],
    ["**reason**: x", {}],
    ["```\nreason: x\n```", {}],
    ["reason：x", { reason: "x" }],
    ["reason: a\nreason: b", { reason: "b" }],
    ["__proto__: x", {}],
    ["constructor: x", { constructor: "x" }],
  ])("B53 %j", (text, fields) => {
    expect(said(`## Iteration 1:\n${text}`)).toEqual(fields);
  });

  test("B44, B54 a key may have its words below", () => {
    const text =
      "root_cause_analysis:\n1. no lock\n\nblockers: none yet\n- not a part\ndev_plan:\n## Notes\nx";
    expect(said(`## Iteration 1:\n${text}`)).toEqual({
      root_cause_analysis: "1. no lock",
      blockers: "none yet",
      dev_plan: "",
    });
  });

  test("any text can be read", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const value of historyFields(text).fields.values()) expect(value).toBe(value.trim());
      }),
    );
  });

  test.each(LONG_TEXTS)("takes no time for %s", (_, text) => {
    expect(historyFields(text).iteration).toBeNull();
  });
});

const skipped = (from: number, to: number, counts: string): string => `[${from}-${to}: ${counts}]`;
const entry = (iteration: number, nextAgent = "DEV", keep = false): HistoryEntry => ({
  iteration,
  nextAgent,
  text: `e${iteration}\n`,
  keep,
});
const compact = (entries: readonly HistoryEntry[]): string[] =>
  compactHistory(entries, { skipped }).split("\n\n");

describe("the compacted history", () => {
  test("shows the last eight in full", () => {
    expect(compact([])).toEqual([""]);
    expect(compact(Array.from({ length: 8 }, (_, n) => entry(n + 1)))).toHaveLength(8);
    const nine = Array.from({ length: 9 }, (_, n) => entry(n + 4));
    expect(compact(nine).slice(0, 2)).toEqual(["[4-4: DEV 1]", "e5"]);
  });

  test("keeps milestones and counts the iterations in between", () => {
    const early = [entry(1, "TEST"), entry(2), entry(3), entry(4, "REVIEW", true), entry(5, "TEST")];
    const late = Array.from({ length: 8 }, (_, n) => entry(n + 6));
    expect(compact([...early, ...late]).slice(0, 4)).toEqual([
      "[1-3: TEST 1, DEV 2]",
      "e4",
      "[5-5: TEST 1]",
      "e6",
    ]);
  });

  test("counts the oldest of more than forty milestones, too", () => {
    const parts = compact(Array.from({ length: 60 }, (_, n) => entry(n + 1, "REVIEW", true)));
    expect(parts).toHaveLength(41);
    expect(parts.slice(0, 2)).toEqual(["[1-20: REVIEW 20]", "e21"]);
  });

  test("an entry is cut between characters", () => {
    const text = `${"x".repeat(1995)}😀${"y".repeat(10)}`;
    expect(compactHistory([{ ...entry(1), text }], { skipped })).toBe(`${"x".repeat(1995)} ...`);
  });

  test("has a bounded size, and every iteration once", () => {
    const entries = fc.array(
      fc.record({ agent: fc.constantFrom(...NEXT_AGENTS), keep: fc.boolean(), long: fc.boolean() }),
      { maxLength: 600, size: "max" },
    );
    fc.assert(
      fc.property(entries, (list) => {
        const all = list.map(({ agent, keep, long }, n) => ({
          ...entry(n + 1, agent, keep),
          text: `e${n + 1}${long ? " x".repeat(2000) : ""}`,
        }));
        const text = compactHistory(all, { skipped });
        expect(text.length).toBeLessThan(48 * 2002 + 49 * 80);
        const numbers = Array.from(text.matchAll(/^(?:\[(\d+)-(\d+): |e(\d+))/gm)).flatMap(
          ([, from, to, one]) => {
            const [first, last] = [Number(from ?? one), Number(to ?? one)];
            return Array.from({ length: last - first + 1 }, (_, n) => first + n);
          },
        );
        expect(numbers).toEqual(all.map(({ iteration }) => iteration));
      }),
      { numRuns: 40 },
    );
  });
});
