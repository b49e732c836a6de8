import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { WEAKNESSES } from "../../src/core/evidence/event.ts";
import { verifyTexts } from "../../src/cli/words/verify.ts";
import { codes, expectNamed, flagsIn, flagsOf, read, rows, section } from "../rig/docs.ts";

const firstCells = (file: string, heading: string): string[] =>
  rows(section(file, heading)).flatMap(([cell = ""]) => codes(cell));
/** The table of a text that begins with this head. */
const tableAfter = (text: string, head: string): string[][] => rows(text.slice(text.indexOf(`\n| ${head}`)));

describe("docs of the clean room", () => {
  test("the README leads to them", () => {
    expectNamed("README.md", [
      "docs/clean-room.md",
      "docs/security.md",
      "docs/receipts.md",
      "docs/gauntlet.md",
    ]);
  });

  test("each flag has a key of the configuration", () => {
    const table = rows(section("docs/clean-room.md", "## Flags"));
    const keys = table.flatMap(([, key = ""]) => codes(key).map((code) => code.split(":")[0] ?? ""));
    const documented = rows(section("docs/configuration.md", "## All keys")).flatMap(([cell = ""]) =>
      codes(cell),
    );
    const ofRoom = /^clean_room\.|^tests\.(?:changes|allow_no_change|protect|product)$/;
    expect(keys.toSorted()).toEqual(documented.filter((key) => ofRoom.test(key)).toSorted());
  });

  test("its flags are the program's", async () => {
    const table = rows(section("docs/clean-room.md", "## Flags"));
    expect(await flagsOf("supervise")).toEqual(
      expect.arrayContaining(table.flatMap(([flag = ""]) => flagsIn(flag))),
    );
  });

  test("weaknesses", () => {
    const text = section("docs/report.md", "## Common fields");
    const weak = tableAfter(text, "`weak` |").flatMap(([cell = ""]) => codes(cell));
    expect(weak).toEqual(WEAKNESSES);
    expectNamed("docs/clean-room.md", WEAKNESSES);
  });

  test("writable paths of agents in a sandbox", () => {
    const named = firstCells("docs/agents.md", "### In a sandbox").filter((name) => !name.startsWith("--"));
    expect(named).toEqual(ADAPTERS);
  });
});

describe("docs of receipts", () => {
  test("checks of verify, and every code", () => {
    const { check, seen } = verifyTexts.en;
    const text = read("docs/receipts.md");
    const documented = tableAfter(text, "code | meaning |\n|--|--|\n| `shape").flatMap(([cell = ""]) =>
      codes(cell),
    );
    expect(documented.toSorted()).toEqual(Object.keys(seen).toSorted());
    expect(Object.keys(check).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test("flags", async () => {
    const flags = (await flagsOf("verify")).filter((flag) => flag !== "--lang");
    expect(flagsIn(read("docs/receipts.md"))).toEqual(expect.arrayContaining(flags));
  });
});
