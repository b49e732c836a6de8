import childProcess, { type spawnSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changedSinceCommit, headCommit } from "../../src/platform/git/git.ts";

const spawned = vi.fn<typeof spawnSync>();

// `vi.mock` would miss modules that another file of this worker has loaded.
beforeEach(() => {
  vi.spyOn(childProcess, "spawnSync").mockImplementation(spawned);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The result of a program that timed out, without the wait. */
function end(code: string | undefined): ReturnType<typeof spawnSync> {
  const error = code === undefined ? {} : { error: Object.assign(new Error("spawnSync git"), { code }) };
  const none = Buffer.alloc(0);
  return { ...error, pid: 1, status: null, signal: "SIGKILL", stdout: none, stderr: none, output: [] };
}

/** The time limits of the git calls. */
function limits(act: () => void): readonly (number | undefined)[] {
  spawned.mockClear();
  act();
  return spawned.mock.calls.map(([, , options]) => options?.timeout);
}

test("after git has waited too long in a folder, gives up further calls there quickly for a minute", () => {
  let now = 1000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const ask = (folder: string) => (): void => void headCommit(folder);
  spawned.mockImplementation(() => end("ENOENT"));
  expect(limits(ask("/none/one"))).toEqual([10_000]);
  spawned.mockImplementation(() => end("ETIMEDOUT"));
  expect(limits(ask("/none/one"))).toEqual([10_000]);
  now += 59_999;
  expect(limits(ask("/none/one"))).toEqual([500]);
  expect(limits(ask("/none/two"))).toEqual([10_000]);
  // A quick failure does not extend the minute.
  now += 1;
  expect(limits(ask("/none/one"))).toEqual([10_000]);
  expect(limits(ask("/none/one"))).toEqual([500]);
});

test("so is a look at what changed", () => {
  const look = (): void =>
    void changedSinceCommit("/none/three", "HEAD", (command) => ({ file: command, args: [] }));
  const keys = Buffer.from("filter.none.required\0");
  spawned.mockImplementation((file) =>
    file.includes(" diff ") ? end("ETIMEDOUT") : { ...end(undefined), status: 0, stdout: keys },
  );
  expect(limits(look)).toEqual([10_000, 10_000]);
  expect(limits(look)).toEqual([500, 500]);
});
