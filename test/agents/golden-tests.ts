import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Adapter, TurnSummary } from "../../src/agents/adapter.ts";
import { isObject } from "../../src/agents/json-lines.ts";
import type { ProcessEnd } from "../../src/platform/process/process-end.ts";
import {
  type Expected,
  type GoldenCase,
  goldenCases,
  loadGolden,
  randomFrom,
  readGolden,
  requestFor,
} from "./golden.ts";

/** A seed that makes large chunks, for tests of other aspects. */
const IN_ONE = 4;
const ENDS: readonly ProcessEnd[] = [
  { kind: "exited", code: 0 },
  { kind: "signaled", signal: "SIGKILL" },
  { kind: "timeout", afterMs: 1000 },
];

export type Table = Readonly<Record<string, Expected>>;

/** The expected results that the recorded cases contain. */
export function recordedTable(client: string): Table {
  const said = goldenCases(client).map((name) => [name, loadGolden(client, name).expected] as const);
  return Object.fromEntries(said.flatMap(([name, expected]) => (expected ? [[name, expected]] : [])));
}

/** `last`: values that only the final line of a successful turn holds. */
export function goldenTests(adapter: Adapter, client: string, table: Table, last: RegExp): void {
  const cases = goldenCases(client).map((name) => ({
    name,
    ...loadGolden(client, name),
    expected: table[name] ?? {},
  }));

  test(`${client}: every recorded case has an expectation`, () => {
    expect(Object.keys(table).toSorted()).toEqual(cases.map(({ name }) => name));
  });

  describe(`${client}: recorded turns`, () => {
    test.each(cases)("$name", (recorded) => {
      const { expected } = recorded;
      for (let seed = 0; seed < 10; seed += 1)
        expect(outline(read(adapter, recorded, seed)), `seed ${seed}`).toEqual(outlineOf(expected));
      expect(read(adapter, recorded, IN_ONE).failure?.message ?? "").toMatch(expected.says ?? "");
    });
  });

  describe(`${client}: a stream that breaks off is no success`, () => {
    test.each(cases)("$name", (recorded) => {
      const lines = linesOf(recorded.stdout);
      for (let kept = 0; kept < lines.length; kept += 1) {
        const stdout = Buffer.from(lines.slice(0, kept).join("\n"));
        if (last.test(stdout.toString())) break;
        for (const end of ENDS)
          expect(read(adapter, { ...recorded, stdout, end }, IN_ONE).failure).not.toBeNull();
      }
    });
  });

  test(`${client}: unknown lines change nothing`, () => {
    const streams = cases.filter(({ stdout }) => stdout.toString().startsWith("{"));
    const noise = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "")),
      fc.string().map((text) => `{"type":"${text.replaceAll(/[\n"\\]/g, "")} of later versions","x":[1]}`),
      fc.json().map((text) => text.slice(0, -1)),
    );
    const places = fc.array(fc.tuple(fc.nat(), noise), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...streams), places, (recorded, inserted) => {
        const lines = linesOf(recorded.stdout);
        for (const [place, line] of inserted) lines.splice(place % (lines.length + 1), 0, line);
        const noisy = { ...recorded, stdout: Buffer.from(`${lines.join("\n")}\n`) };
        expect(
          outline({ ...read(adapter, noisy, IN_ONE), unknownLines: recorded.expected.unknown ?? 0 }),
        ).toEqual(outlineOf(recorded.expected));
      }),
      { numRuns: 150 },
    );
  });

  test(`${client}: lines with changed fields do no harm`, () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const random = randomFrom(seed);
      const recorded = cases[seed % cases.length];
      if (!recorded) continue;
      const lines = linesOf(recorded.stdout).map((line) => (random() < 0.5 ? line : mutated(line, random)));
      const { usage } = read(adapter, { ...recorded, stdout: Buffer.from(lines.join("\n")) }, IN_ONE);
      const counts: readonly (number | null)[] = Object.values(usage ?? {});
      expect(counts.every((count) => count === null || Number.isFinite(count))).toBe(true);
    }
  });
}

function read(adapter: Adapter, recorded: GoldenCase, seed: number): TurnSummary {
  const { before, readOnly } = recorded.expected ?? {};
  const request = requestFor(adapter.program, {
    session: recorded.session,
    tools: readOnly ? "read" : "all",
  });
  return readGolden(adapter, recorded, seed, { before: before ?? null, request });
}

function outline(summary: TurnSummary): object {
  const { usage } = summary;
  return {
    class: summary.failure?.class ?? "completed",
    retryAt: summary.failure?.retryAt ?? null,
    session: summary.sessionId,
    text: summary.finalText,
    usage: usage && [
      usage.input,
      usage.cached,
      usage.output,
      usage.costUsd && Number(usage.costUsd.toFixed(9)),
    ],
    files: summary.filesTouched,
    denials: summary.denials,
    unknown: summary.unknownLines,
  };
}

function outlineOf(expected: Expected): object {
  return {
    class: expected.class ?? "completed",
    retryAt: expected.retryAt ?? null,
    session: expected.session ?? null,
    text: expected.text ?? "",
    usage: expected.usage ?? null,
    files: expected.files ?? [],
    denials: expected.denials ?? [],
    unknown: expected.unknown ?? 0,
  };
}

function linesOf(stdout: Buffer): string[] {
  return stdout.toString().trimEnd().split("\n");
}

/** The line with one of its own values replaced, at any depth. */
function mutated(line: string, random: () => number): string {
  const values: readonly unknown[] = [null, 1e300, -1, "", "x", [], [null], [[]], {}, { a: 1 }, true];
  const change = (value: unknown): unknown => {
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined || random() < 0.2) return values[Math.floor(random() * values.length)];
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (String(index) === key ? change(item) : item));
    return isObject(value) ? { ...value, [key]: change(value[key]) } : value;
  };
  if (!line.startsWith("{")) return line;
  const value: unknown = JSON.parse(line);
  const changed = change(value);
  return JSON.stringify(isObject(value) && isObject(changed) ? { ...value, ...changed } : value);
}
