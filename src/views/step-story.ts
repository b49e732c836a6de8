import type { StepMarked, StepRefused, StepStarted, StepsWritten } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { Line } from "../reporters/page.ts";
import { plannedLines } from "../reporters/planned-steps.ts";
import { refusalText } from "../reports/step-error.ts";
import { warning, type StoryView } from "./attempt-story.ts";

/** What a story tells about steps besides the attempts at them. */
export function stepLines(
  event: StepStarted | StepMarked | StepRefused | StepsWritten,
  say: (text: string) => Line,
  { steps, settings }: RunState,
  { texts, terms }: StoryView,
): Line[] {
  if (event.type === "steps_written") {
    const isDry = settings.mode === "analyze" && settings.dryRun;
    const { notWritten, unchanged, written } = terms.steps;
    const says = isDry ? notWritten : event.unchanged ? unchanged : written;
    const text = says(event.files.length, visible(event.dir));
    return [{ ...say(text), ...(!isDry && { tone: "good" }) }, ...plannedLines(event, terms)];
  }
  const step = steps[event.step - 1]?.step;
  const file = visible(step?.file ?? "");
  const place = `[${event.step}/${steps.length}] ${file}`;
  switch (event.type) {
    case "step_started": {
      const text = `${place} ${visible(step?.id ?? "")}`;
      return [say(event.regression ? `${text}  ${texts.regression}` : text)];
    }
    // What it says stands in its file, and in the attempts at it.
    case "step_marked":
      return event.edited ? [warning(terms.steps.edited(file))] : [];
    case "step_refused":
      return [
        { ...say(`✗ ${place}${terms.colon}${refusalText(event, terms.lang)} (${event.why})`), tone: "bad" },
      ];
  }
}
