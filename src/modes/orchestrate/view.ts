import { boardTerms } from "./words/terminal.ts";
import { commandsDue } from "./call.ts";
import { isOver, iterationOf, roleOf } from "../../core/board/iterations.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt } from "../../core/state.ts";
import { rolesOf } from "./board-statements.ts";
import { iterationPlace } from "./board-wording.ts";
import { boardHistory } from "./history-lines.ts";
import type { ModeView } from "../../ui/mode-view.ts";
import { orchestrateCommand } from "./orchestrate-command.ts";
import {
  orchestrateAsked,
  orchestrateEnd,
  orchestrateInterrupted,
  planFacts,
} from "./summary-orchestrate.ts";
import { labelled } from "../../ui/summary-parts.ts";
import { currentAttempt } from "../../ui/wording.ts";
import { COMMON, runningAt } from "../../ui/common-view.ts";

export const orchestrateView: ModeView<OrchestrateSettings> = {
  ...COMMON,
  words: (texts) => ({ ...texts, ...boardTerms[texts.lang].counting }),
  describe: boardHistory,
  isOver,
  ended: orchestrateEnd,
  asked: orchestrateAsked,
  interrupted: orchestrateInterrupted,
  place: iterationPlace,
  lineStart: iterationPlace,
  title: iterationPlace,
  phase: (phase, state, texts) => {
    const attempt = lastAttempt(state);
    if (attempt && phase === "agent") return boardTerms[texts.lang].turnOf(roleOf(attempt) ?? "");
    const count = attempt && phase === "acceptance";
    const place = count ? ` ${attempt.checks.length + 1}/${commandsDue(attempt).length}` : "";
    return texts.phase[phase] + place;
  },
  about: ({ settings }) => rolesOf(settings).map(([role, agents]) => labelled(role, agents)),
  facts: planFacts,
  running: runningAt(iterationPlace),
  startAgain: ({ settings }, here) => orchestrateCommand(settings, here),
  next: ({ settings, ended }, here) =>
    ended?.reason === "limit_reached" ? orchestrateCommand(settings, here) : null,
  listed: (state) => ({ iteration: iterationOf(state, currentAttempt(state)) }),
  unfinished: (state) => ({
    attempts: [],
    board_dir: state.settings.boardDir,
    iteration: iterationOf(state, lastAttempt(state)?.index ?? 0),
  }),
};
