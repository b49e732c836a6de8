import type { Lang } from "../../src/core/settings.ts";
import type { BoardStory } from "../rig/board-story.ts";
import { piped } from "./steps-rig.ts";

/** The lines that a story adds after the events of `from`. */
export function since(from: readonly unknown[], story: BoardStory, lang: Lang = "en"): readonly string[] {
  const head = piped(lang, story.events.slice(0, from.length));
  return piped(lang, story.events).slice(head.length);
}
