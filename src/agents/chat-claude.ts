import { homedir } from "node:os";
import { join } from "node:path";
import { shellQuoted } from "../text/shell-quote.ts";
import { tryReadPlainFile } from "../platform/files/read-file.ts";
import { boxText, NO_BOX, type ChatAdapter, type ChatStart } from "./chat.ts";
import { isObject, objectIn, parseObject, stringIn } from "./json-lines.ts";

/** Excludes compaction hooks, because it prints their commands on the screen. */
const EVENTS = ["SessionStart", "UserPromptSubmit", "Stop", "StopFailure"];
const HOOK_SECONDS = 10;
/** Between turns nothing else refreshes the status line. */
const STATUS_SECONDS = 2;
const RULE = /^─{8,}/;
/** Of a message, or of a shell command. */
const PROMPT = /^[❯!]/;
const QUEUED = "Press up to edit queued messages";
const PROPOSAL = /^Try "[^"]*"?$/;
/** Its current verb, shown where other hints have replaced `esc to interrupt`. */
const SPINNER = /^[·✢✳✶✻✽*] .*…/;
const NEAR = 12;

export const claudeChat: ChatAdapter = {
  name: "claude",
  turns: "hooks",
  reportsInputs: true,
  fork: true,
  pasteMs: 0,

  /** Passes the hooks as a plugin: unlike settings, there can be several, so the person's own options are kept. */
  start(request) {
    const { options, resume, dir, news } = request;
    const plugin = join(dir, "claude-plugin");
    const hooks = EVENTS.map((event) => [
      event,
      [{ hooks: [{ type: "command", command: hookCommand(news), timeout: HOOK_SECONDS }] }],
    ]);
    const manifest = {
      name: "agent-foreman",
      version: "1.0.0",
      description: "Reports to agent-foreman when a turn begins and ends.",
      hooks: Object.fromEntries(hooks),
    };
    const status = statusSettings(request);
    const settings = join(dir, "claude-settings.json");
    const words = [options.program, "--plugin-dir", plugin];
    if (status !== null) words.push("--settings", settings);
    if (options.model !== null) words.push("--model", options.model);
    if (resume !== null) words.push("--resume", resume);
    return {
      words: [...words, ...options.args],
      env: { ...(options.endpoint === null ? {} : { ANTHROPIC_BASE_URL: options.endpoint }), ...options.env },
      files: {
        [join(plugin, ".claude-plugin", "plugin.json")]: JSON.stringify(manifest),
        ...(status !== null && { [settings]: JSON.stringify(status) }),
      },
    };
  },

  hook(message) {
    if (!isObject(message)) return [];
    const session = stringIn(message, "session_id");
    if (session === undefined) return [];
    const said = stringIn(message, "last_assistant_message") ?? null;
    switch (stringIn(message, "hook_event_name")) {
      case "SessionStart":
        return [{ kind: "session", id: session }];
      case "UserPromptSubmit":
        return [{ kind: "input", session, text: stringIn(message, "prompt") ?? "" }];
      case "Stop":
        return [{ kind: "turn_ended", session, message: said, failed: false }];
      case "StopFailure":
        return [{ kind: "turn_ended", session, message: said, failed: true }];
      default:
        return [];
    }
  },

  /** The box is between two rules and contains the cursor; a dialog has at most one rule. */
  look({ rows, cursor }) {
    const bottom = rows.findIndex((row, at) => at > cursor.row && RULE.test(row));
    const top = rows.findLastIndex((row, at) => at < cursor.row && RULE.test(row));
    const box = rows.slice(top + 1, bottom);
    if (top === -1 || bottom === -1 || !PROMPT.test(box[0] ?? "")) return NO_BOX;
    const text = boxText(box.map((row) => row.slice(2)));
    return {
      busy:
        rows.slice(bottom + 1).some((row) => row.includes("esc to interrupt")) ||
        rows.slice(Math.max(0, top - NEAR), top).some((row) => SPINNER.test(row)),
      draft: text === QUEUED || PROPOSAL.test(text) ? "" : text,
      ...(text === QUEUED && { queued: true }),
      atStart: cursor.row === top + 1 && cursor.col <= 2,
    };
  },
};

/**
 * A status line that shows the review; null: the person has their own. We do not wrap theirs: run every few seconds, it could cost
 * far more than they expect.
 */
function statusSettings({ options, cwd, env, status }: ChatStart): object | null {
  const hasSettings = options.args.some((word) => /^--settings(?:=|$)/.test(word));
  if (hasSettings || settingsFiles(cwd, env).some(hasStatusLine)) return null;
  const command = `cat ${shellQuoted(status)} 2>/dev/null; exit 0`;
  return { statusLine: { type: "command", command, refreshInterval: STATUS_SECONDS } };
}

function settingsFiles(cwd: string, env: ChatStart["env"]): readonly string[] {
  const own = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  const project = join(cwd, ".claude");
  return [join(own, "settings.json"), join(project, "settings.json"), join(project, "settings.local.json")];
}

/** Claude Code ignores a file that is not JSON. */
function hasStatusLine(path: string): boolean {
  const settings = parseObject(tryReadPlainFile(path)?.toString("utf8") ?? "");
  return objectIn(settings, "statusLine") !== undefined;
}

/** Silent, because a hook's output goes to the model. Never fails, so that the agent continues without us. */
function hookCommand(news: string): string {
  const place = shellQuoted(news);
  return `{ cat >${place}/.$$ && mv ${place}/.$$ ${place}/$(date +%s)-$$.json; } 2>/dev/null; exit 0`;
}
