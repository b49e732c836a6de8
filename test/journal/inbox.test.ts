import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Inbox, type NewMessage } from "../../src/core/journal/inbox.ts";

function newInbox(): { readonly inbox: Inbox; readonly dir: string } {
  const dir = fs.mkdtempSync(join(tmpdir(), "foreman-inbox-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return { inbox: new Inbox(dir), dir };
}

describe("a message", () => {
  test.each<NewMessage>([
    { kind: "cancel" },
    { kind: "reviews", to: "skip" },
    { kind: "reviews", to: "on" },
    { kind: "reviews", to: "paused" },
    { kind: "reviews", to: "stopped" },
    { kind: "answer", questionId: "q1", answer: { kind: "continue_n", n: 3 }, note: "go" },
    { kind: "answer", questionId: null, answer: { kind: "option", option: "a" }, note: null },
  ])("%j is read as posted, and disappears when removed", (message) => {
    const { inbox } = newInbox();
    const id = inbox.post(message);
    expect(inbox.peek()).toEqual({ ...message, id });
    inbox.remove(id);
    expect(inbox.holds(id)).toBe(false);
    expect(inbox.peek()).toBeUndefined();
  });

  test.each([
    "",
    "[]",
    "null",
    '{"kind":"reviews"}',
    '{"kind":"reviews","to":"accepted"}',
    '{"kind":"reviews","to":["on"]}',
    '{"kind":"reviews","to":null}',
    '{"kind":"review","to":"on"}',
    '{"kind":"answer","to":"on"}',
  ])("%j is refused", (text) => {
    const { inbox, dir } = newInbox();
    fs.writeFileSync(join(dir, "1-x.json"), text);
    expect(inbox.peek()).toEqual({ kind: "unreadable", id: "1-x" });
  });

  test("a review message is not a cancellation, whatever its file name", () => {
    const { inbox, dir } = newInbox();
    fs.writeFileSync(join(dir, "1-cancel-x.json"), '{"kind":"reviews","to":"stopped"}');
    expect(inbox.cancel()).toBeUndefined();
    const id = inbox.post({ kind: "cancel" });
    expect(inbox.cancel()).toEqual({ kind: "cancel", id });
  });
});
