import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as all from "../../src/core/events/all.ts";
import { defineEvent, isDefinition, type AnyDefinition } from "../../src/core/events/define-event.ts";
import { eventDefinitions, mustFsync, redactEvent, type RunEvent } from "../../src/core/events/index.ts";
import { zodOf } from "../../src/core/events/zod-of.ts";
import { foreign, list, object, optional, ours, type TypeOf } from "../../src/text/shape.ts";
import { anyValue } from "../rig/any-value.ts";
import { turnEnded } from "../rig/story.ts";
import { worked } from "../rig/steps-story.ts";

const definitions = eventDefinitions().map((definition) => [definition.type, definition] as const);

function anyEvent({ shape }: AnyDefinition): fc.Arbitrary<RunEvent> {
  return anyValue(shape) as fc.Arbitrary<RunEvent>;
}

const withoutForeign = (event: unknown): string =>
  JSON.stringify(event).replaceAll(/"foreign \d+"/g, '"[redacted]"');

describe("an event", () => {
  test("has one definition", () => {
    const types = Object.values<object>(all)
      .filter(isDefinition)
      .map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
    expect(types.sort()).toEqual(definitions.map(([type]) => type));
  });

  test("cannot be defined without stating the origin of its texts", () => {
    const [durable, words] = [false, "words"] as const;
    // @ts-expect-error: a zod schema does not declare it
    expect(defineEvent("said", { durable, shape: { words: z.string() } })).toBeDefined();
    // @ts-expect-error: nor does a constructor
    expect(defineEvent("said", { durable, shape: { words: String } })).toBeDefined();
    // @ts-expect-error: nor does a text
    expect(defineEvent("said", { durable, shape: { words } })).toBeDefined();
    // @ts-expect-error: `ours` and `foreign` must be called
    expect(defineEvent("said", { durable, shape: { words: foreign } })).toBeDefined();
    // @ts-expect-error: a description of the same form that skips them
    expect(defineEvent("said", { durable, shape: { words: { is: "text", foreign: false } } })).toBeDefined();
    // @ts-expect-error: nor inside a list
    expect(defineEvent("said", { durable, shape: { words: list(z.string()) } })).toBeDefined();
    // @ts-expect-error: nor inside an object
    expect(defineEvent("said", { durable, shape: { by: object({ words: z.string() }) } })).toBeDefined();
    expect(defineEvent("said", { durable, shape: { words: foreign(), id: ours() } })).toBeDefined();
  });

  test("cannot be defined without saying whether it is durable", () => {
    // @ts-expect-error: `durable` is missing
    expect(defineEvent("said", { shape: { words: foreign() } })).toBeDefined();
  });

  test("has fields that are read-only, and absent rather than undefined", () => {
    const shape = object({ words: foreign(), note: optional(ours()) });
    const value: TypeOf<typeof shape> = { words: "a" };
    // @ts-expect-error: read-only
    value.words = "b";
    // @ts-expect-error: `undefined` is no text
    const other: TypeOf<typeof shape> = { words: "a", note: undefined };
    expect(zodOf(shape).safeParse(value).success).toBe(true);
    expect(zodOf(shape).safeParse(other).success).toBe(false);
    expect(zodOf(shape).safeParse({ ...value, more: 1 }).success).toBe(false);
  });
});

describe.each(definitions)("%s", (_, definition) => {
  test("redacts every foreign text and nothing else", () => {
    fc.assert(
      fc.property(anyEvent(definition), (event) => {
        const redacted = redactEvent(event, { text: () => "[redacted]" });
        expect(JSON.stringify(redacted)).toBe(withoutForeign(event));
      }),
    );
  });

  test("fits its schema, redacted or not, and with another field it does not", () => {
    const schema = zodOf(definition.shape);
    fc.assert(
      fc.property(anyEvent(definition), (event) => {
        expect(schema.safeParse(event).error).toBeUndefined();
        const redacted = redactEvent(event, { text: () => "[redacted]" });
        expect(schema.safeParse(redacted).error).toBeUndefined();
        expect(schema.safeParse({ ...event, more: 1 }).success).toBe(false);
      }),
    );
  });
});

describe("the record of an event", () => {
  test("is on disk at once where others act on it", () => {
    expect(mustFsync({ type: "question_asked", id: "q" })).toBe(true);
    expect(mustFsync({ type: "wait_ended" })).toBe(false);
  });

  test("is on disk at once where a turn named the test that a step's file gets next", () => {
    const product = { kind: "step_work", refused: null, tree: null } as const;
    const named = { ...product, unitTest: { command: "npm test" } };
    expect(mustFsync(turnEnded(1))).toBe(false);
    expect(mustFsync({ ...worked(1, 1), product: { ...product, unitTest: null } })).toBe(false);
    expect(mustFsync({ ...worked(1, 1), product: named })).toBe(true);
  });
});
