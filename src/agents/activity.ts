import path from "node:path";
import { about } from "./gather.ts";
import { type JsonObject, stringIn } from "./json-lines.ts";

const MAX_ACTIVITY = 120;

/** What the tools of many agents do, by their names in lower case without `_`. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  edit: [
    "write",
    "edit",
    "multiedit",
    "notebookedit",
    "writefile",
    "replace",
    "patch",
    "applypatch",
    "filechange",
  ],
  run: ["bash", "shell", "runshellcommand", "commandexecution"],
  read: ["read", "readfile", "readmanyfiles", "notebookread"],
  search: ["grep", "glob", "grepsearch", "searchfilecontent", "list", "ls", "listdirectory"],
  browse: ["webfetch", "websearch", "googlewebsearch"],
  delegate: ["task", "agent", "invokeagent"],
};

/** A tool call in a few words: `edit src/a.ts`, `run npm test`. */
export function activityOf(tool: string, input: JsonObject | undefined, cwd: string): string {
  const name = tool.toLowerCase().replaceAll("_", "");
  const verb = Object.keys(VERBS).find((each) => VERBS[each]?.includes(name)) ?? tool;
  const what =
    about(input) || ["pattern", "query", "description"].map((key) => stringIn(input, key)).find(Boolean);
  const shown = what?.startsWith(`${cwd}${path.sep}`) ? what.slice(cwd.length + 1) : (what ?? "");
  return `${verb} ${shown}`.replace(/\s+/g, " ").trim().slice(0, MAX_ACTIVITY);
}

export function isEdit(tool: string): boolean {
  return VERBS["edit"]?.includes(tool.toLowerCase().replaceAll("_", "")) ?? false;
}
