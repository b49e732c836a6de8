import path from "node:path";
import { about } from "./gather.ts";
import { type JsonObject, stringIn } from "./json-lines.ts";

const MAX_ACTIVITY = 120;

/** Verbs for the tools of many agents, by the agents' names for them. */
const VERBS: Readonly<Record<string, string>> = {
  edit: "Write Edit MultiEdit NotebookEdit write edit multiedit patch write_file replace notebook_edit file_change",
  run: "Bash bash shell run_shell_command command_execution",
  read: "Read NotebookRead read view read_file read_many_files",
  search: "Grep Glob LS grep glob list ls find grep_search search_file_content list_directory",
  browse: "WebFetch WebSearch webfetch websearch web_fetch web_search google_web_search",
  delegate: "Task Agent task agent invoke_agent",
};
const VERB_OF = new Map(
  Object.entries(VERBS).flatMap(([verb, tools]) => tools.split(" ").map((tool) => [tool, verb] as const)),
);

/** A tool call in a few words: `edit src/a.ts`, `run npm test`. */
export function activityOf(tool: string, input: JsonObject | undefined, cwd: string): string {
  const named = ["pattern", "query", "description"].map((key) => stringIn(input, key)).find(Boolean);
  const what = about(input) || (named ?? "");
  const shown = what.startsWith(`${cwd}${path.sep}`) ? what.slice(cwd.length + 1) : what;
  return `${VERB_OF.get(tool) ?? tool} ${shown}`.replace(/\s+/g, " ").trim().slice(0, MAX_ACTIVITY);
}

/** Whether the tool runs commands, whose changes are not reported. */
export function isRun(tool: string): boolean {
  return VERB_OF.get(tool) === "run";
}

export function isEdit(tool: string): boolean {
  return VERB_OF.get(tool) === "edit";
}
