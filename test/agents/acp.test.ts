import * as fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { TurnSummary } from "../../src/agents/adapter.ts";
import { isObject } from "../../src/agents/json-lines.ts";
import {
  type Answer,
  expectedOf,
  FakeAgent,
  loadSdk,
  type Recorded,
  recorded,
  recordings,
  type Said,
  sessionIn,
  TIMEOUT,
} from "./acp-agent.ts";

const printed = vi.spyOn(console, "error");

beforeAll(loadSdk);

function contextOf(name: string): Parameters<FakeAgent["take"]> {
  const { readOnly, costBefore } = expectedOf(name);
  const before = costBefore === undefined ? null : { input: 0, cached: 0, output: 0, costUsd: costBefore };
  return [{ session: sessionIn(name), tools: readOnly ? "read" : "all" }, { before }];
}

async function replay(name: string, seed: number, answer = recorded(name)): Promise<TurnSummary> {
  const reader = await new FakeAgent(answer, seed).take(...contextOf(name));
  return reader.end(reader.finished() ? { kind: "finished" } : TIMEOUT);
}

function outline({ usage, ...summary }: TurnSummary): object {
  return {
    class: summary.failure?.class ?? "completed",
    session: summary.sessionId,
    model: summary.model,
    text: summary.finalText,
    usage: usage && [
      usage.input,
      usage.cached,
      usage.output,
      usage.costUsd && Number(usage.costUsd.toFixed(9)),
    ],
    files: summary.filesTouched,
    denials: summary.denials,
  };
}

function outlineOf(expected: Recorded): object {
  return {
    class: expected.class ?? "completed",
    session: expected.session ?? null,
    model: expected.model ?? null,
    text: expected.text ?? "",
    usage: expected.usage ?? null,
    files: expected.files ?? [],
    denials: expected.denials ?? [],
  };
}

describe("recorded conversations", () => {
  test.each(recordings())("%s", async (name) => {
    const expected = expectedOf(name);
    for (let seed = 0; seed < 3; seed += 1) {
      const summary = await replay(name, seed);
      expect(outline(summary)).toEqual(outlineOf(expected));
      expect(summary.failure?.message ?? "").toContain(expected.says ?? "");
    }
  });

  test.each(recordings())("%s: broken off before its answer it is no success", async (name) => {
    const answer = recorded(name);
    for (let kept = 0; kept < 12; kept += 1) {
      const cut: Answer = (request, times) => {
        const said = answer(request, times);
        if (request["method"] !== "session/prompt") return said;
        const last = said.findIndex((each) => isObject(each) && each["method"] === undefined);
        return said.slice(0, Math.min(kept, last === -1 ? kept : last));
      };
      for (const end of [
        TIMEOUT,
        { kind: "exited", code: 0 },
        { kind: "signaled", signal: "SIGKILL" },
      ] as const) {
        const reader = await new FakeAgent(cut, kept).take(...contextOf(name));
        expect(reader.end(end).failure).not.toBeNull();
      }
    }
  });

  test("ignores unknown lines and messages", async () => {
    const noise: fc.Arbitrary<Said> = fc.oneof(
      fc.string({ unit: "binary" }).map((text) => `${text.replaceAll("\n", "")}\n`),
      fc.json().map((text) => `${text}\n`),
      fc.json().map((text) => `${text.slice(0, -1)}\n`),
      fc.string().map((name) => ({ jsonrpc: "2.0", method: `_later/${name}`, params: {} })),
      fc.string().map((name) => ({ jsonrpc: "2.0", id: `x${name}`, method: `_ask/${name}`, params: [] })),
      fc.nat().map((id) => ({ jsonrpc: "2.0", id: `unasked ${id}`, result: {} })),
      fc.string().map((kind) => ({
        jsonrpc: "2.0",
        method: "session/update",
        params: { update: { sessionUpdate: `later ${kind}`, content: { text: "x" } } },
      })),
    );
    printed.mockClear();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recordings()),
        fc.array(fc.tuple(fc.nat(), noise), { minLength: 1, maxLength: 6 }),
        async (name, inserted) => {
          const answer = recorded(name);
          const noisy: Answer = (request, times) => {
            const said = [...answer(request, times)];
            for (const [place, each] of inserted) said.splice(place % (said.length + 1), 0, each);
            return said;
          };
          expect(outline(await replay(name, 1, noisy))).toEqual(outlineOf(expectedOf(name)));
        },
      ),
      { numRuns: 60 },
    );
    expect(printed).not.toHaveBeenCalled();
  });
});
