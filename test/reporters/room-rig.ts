import type { Lang } from "../../src/core/settings.ts";
import { baseChecked, baseTaken, changed, ROOM } from "../rig/room-story.ts";
import { exited, started, turnEnded, turnStarted } from "../rig/story.ts";
import { piped, shown, type StoryItem } from "./steps-rig.ts";

/** A run with a room, up to the record of its base. More events follow: base tests with failing full tests, a turn, and its changes of tests. */
export const HEAD = [started({ room: ROOM }, { baseCommit: null }), baseTaken()];
export const CHECKED = [
  baseChecked("fast", "fast"),
  baseChecked("full", "full", {
    tests: null,
    process: { ...baseChecked("full", "full").process, end: exited(1) },
  }),
];
export const TURN = [turnStarted(1), turnEnded(1)];
export const CHANGES = [
  changed("test/api.test.ts"),
  changed("package.json", { kind: "config", entries: ["scripts.test"] }),
  changed(".npmrc", { kind: "shadow", how: "added" }),
];

/** Lines that the events after `from` add to a pipe. */
export function added(
  from: readonly StoryItem[],
  more: readonly StoryItem[],
  lang: Lang = "en",
): readonly string[] {
  return piped(lang, [...from, ...more])
    .slice(piped(lang, from).length)
    .map(untimed);
}

const untimed = (line: string): string => line.replace(/^\d\d:\d\d:\d\d /, "");

/** The same on a terminal. */
export function live(
  from: readonly StoryItem[],
  more: readonly StoryItem[],
  lang: Lang = "en",
): readonly string[] {
  return shown("on a terminal", lang, [...from, ...more]).slice(shown("on a terminal", lang, from).length);
}
