import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { NewsFeed } from "../../src/modes/chat/news-feed.ts";
import { until } from "../rig/rig.ts";

interface Scene {
  readonly dir: string;
  readonly feed: NewsFeed;
  readonly received: unknown[];
  readonly lost: () => number;
  /** Adds a complete message, that many milliseconds after the first possible moment. */
  readonly put: (name: string, text: string, at?: number) => string;
}

function scene(): Scene {
  const root = fs.mkdtempSync(join(tmpdir(), "foreman-news-"));
  const dir = join(root, "news");
  fs.mkdirSync(dir);
  const received: unknown[] = [];
  let lost = 0;
  const feed = new NewsFeed(
    dir,
    (message) => void received.push(message),
    () => lost++,
  );
  onTestFinished(() => {
    feed.close();
    fs.rmSync(root, { recursive: true, force: true });
  });
  const put = (name: string, text: string, at = 0): string => {
    const draft = join(dir, `.${name}`);
    fs.writeFileSync(draft, text);
    fs.utimesSync(draft, 1_700_000_000 + at / 1000, 1_700_000_000 + at / 1000);
    fs.renameSync(draft, join(dir, name));
    return join(dir, name);
  };
  return { dir, feed, received, lost: () => lost, put };
}

describe("messages of hooks", () => {
  test("appear once, in the order of writing, whatever their names", () => {
    const { dir, feed, received, put } = scene();
    put("10-2.json", '"third"', 3);
    put("9-1.json", '"second"', 2);
    put("9-3.json", '"first"', 1);
    feed.read();
    feed.read();
    expect(received).toEqual(["first", "second", "third"]);
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  test("appear without a request", async () => {
    const { received, put } = scene();
    put("1.json", '"one"');
    await until(() => received.length > 0);
    put("2.json", '"two"');
    await until(() => received.length > 1);
    expect(received).toEqual(["one", "two"]);
  });

  test("no longer appear after the end", async () => {
    const { feed, received, put } = scene();
    feed.close();
    put("1.json", '"one"');
    const other = scene();
    other.put("1.json", '"other"');
    await until(() => other.received.length > 0);
    expect(received).toEqual([]);
  });

  test("unreadable messages are skipped and removed, and the others appear", () => {
    const { dir, feed, received, put } = scene();
    put("1.json", "{", 1);
    put("2.json", '"half', 2);
    put("3.json", "", 3);
    fs.mkdirSync(join(dir, "4.json", "inside"), { recursive: true });
    fs.symlinkSync("nowhere", join(dir, "5.json"));
    put("6.json", '"well"', 6);
    feed.read();
    expect(received).toEqual(["well"]);
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  test("does not read an incomplete file or one that is no message, and keeps it", () => {
    const { dir, feed, received } = scene();
    for (const name of [".123", "note.txt", "a b.json"]) fs.writeFileSync(join(dir, name), '"no"');
    feed.read();
    expect(received).toEqual([]);
    expect(fs.readdirSync(dir)).toHaveLength(3);
  });

  test("an undeletable message appears once, and does not block the others", () => {
    const { feed, received, put } = scene();
    const stuck = put("1.json", '"stuck"', 1);
    const { rmSync } = fs;
    const spy = vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
      if (path === stuck) throw new Error("EPERM: operation not permitted");
      rmSync(path, options);
    });
    onTestFinished(() => spy.mockRestore());
    feed.read();
    put("2.json", '"two"', 2);
    feed.read();
    feed.read();
    expect(received).toEqual(["stuck", "two"]);
  });
});

describe("a place without further messages", () => {
  test("is known as lost when it is gone, and not before", () => {
    const { dir, feed, lost, received } = scene();
    feed.read();
    expect(lost()).toBe(0);
    fs.rmdirSync(dir);
    feed.read();
    expect([lost() > 0, received]).toEqual([true, []]);
  });

  test("is noticed without polling", async () => {
    const { dir, lost } = scene();
    fs.rmdirSync(dir);
    expect(await until(() => lost() > 0)).toBe(true);
  });

  test("is one if it contains a plain file in its place", () => {
    const { dir, feed, lost } = scene();
    fs.rmdirSync(dir);
    fs.writeFileSync(dir, "");
    feed.read();
    expect(lost()).toBeGreaterThan(0);
  });
});
