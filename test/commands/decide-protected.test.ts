import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boardQuestion, optionText, suggested } from "../../src/cli/board-question.ts";
import { decide } from "../../src/cli/decide.ts";
import type { ProtectedDiff } from "../../src/cli/protected-diff.ts";
import { protectedQuestion } from "../../src/cli/protected-question.ts";
import { askAtTerminal } from "../../src/cli/prompt.ts";
import { runs } from "../../src/cli/runs.ts";
import { show } from "../../src/cli/show.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { ProtectedChange } from "../../src/core/evidence/change.ts";
import type { RunState } from "../../src/core/state.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { storyLines } from "../../src/screens/show/run-story.ts";
import { writePack } from "../../src/platform/git/pack.ts";
import { terminalIo } from "../board/terminal-io.ts";
import {
  BAD,
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  confirmed,
  inRoom,
  names,
  ORIGINALS_FAIL,
  ownRun,
  ROOM,
} from "../rig/room-story.ts";
import {
  accepted,
  answered,
  asked,
  check,
  ended,
  fakeIo,
  HOSTILE,
  makeRun,
  rejected,
  started,
  stateOf,
  STEERS_TERMINAL,
  moments,
  timed,
  turnEnded,
  turnStarted,
} from "./fixtures.ts";

const ID = "0301-aaaa";
const CHANGES = [
  changed("test/api.test.ts"),
  changed("package.json", { kind: "config", entries: ["scripts.test"] }),
];

function held(changes: readonly ProtectedChange[] = CHANGES): [ReturnType<typeof started>, ...RunEvent[]] {
  return [
    started(ID, { room: ROOM }),
    baseTaken(),
    baseChecked("fast", "npm test"),
    baseChecked("full", "npm run test:all"),
    turnStarted(1),
    turnEnded(1),
    candidateTaken(1, { protected: changes }),
    check(1, "fast", 0, { room: inRoom() }),
    check(1, "full", 0, { room: inRoom(ORIGINALS_FAIL) }),
    asked,
  ];
}

/** The reasons why the changes are held. */
const SHOWN = [
  "  the agent says: all tests pass",
  "  npm run test:all: with the original tests: exit 1, 213 passed (3 new), 1 failed, 0 skipped",
  "  now failing (passed before)  api > adds",
  "  npm run test:all: with the agent's tests: exit 0, 214 passed (3 new), 0 skipped",
];

const question = (state: RunState, parts: ProtectedDiff["parts"] = [], kept: string | null = null) =>
  protectedQuestion(state, "en", { parts, kept });

describe("the question about changed tests", () => {
  test("shows the files, their changes, and the meaning of the answers", () => {
    expect(question(stateOf(held()), [["--- test/api.test.ts", "@@ -1 +1 @@", "-a", "+b"]], "/kept")).toEqual(
      {
        title: "1/6 HELD for you: the agent modified protected files (oracle_changed)",
        lines: [
          "- test/api.test.ts (changed)",
          "- package.json: scripts.test (changed)",
          ...SHOWN,
          "| --- test/api.test.ts",
          "| @@ -1 +1 @@",
          "| -a",
          "| +b",
        ],
        options: [
          { id: "allow", description: "accept the work with these changes; recorded as your decision" },
          {
            id: "refuse",
            description: "reject the attempt; the feedback asks the agent to restore the files",
          },
        ],
        recommended: null,
      },
    );
  });

  test("tests that pass only because they were changed", () => {
    const run = ownRun(0);
    const without = { ...run, revived: names("api > deletes a user"), unproven: names() };
    const events = held([changed("test/api.test.ts", { how: "extended" })]).map((event) =>
      event.type === "check_ended" && event.phase === "full"
        ? { ...event, room: inRoom({ candidateTests: run, baseProduct: without }) }
        : event,
    );
    expect(question(stateOf(events))?.lines).toEqual([
      "- test/api.test.ts (added to)",
      "  the agent says: all tests pass",
      "  passes without the work  api > deletes a user",
      "  npm run test:all: with the original tests: exit 0, 214 passed (3 new), 0 skipped",
      "  npm run test:all: with the agent's tests: exit 0, 214 passed (3 new), 0 skipped",
    ]);
  });

  test("is bounded, and nothing in it controls a terminal", () => {
    const many = Array.from({ length: 30 }, (_, at) => changed(`${HOSTILE}${at}.test.ts`));
    const diff = Array.from({ length: 100 }, () => `+${HOSTILE}${"x".repeat(10_000)}`);
    const put = question(stateOf(held(many)), [diff], `/${HOSTILE}/protected.diff`);
    expect(put?.lines).toHaveLength(20 + 1 + SHOWN.length + 60 + 2);
    expect(put?.lines.at(20)).toBe("  and 10 more");
    expect(put?.lines.at(-2)).toBe("| ... 40 more lines");
    expect(put?.lines.at(-1)).toMatch(/^\| all of it: \/evil.*protected\.diff$/);
    expect(put?.lines.join("\n")).not.toMatch(STEERS_TERMINAL);
    expect(put?.lines.join("").length).toBeLessThan(60 * 600);
  });

  test("a long diff leaves room for the others, and omitted lines or files are counted", () => {
    const part = (name: string, lines: number): string[] => [
      `--- ${name}`,
      ...Array.from({ length: lines - 1 }, (_, at) => `+${name}${at}`),
    ];
    const shown = (...parts: readonly string[][]): readonly string[] =>
      question(stateOf(held([changed("x.test.ts")])), parts, "/kept/protected.diff")?.lines.slice(
        1 + SHOWN.length,
      ) ?? [];
    const two = shown(part("a", 300), part("b", 5));
    expect(two.slice(54, 57)).toEqual(["| +a53", "| ... 245 more lines", "| --- b"]);
    expect(two.slice(-2)).toEqual(["| +b3", "| all of it: /kept/protected.diff"]);

    const many = shown(...Array.from({ length: 32 }, (_, at) => part(`f${at}_`, 20)));
    expect(many.filter((line) => line.startsWith("| ---"))).toHaveLength(4);
    expect(many.slice(14, 17)).toEqual(["| +f0_13", "| ... 5 more lines", "| --- f1_"]);
    expect(many.slice(-2)).toEqual(["| ... 28 more files", "| all of it: /kept/protected.diff"]);

    expect(shown(part("a", 60)).at(-1)).toBe("| +a58");
    expect(shown(["--- a", `+${"x".repeat(500)}`]).at(-1)).toBe("| all of it: /kept/protected.diff");
  });

  test("recommends nothing; the cautious answer is marked first", () => {
    const put = boardQuestion(stateOf(held()), "en");
    expect(put && suggested(put)).toBe("refuse");
    expect(put?.options.map((option) => optionText(option, put, "en"))).not.toContainEqual(
      expect.stringContaining("recommended"),
    );
    expect(question(stateOf(held().slice(0, -1)))).toBeNull();
  });
});

describe("at a terminal", () => {
  /** A work tree whose test was changed after it was packed. */
  function changedTree(before: string, after: string): RunState {
    const { cwd, home } = fakeIo();
    const path = join(cwd, "api.test.ts");
    fs.writeFileSync(path, before);
    const base = join(home, "runs", ID, "base", "1");
    fs.mkdirSync(base, { recursive: true });
    const { kept } = writePack(join(base, "pack"), cwd, ["api.test.ts"]);
    fs.writeFileSync(path, after);
    const [, , ...rest] = held([changed("api.test.ts"), changed("new.test.ts", { how: "added" })]);
    return stateOf([started(ID, { room: ROOM, cwd }), baseTaken({ pack: kept }), ...rest]);
  }

  test("the diff is above the answers, of which the cautious one is marked first", async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `expect(page(${at})).toBe(${at});`);
    const state = changedTree(`${lines.join("\n")}\n`, `${lines.map((line) => `// ${line}`).join("\n")}\n`);
    const io = terminalIo();
    const reply = askAtTerminal(io, state, new AbortController().signal);
    await io.reply("refuse: reject", "\r");
    await io.reply("Note", "no\r");
    expect(await reply).toEqual({ answer: { kind: "option", option: "refuse" }, note: "no" });
    expect(io.asked()).toContain("| +// expect(page(0)).toBe(0);");
    // Only the question and its options are redrawn at a key.
    expect(io.asked().match(/\| -expect\(page\(11\)\)/g)).toHaveLength(1);
  });

  test("allow is chosen by hand", async () => {
    const io = terminalIo();
    const reply = askAtTerminal(io, changedTree("a\n", "b\n"), new AbortController().signal);
    await io.reply("refuse: reject", "\u001b[A\r");
    await io.reply("Note", "\r");
    expect(await reply).toEqual({ answer: { kind: "option", option: "allow" }, note: null });
  });
});

describe("decide", () => {
  test("prints the question without a terminal", async () => {
    const io = fakeIo();
    makeRun(io.home, held());
    expect(await decide(ID, { answer: undefined, n: undefined, note: undefined }, io)).toBe(3);
    expect(io.text()).toBe(
      [
        "? 1/6 HELD for you: the agent modified protected files (oracle_changed)",
        "  - test/api.test.ts (changed)",
        "  - package.json: scripts.test (changed)",
        ...SHOWN.map((line) => `  ${line}`),
        "  | The diff cannot be shown: the saved original files are unreadable",
        "  allow: accept the work with these changes; recorded as your decision",
        "  refuse: reject the attempt; the feedback asks the agent to restore the files",
        `  next    agent-foreman decide ${ID} refuse`,
        "",
      ].join("\n"),
    );
  });

  test("takes one of the answers, and no other", async () => {
    const io = fakeIo();
    makeRun(io.home, held());
    await expect(decide(ID, { answer: "pass", n: undefined, note: undefined }, io)).rejects.toMatchObject({
      about: { problem: expect.stringContaining("allow, refuse") as string },
    });
  });
});

describe("afterwards", () => {
  const UNTOUCHED: KeptFiles = { conditionOf: () => "same", excerptOf: () => [], firstLineOf: () => "" };
  const story = (events: readonly RunEvent[]): string[] =>
    storyLines(moments(timed(events)), UNTOUCHED, {
      texts: commandTexts.en.show,
      terms: terminalTexts.en,
    })
      .map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d:\d\d /, "@ "))
      .slice(2);

  test("the story has the base, the tests by name, and the held changes", () => {
    const allow = answered({ kind: "option", option: "allow" }, { via: "decide" });
    const events = [...held(), allow, confirmed(1), accepted(1), ended("passed", "accepted")];
    expect(story(events)).toEqual([
      "@ base    a1b2c3d: 120 files, 31 of them protected",
      "@ base    npm test: 214 tests, 2 fail already (3.1s)",
      "@ base    npm run test:all: 214 tests, 2 fail already (3.1s)",
      "@ agent   1/6 started",
      "@ agent   1/6 ended: exit 0, said DONE (4m12s)",
      "  | all tests pass",
      "@ agent   1/6 the agent modified protected files: test/api.test.ts (changed), package.json: scripts.test (changed)",
      "@ check   1/6 fast passed: npm test, 214 passed (3 new), 0 skipped (15s)",
      "@ check   1/6 full undecided: npm run test:all, 214 passed (3 new), 0 skipped, only with the agent's tests (15s)",
      ...SHOWN.slice(1).map((line) => `  | ${line.trim()}`),
      "@ person  HELD for you: the agent modified protected files (oracle_changed)",
      "@ person  a person decided: the changed tests may stay (allow) (decide)",
      "@ verdict 1/6 accepted",
      "@ run     ended: passed, exit 0 (accepted)",
    ]);
  });

  test("failures by name; gaps of the checks; and each weakness once", () => {
    const events = [
      started(ID, { room: ROOM }),
      baseTaken({ weak: ["no_overlay"], commit: null }),
      baseChecked("fast", "npm test", { tests: null }),
      baseChecked("full", "npm run test:all"),
      turnStarted(1),
      turnEnded(1),
      candidateTaken(1, { hidden: names("dist/") }),
      check(1, "fast", 1, { room: inRoom({ findings: { ...BAD, regressed: names("a > b") } }) }),
      rejected(1, "fast_test_failed", "tests_vanished", "tests_skipped"),
    ];
    const output = story(events);
    expect(output.slice(0, 2)).toEqual([
      "@ base    120 files, 31 of them protected",
      "@ base    no overlay here: checks run in a copy of the files, at another path",
    ]);
    expect(output).toContain("@ base    npm test: exit 1 (3.1s)");
    expect(output).toContain("@ agent   1/6 changed ignored files, which checks do not see: dist/");
    expect(output).toContain("  | now failing (passed before)    a > b");
    expect(output).toContain("  | no longer runs                 gone > away");
  });

  test("runs and show --json say that it is held, and why", async () => {
    const io = fakeIo();
    makeRun(io.home, held());
    await runs({}, io);
    expect(io.text()).toContain("? held for you");
    const json = fakeIo({ home: io.home });
    await show(ID, { json: true }, json);
    expect(JSON.parse(json.text())).toMatchObject({
      state: "asks_you",
      asks_about: "protected",
      held: CHANGES,
      base: { tests: [{ command: "npm test" }, {}] },
    });
  });
});
