import type { RunState } from "../domain/state.ts";
import { inIterations } from "../i18n/terminal-iterations.ts";
import { analyzeHistory } from "./analyze-history.ts";
import { boardHistory } from "./board-history.ts";
import { chatHistory } from "./chat-history.ts";
import { stamped, type History } from "./history.ts";
import { liveHistory } from "./live-history.ts";
import { plainHistory } from "./plain-history.ts";
import { stepsHistory } from "./steps-history.ts";

/** For a person at a terminal. */
export const terminalHistory = byMode(liveHistory);

/** For pipes, CI and screen readers: every line that is not indented begins with the time. */
export const pipedHistory: History = (event, scene, texts) => {
  const lines = plainByMode(event, scene, texts);
  return hasOwnTimes(scene.state) ? lines : stamped(lines, scene.state.updatedAt);
};

/** The lines of the other modes are the same for terminals. */
export function hasOwnTimes({ settings }: RunState): boolean {
  return settings.mode === "supervise" || settings.mode === "chat";
}

const plainByMode = byMode(plainHistory);

/** How a run is told goes by its mode; `supervise` differs by who looks. */
function byMode(supervise: History): History {
  return (event, scene, texts) => {
    switch (scene.state.settings.mode) {
      case "supervise":
        return supervise(event, scene, texts);
      case "run":
        return stepsHistory(event, scene, texts);
      case "analyze":
        return analyzeHistory(event, scene, texts);
      case "orchestrate":
        return boardHistory(event, scene, inIterations(texts));
      case "chat":
        return chatHistory(event, scene, texts);
    }
  };
}
