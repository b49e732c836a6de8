import type { BaseChecked, BaseTaken } from "../../core/evidence/event.ts";
import { visible } from "../../text/text.ts";
import { duration } from "../../text/time-text.ts";
import { baseCommandText } from "../../ui/room-wording.ts";
import { baseStatements, leakedStatements } from "../../ui/shared-history.ts";
import type { Description } from "../../ui/statement.ts";
import { conditions, MAX_PROCESSES, type StoryContext } from "./attempt-story.ts";

/** `isFirst`: the weak points have not been shown yet. */
export function baseStory(event: BaseTaken, isFirst: boolean, { terms, texts }: StoryContext): Description {
  const { commit, files, protected: found } = event;
  const { base, baseTaken } = terms.room;
  const name = commit === null ? base : `${base} ${visible(commit.slice(0, 7))}`;
  return [
    { subject: "base", text: name + texts.detail(baseTaken(files, found.files)) },
    ...(isFirst ? baseStatements(event, terms) : []),
  ];
}

export function baseCheckStory(event: BaseChecked, context: StoryContext): Description {
  const { process, notStarted, output, tests } = event;
  const { terms } = context;
  const text = `${terms.room.base} ${baseCommandText(event, terms)}  ${duration(process.durationMs)}`;
  return [
    { subject: "base", text, isDetail: true },
    ...(notStarted?.said ? [{ text: `  | ${visible(notStarted.said)}` }] : []),
    ...leakedStatements(process.leaked, terms, MAX_PROCESSES),
    ...conditions([output, ...(tests ? [tests.kept] : [])], context),
  ];
}
