import { describe, expect, test } from "vitest";
import type { AdapterName } from "../../src/core/agent-profile.ts";
import type { Look } from "../../src/agents/chat.ts";
import { claudeChat } from "../../src/agents/chat-claude.ts";
import { chatAdapterFor } from "../../src/agents/chat-registry.ts";
import { screenOf, screensOf } from "./chat-golden.ts";

const EMPTY: Look = { busy: false, draft: "", atStart: true };
const DIALOG: Look = { busy: true, draft: null, atStart: false };
const draft = (text: unknown): Look => ({ busy: false, draft: text as string, atStart: false });

/** The state of each recorded screen, in every size. */
const SEEN: Readonly<Record<string, Look>> = {
  start: EMPTY,
  draft: draft("fix the bug"),
  "draft-cursor-home": { ...draft("fix the bug"), atStart: true },
  "draft-cleared": EMPTY,
  "draft-lines": draft("one 漢字\n\n  two é"),
  answered: EMPTY,
  busy: { ...EMPTY, busy: true },
  "busy-draft": { ...draft("more"), busy: true },
  "busy-queued": { ...EMPTY, busy: true },
  "queue-done": EMPTY,
  permission: DIALOG,
  "permission-refused": EMPTY,
  "draft-long-paste": draft(expect.stringMatching(/^\[Pasted/)),
  "draft-wrapped": draft(expect.stringMatching(/^x+\nx+$/)),
  slash: draft("/"),
  shell: draft("ls"),
  "shell-left": EMPTY,
  trust: DIALOG,
  interrupted: EMPTY,
  interrupting: { ...EMPTY, busy: true },
  failed: EMPTY,
};

const OTHERWISE: Readonly<Record<string, Readonly<Record<string, Look>>>> = {
  // An unanswered input returns to the box.
  claude: { interrupted: draft("hang"), "busy-queued": { ...EMPTY, busy: true, queued: true } },
  codex: { "draft-long-paste": draft(expect.stringMatching(/^line \d+\n[^]*\nline 29$/)) },
  gemini: {},
  // It retries for minutes.
  opencode: { "draft-lines": draft(expect.stringMatching(/^\[Pasted/)), failed: { ...EMPTY, busy: true } },
};

describe.each(["claude", "codex", "gemini", "opencode"] satisfies AdapterName[])(
  "the screen of %s",
  (agent) => {
    const adapter = chatAdapterFor(agent);
    const names = screensOf(agent);

    test("was recorded in two sizes", () => {
      for (const size of ["80x24", "120x40"])
        expect(names.filter((name) => name.endsWith(`.${size}`)).length).toBeGreaterThan(12);
    });

    test.each(names)("%s", (name) => {
      const [what = ""] = name.split(".");
      expect(adapter?.look(screenOf(agent, name))).toEqual(OTHERWISE[agent]?.[what] ?? SEEN[what]);
    });

    test("an empty screen, or another program's, has no known state", () => {
      const cursor = { row: 3, col: 5 };
      expect(adapter?.look({ rows: Array.from({ length: 24 }, () => ""), cursor })).toEqual(DIALOG);
      expect(adapter?.look({ rows: ["$ vi a.txt", "~", "~", "~ esc to interrupt", "~"], cursor })).toEqual(
        DIALOG,
      );
      expect(adapter?.look({ rows: [], cursor: { row: 0, col: 0 } })).toEqual(DIALOG);
    });
  },
);

test("claude: text between rules is an input box only with its sign", () => {
  const rule = "─".repeat(80);
  const cursor = { row: 2, col: 4 };
  const { look } = claudeChat;
  expect(look({ rows: ["", rule, " ❯ 1. Yes", "   2. No", rule, " Esc to cancel"], cursor })).toEqual(DIALOG);
  expect(look({ rows: ["", rule, "❯ ab", "  c", rule, "  ? for shortcuts"], cursor })).toEqual(
    draft("ab\nc"),
  );
});
