import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { BOARD_RULES } from "../../src/core/board/rule.ts";
import {
  codes,
  endReasons,
  enumOf,
  properties,
  read,
  REPO,
  rows,
  section,
  shippedSchema,
  values,
} from "../rig/docs.ts";

describe("the report's documentation has all of the formats", () => {
  const named = new Set(
    codes(read("docs/report.md").replaceAll(/^```[\s\S]*?^```/gm, "")).flatMap((code) =>
      code.split(/[^\w-]+/),
    ),
  );
  const reports = ["report", "run-report", "analyze-report", "orchestrate-report", "chat-report"];
  const isNamed = (word: string): boolean =>
    named.has(word) || (/[^\w-]/.test(word) && read("docs/report.md").includes(`\`${word}\``));

  test.each([...reports, "attempt"])("every field of %s", (name) => {
    const fields = properties(shippedSchema(name), []).map(({ path }) => path.at(-1) ?? "");
    expect(fields.filter((field) => !named.has(field))).toEqual([]);
  });

  test("every line of --json", () => {
    const lines = (shippedSchema("json-line") as { oneOf?: unknown; anyOf?: unknown }).oneOf ?? [];
    const fields = (lines as unknown[]).flatMap((line) => {
      const shape = (line as { properties: Record<string, { const?: string }> }).properties;
      return [shape["type"]?.const ?? "", ...Object.keys(shape)];
    });
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter((field) => !named.has(field))).toEqual([]);
    const live = (lines as unknown[]).slice(1).flatMap((line) => values(line));
    expect(live.filter((word) => !named.has(word) && !word.startsWith("SIG"))).toEqual([]);
  });

  test("every event and every value of the report", () => {
    const events = (enumerated: unknown): string[] =>
      properties(enumerated, [])
        .filter(({ path }) => path.join() === "event,type")
        .flatMap(({ value }) => values(value));
    const all = [
      ...events(shippedSchema("journal-record")),
      ...reports.flatMap((name) => values(shippedSchema(name))),
    ];
    // Classes and rules appear where they are explained.
    const elsewhere = new Set<string>([
      ...(enumOf("report", "agent_failures", "class") as string[]),
      ...Object.keys(BOARD_RULES),
    ]);
    const expected = all.filter(
      (word) => !elsewhere.has(word) && !(ADAPTERS as readonly string[]).includes(word),
    );
    expect(events(shippedSchema("journal-record")).length).toBeGreaterThan(10);
    expect(expected.filter((word) => !isNamed(word) && word !== "agent-foreman")).toEqual([]);
  });

  test("every value that an event about steps can have", () => {
    const about = /^event,(?:role|status|why|by|reason|phase|product,kind)$/;
    const all = properties(shippedSchema("journal-record"), [])
      .filter(({ path }) => about.test(path.join()))
      .flatMap(({ value }) => values(value))
      // The docs explain refusals together with questions.
      .filter((word) => !word.startsWith("SIG") && !read("docs/architecture.md").includes(word));
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((word) => !isNamed(word))).toEqual([]);
  });

  test("every schema that is shipped", () => {
    const documented = rows(section("docs/report.md", "## Schemas")).map(
      ([cell = ""]) => codes(cell)[0] ?? "",
    );
    expect(documented.toSorted()).toEqual(fs.readdirSync(join(REPO, "schemas")).toSorted());
  });

  test("every reason, and every end reason", () => {
    const firstCells = (heading: string): string[] =>
      rows(section("docs/report.md", heading)).flatMap(([cell = ""]) => codes(cell));
    const reasons = properties(shippedSchema("report"), []).find(
      ({ path }) => path.join() === "attempts,reasons",
    );
    expect(firstCells("## Reasons").toSorted()).toEqual(values(reasons?.value).toSorted());
    const [, text = ""] = section("docs/report.md", "## Common fields").split("\n| `end_reason` | of |");
    const ends = rows(`| |${text}`).flatMap(([cell = ""]) => codes(cell));
    expect(ends.toSorted()).toEqual(endReasons().toSorted());
  });
});
