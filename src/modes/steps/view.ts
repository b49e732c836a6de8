import { stepTerms } from "./words/terminal.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { stepOutcomes } from "./step-outcome.ts";
import { stepReport } from "./steps-report.ts";
import type { ModeView } from "../../ui/mode-view.ts";
import { runAgainCommand } from "./run-steps-command.ts";
import { recordedSteps, stepsHistory } from "./steps-history.ts";
import { labelled } from "../../ui/summary-parts.ts";
import { stepFacts, stepsAsked, stepsEnd, stepsImpasse, stepsInterrupted } from "./summary-steps.ts";
import { stepAttemptPlace, stepPlace, stuckAtStep } from "../../ui/wording.ts";
import { COMMON, runningAt } from "../../ui/common-view.ts";

export const stepsView: ModeView<StepsSettings> = {
  ...COMMON,
  words: (texts) => ({ ...texts, upTo: stepTerms[texts.lang].upTo }),
  describe: (event, scene, texts) => (scene.kept ? recordedSteps : stepsHistory)(event, scene, texts),
  ended: stepsEnd,
  asked: stepsAsked,
  interrupted: stepsInterrupted,
  impasse: stepsImpasse,
  phaseStarts: (phase, command, { lang }) =>
    phase === "unit" ? stepTerms[lang].unitTestStarts(visible(command)) : null,
  place: stepAttemptPlace,
  lineStart: stepAttemptPlace,
  title: stepPlace,
  stuck: stuckAtStep,
  about: ({ settings }, { label }, { lang }) => {
    const { workers, verifiers } = settings;
    const names = (agents: readonly string[]): string => visible(agents.join(", "));
    return [
      labelled(label.agent, names(workers)),
      ...(verifiers.length > 0 ? [labelled(stepTerms[lang].label.verifier, names(verifiers))] : []),
    ];
  },
  facts: stepFacts,
  running: runningAt(stepAttemptPlace),
  startAgain: ({ settings }, here) => runAgainCommand(settings, here),
  next: ({ settings, ended }, here) => (ended?.status === "failed" ? runAgainCommand(settings, here) : null),
  listed: ({ step, settings }) => ({ step: step ?? 0, steps: settings.steps.length }),
  unfinished: (state) => ({
    attempts: [],
    steps_dir: state.settings.stepsDir,
    step: state.step ?? 0,
    steps: stepOutcomes(state).map((outcome) => stepReport(outcome, state.settings)),
  }),
};
