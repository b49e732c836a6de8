import type { Lang } from "../../src/domain/settings.ts";
import type { BoardStory } from "../rig/board-story.ts";
import { piped } from "./steps-rig.ts";

/** The lines that the events after the first `from` add. */
export function since(from: readonly unknown[], story: BoardStory, lang: Lang = "en"): readonly string[] {
  const head = piped(lang, story.events.slice(0, from.length));
  return piped(lang, story.events).slice(head.length);
}
