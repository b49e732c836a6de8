import { listedRun, type ListedRun } from "../../core/report/listed-run.ts";
import { heldChanges } from "../../evidence/held.ts";
import { lastAttempt } from "../../core/state.ts";
import { viewOf } from "../registry.ts";
import { agentFailures, spentReport, interruptedTurns } from "./report-parts.ts";
import { roomReports } from "../../evidence/report/room-report.ts";

/** `show --json` for a run without a final report: it goes on, waits, or is damaged. */
export function unfinishedReport(
  run: ListedRun & { readonly runDir: string | null; readonly journal: string },
) {
  const { state } = run;
  const about = state?.question?.about ?? null;
  const asking = state && about === "protected" ? lastAttempt(state) : undefined;
  const { room, base } = state ? roomReports(state) : { room: null, base: null };
  return {
    ...listedRun(run),
    ...(state ? viewOf(state).unfinished(state) : { attempts: [] }),
    spent: state && spentReport(state),
    agent_failures: state ? agentFailures(state) : [],
    wait: state?.wait ? { agent: state.wait.agent, class: state.wait.class, until: state.wait.until } : null,
    room,
    base,
    /** The topic of the open question; null: there is none. */
    asks_about: about,
    /** Changed protected files that a person has to look at. */
    held: state && asking ? heldChanges(state, asking) : [],
    interrupted_turns: state ? interruptedTurns(state) : [],
    refused_answers: state?.refusals ?? 0,
    run_dir: run.runDir,
    journal_path: run.journal,
  };
}
