import type { StepMarked, StepRefused, StepStarted, StepsWritten } from "../../core/event.ts";
import { visible } from "../../text/text.ts";
import { plannedLines } from "../../modes/steps/planned-steps.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { refusalText } from "../../modes/steps/step-error.ts";
import type { StoryContext } from "./attempt-story.ts";

/** Events of steps other than attempts. */
export function stepStory(
  event: StepStarted | StepMarked | StepRefused | StepsWritten,
  { state: { steps, settings }, texts, terms }: StoryContext,
): Description {
  if (event.type === "steps_written") {
    const isDry = "dryRun" in settings && settings.dryRun;
    const { notWritten, unchanged, written } = terms.steps;
    const says = isDry ? notWritten : event.unchanged ? unchanged : written;
    const text = says(event.files.length, visible(event.dir));
    const planned = plannedLines(event, terms).map((line) => ({ ...line, lead: "" }));
    return [{ subject: "run", text, tone: isDry ? undefined : "good" }, ...planned];
  }
  const step = steps[event.step - 1]?.step;
  const file = visible(step?.file ?? "");
  const place = `[${event.step}/${steps.length}] ${file}`;
  switch (event.type) {
    case "step_started": {
      const text = `${place} ${visible(step?.id ?? "")}`;
      return [{ subject: "run", text: event.regression ? `${text}  ${texts.regression}` : text }];
    }
    // The text of the step is in its file, and in the attempts at it.
    case "step_marked":
      return event.edited ? [warns("run", terms.steps.edited(file))] : [];
    case "step_refused": {
      const text = `${place}${terms.colon}${refusalText(event, terms.lang)} (${event.why})`;
      return [{ subject: "run", sign: "✗", text, tone: "bad" }];
    }
  }
}
