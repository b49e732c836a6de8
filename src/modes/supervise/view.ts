import type { SuperviseSettings } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { attemptReport } from "./report.ts";
import { liveHistory } from "./history.ts";
import type { ModeView } from "../../ui/mode-view.ts";
import { plainHistory } from "../../ui/plain-history.ts";
import { labelled } from "../../ui/summary-parts.ts";
import { superviseAsked, superviseEnd } from "./summary.ts";
import { agentNames, stuckAtStep } from "../../ui/wording.ts";
import { COMMON } from "../../ui/common-view.ts";

export const superviseView: ModeView<SuperviseSettings> = {
  ...COMMON,
  hasSubjects: (isRedrawn) => !isRedrawn,
  lineStart: (_state, attempt) => String(attempt),
  describe: (event, scene, texts) => (scene.isRedrawn ? liveHistory : plainHistory)(event, scene, texts),
  ended: superviseEnd,
  asked: superviseAsked,
  stuck: stuckAtStep,
  about: ({ settings }, { label }) => [
    labelled(label.agent, settings.agentCmd === null ? agentNames(settings) : visible(settings.agentCmd)),
  ],
  unfinished: ({ attempts, settings }) => ({
    attempts: attempts.flatMap((attempt) => attemptReport(attempt, attempts, settings) ?? []),
  }),
};
