import { describe, expect, test } from "vitest";
import { chatAdapterFor } from "../../src/agents/chat-registry.ts";
import { adapterFor } from "../../src/agents/registry.ts";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { DEFAULT_MARKER, DEFAULT_WAITING_MARKER } from "../../src/modes/chat/completed.ts";
import { ExitCode } from "../../src/platform/outcome.ts";
import { chatTerms } from "../../src/modes/chat/words/terminal.ts";
import { TASK_OUTCOMES } from "../../src/modes/chat/chat-parts.ts";
import {
  codes,
  expectNamed,
  flagsIn,
  flagsOf,
  help,
  properties,
  read,
  rows,
  section,
  shippedSchema,
  values,
} from "../rig/docs.ts";
import { Rig } from "../rig/rig.ts";

const CHAT = "docs/chat.md";

describe("docs of chat", () => {
  test("flags", async () => {
    const documented = rows(section(CHAT, "## Flags")).flatMap(([flag = ""]) => flagsIn(flag));
    expect(documented.toSorted()).toEqual((await flagsOf("chat")).toSorted());
  });

  test("the README leads to it", async () => {
    expectNamed("README.md", [
      CHAT,
      "demo chat",
      "chat init",
      "--supervisor",
      "SUPERVISOR.md",
      DEFAULT_MARKER,
      DEFAULT_WAITING_MARKER,
    ]);
    expect(await help("demo")).toContain('"chat"');
  });

  test("the README's example of `demo chat` matches its output", async () => {
    const { stdout } = await new Rig().run(["demo", "chat", "--lang", "en"]);
    const same = (line: string): string =>
      line
        .replaceAll(/\S*\bnode --test/g, "node --test")
        .replaceAll(/^[\d:]{8} |\d{4}-[a-z0-9]{4}|\d+(?:\.\d)?s\b|contained: .*/g, "");
    const printed = new Set(stdout.split("\n").map(same));
    const [, shown = ""] =
      /demo chat` prints, shortened:\n\n```\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
    // The summary below the verdict holds paths, times and commits.
    const lines = shown.split("\n").filter((line) => /^(?:\S| {2}\|)/.test(line));
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter((line) => !printed.has(same(line)))).toEqual([]);
  });

  test("features of each agent", () => {
    const documented = rows(section(CHAT, "## What each agent supports")).flatMap(
      ([names = "", terminal = "", ends = "", , review = ""]) =>
        codes(names).map((name) => [
          name,
          terminal === "yes" ? (ends.includes("hooks") ? "hooks" : "record") : null,
          review.includes("fork"),
        ]),
    );
    const known = ADAPTERS.map((name) => {
      const chat = chatAdapterFor(name);
      return [name, chat?.turns ?? null, chat ? chat.fork : adapterFor(name).can.fork];
    });
    expect(documented).toEqual(known);
  });

  test("titles, and the words of the last line", () => {
    const { hint, hintReview, exhausted, waiting, notAccepted, notReviewed, accepted } = chatTerms.en;
    const titles = [hintReview(1, 5), hint.accepted, hint.waitsForYou, hint.tree_changed];
    const words = [accepted, (n: number) => exhausted(n, 5), waiting, notAccepted, notReviewed].map((say) =>
      say(1).slice(2),
    );
    const text = read(CHAT).replaceAll(/\s+/g, " ").replace("after N reviews", "after 5 reviews");
    expect([...titles, ...words].filter((said) => !text.includes(`\`${said}\``))).toEqual([]);
  });

  test("outcomes of attempts and tasks", () => {
    const settled = properties(shippedSchema("chat-report"), []).find(
      ({ path }) => path.join() === "attempts,settled",
    );
    const dropped = values(settled?.value).filter((word) => !["accepted", "feedback_sent"].includes(word));
    const text = section("docs/report.md", "## The report of `chat`");
    const table = rows(text.slice(text.indexOf("\n| `settled`, `why`")));
    expect(dropped.length).toBeGreaterThan(5);
    expect(table.flatMap(([cell = ""]) => codes(cell)).toSorted()).toEqual(dropped.toSorted());
    expect(TASK_OUTCOMES.filter((outcome) => !text.includes(`\`${outcome}\``))).toEqual([]);
  });

  test("exit codes", () => {
    const table = rows(section(CHAT, "## Exit codes"));
    const known = Object.values(ExitCode).filter((code) => code !== ExitCode.bug);
    expect(table.flatMap(([code = ""]) => code.split(", ").map(Number))).toEqual(known);
  });
});
