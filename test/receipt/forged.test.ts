import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { differences, lookAtJournal } from "../../src/cli/verify-journal.ts";
import { lookAtShape } from "../../src/cli/verify.ts";
import { receiptText, type Receipt } from "../../src/evidence/receipt/receipt.ts";
import { ReceiptRig } from "./project.ts";
import { SAMPLE } from "./sample.ts";

type Path = readonly (string | number)[];

/** The paths of all lists and plain values. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each: unknown, index) => [index, each] as const)
    : Object.entries(value);
  const inner = entries.flatMap(([name, each]) => placesIn(each, [...at, name]));
  return Array.isArray(value) ? [at, ...inner] : inner;
}

function other(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ["more"];
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "something";
  const last = value.endsWith("0") ? "1" : "0";
  return value.slice(0, -1) + last;
}

function changedAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return other(value);
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (at === name ? changedAt(each, rest) : each));
  return { ...(value as object), [name]: changedAt((value as Record<string, unknown>)[name], rest) };
}

const firstName = (field: string): string => field.split(/[.[]/, 1)[0] ?? "";

describe("a forged receipt", () => {
  test("is refused after any change, and the field is named", async () => {
    const rig = new ReceiptRig();
    const { path, receipt, runId } = await rig.accepted();
    const env = { AGENT_FOREMAN_HOME: rig.state };
    expect(lookAtJournal(receipt, env).seen.code).toBe("journal_agrees");
    const places = placesIn(receipt);
    expect(places.length).toBeGreaterThan(60);
    for (const place of places) {
      const forged = changedAt(receipt, place) as Receipt;
      const { seen } = lookAtJournal(forged, env);
      // There is no journal of another run.
      const refusal = seen.level === "refused" ? seen : lookAtShape(forged, path);
      expect(refusal, place.join(".")).toMatchObject({ level: "refused" });
      expect(place.join("."), "is where it is seen").toContain(firstName(refusal.about["field"] ?? "?"));
    }
    const { predicate } = receipt;
    const turned = { ...receipt, predicate: Object.fromEntries(Object.entries(predicate).toReversed()) };
    expect(lookAtJournal(turned as unknown as Receipt, env).seen.code).toBe("journal_differs");
    // The whole file, through the command.
    const forged = changedAt(receipt, ["predicate", "agentForeman", "commands", 1, "duration_ms"]) as Receipt;
    fs.writeFileSync(path, receiptText(forged));
    const looked = await rig.look(path, { rerun: true });
    expect([looked.code, looked.codes[1], looked.codes.at(-1)]).toEqual([1, "journal_differs", "rerun_left"]);
    expect(looked.why).toContain("predicate.agentForeman.commands[1].duration_ms");
    // Without the run's journal, either the file name reveals the forgery, or the result says that only the tree was compared.
    fs.writeFileSync(path, receiptText(receipt).replaceAll(runId, "0101-aaaa"));
    expect((await rig.look(path)).why).toContain("run_id");
    const renamed = join(rig.root, "receipt.json");
    fs.renameSync(path, renamed);
    expect(await rig.look(renamed)).toMatchObject({ code: 0 });
    expect((await rig.look(renamed)).codes[1]).toBe("journal_not_here");
  });

  test.each<[string, Path]>([
    ["predicate.result", ["predicate", "result"]],
    ["predicate.configuration", ["predicate", "configuration", 0, "digest", "sha256"]],
    ["predicate.configuration", ["predicate", "agentForeman", "base", "tree"]],
    ["commands.exit_code", ["predicate", "agentForeman", "commands", 0, "exit_code"]],
    ["commands.tree", ["subject", 0, "digest", "sha256"]],
  ])("that contradicts itself needs no journal: %s", (field, place) => {
    const forged = changedAt(SAMPLE, place) as Receipt;
    expect(lookAtShape(forged, "receipt.json")).toMatchObject({ level: "refused", about: { field } });
  });
});

describe("differences", () => {
  test.each<[unknown, unknown, readonly string[]]>([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, ["a[1].b"]],
    [{ a: 1 }, { a: 1, b: 1 }, ["b"]],
    [{ a: 1, b: 1 }, { a: 1 }, ["b"]],
    [[1, 2], [1], ["[1]"]],
    [{ a: [] }, { a: {} }, ["a"]],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, ["."]],
    [{ a: null }, { a: 0 }, ["a"]],
    [{ a: 1, c: 1 }, { a: 2, c: 2 }, ["a", "c"]],
    [JSON.parse('{"__proto__": 1}'), {}, ["__proto__"]],
  ])("%j next to %j", (given, derived, fields) => {
    expect(differences(given, derived).map(({ field }) => field)).toEqual(fields);
  });
});
