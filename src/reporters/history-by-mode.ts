import { inIterations } from "../i18n/terminal-iterations.ts";
import { analyzeHistory } from "./analyze-history.ts";
import { boardHistory } from "./board-history.ts";
import { chatHistory } from "./chat-history.ts";
import type { History } from "./history.ts";
import { stepsHistory } from "./steps-history.ts";

/** How a run is told goes by its mode; `supervise` differs by who looks. */
export function byMode(supervise: History): History {
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
