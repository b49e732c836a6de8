import type { RoomEvent } from "../domain/room/event.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { duration } from "../domain/time-text.ts";
import type { Line } from "../reporters/page.ts";
import { baseCommandText, treeNews, baseWarnings } from "../reporters/room-wording.ts";
import {
  conditionLines,
  indented,
  processLines,
  warning,
  type Evidence,
  type StoryView,
} from "./attempt-story.ts";

/** What a story tells of the base, and of what turns left. `isFirst`: what is weak here has not been said yet. */
export function roomStory(
  event: RoomEvent,
  say: (text: string) => Line,
  { attempt, isFirst }: { readonly attempt: Attempt | undefined; readonly isFirst: boolean },
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const { room } = terms;
  switch (event.type) {
    case "base_taken": {
      const { commit, files, oracle } = event;
      const name = commit === null ? room.base : `${room.base} ${visible(commit.slice(0, 7))}`;
      return [
        say(name + texts.detail(room.baseTaken(files, oracle.files))),
        ...(isFirst ? baseWarnings(event, terms).map(warning) : []),
      ];
    }
    case "base_checked":
      return [
        indented({
          text: `${room.base} ${baseCommandText(event, terms)}  ${duration(event.process.durationMs)}`,
        }),
        ...(event.notStarted?.said ? [indented({ text: `  | ${visible(event.notStarted.said)}` })] : []),
        ...processLines(event.process.leaked, terms.leakedEnded, view),
        ...conditionLines([event.output, ...(event.tests ? [event.tests.kept] : [])], evidence, view),
      ];
    case "candidate_taken":
      return treeNews(event, attempt, state, terms, true).map(({ text, isWarning }) =>
        isWarning ? warning(text) : indented({ text: `- ${text}` }),
      );
    case "candidate_confirmed":
      return [];
  }
}
