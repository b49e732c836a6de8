// Imitates claude, in a terminal (with hooks) and with `--print`. It follows the script.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Conversation } from "./chat-conversation.mjs";
import { act, next, note, say, script, shell, valueOf, widthOf } from "./chat-script.mjs";

const argv = process.argv.slice(2);
const { env } = process;
const VALUED = new Set([
  "--settings",
  "--plugin-dir",
  "--session-id",
  "--resume",
  "--model",
  "--append-system-prompt",
]);
const COST = 0.25;
const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 1000,
};
const MODEL_USAGE = { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 1000, costUSD: COST };

const sessionPath = (id) => join(homedir(), ".claude", "projects", "project", `${id}.jsonl`);
const turnsOf = (id) =>
  fs.existsSync(sessionPath(id)) ? fs.readFileSync(sessionPath(id), "utf8").split('"answer"').length : 1;
function keep(id, line) {
  if (script().keeps === false) return;
  fs.mkdirSync(join(sessionPath(id), ".."), { recursive: true });
  fs.appendFileSync(sessionPath(id), `${JSON.stringify(line)}\n`);
}

if (argv[0] === "--version") writeOut("2.1.325 (Claude Code)");
else if (argv.includes("--help"))
  writeOut(
    "Usage: claude [options] [prompt]\n  --system-prompt <prompt>\n  --system-prompt-file <file>\n  --system-prompt-snapshot <mode>\n  --no-session-persistence",
  );
else if (argv.includes("--print") || argv.includes("-p")) await print();
else await talk();

function writeOut(text) {
  fs.writeSync(1, `${text}\n`);
}

async function print() {
  const prompt = fs.readFileSync(0, "utf8");
  const file = valueOf(argv, "--system-prompt-file");
  const system =
    valueOf(argv, "--system-prompt") ?? (file === undefined ? null : fs.readFileSync(file, "utf8"));
  const resumed = valueOf(argv, "--resume");
  const fork = argv.includes("--fork-session");
  const session = resumed === undefined || fork ? randomUUID() : resumed;
  const kind = env.GA_ROLE === "reviewer" ? "review" : "work";
  const item = next(kind, { agent: "claude", argv, env, prompt, system, session, resumed: resumed ?? null });
  if (resumed !== undefined && !fs.existsSync(sessionPath(resumed))) {
    const message = `No conversation found with session ID: ${resumed}`;
    fs.writeSync(2, `${message}\n`);
    say({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      session_id: resumed,
      num_turns: 0,
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      errors: [message],
      permission_denials: [],
    });
    process.exit(1);
  }
  const kept = !argv.includes("--no-session-persistence");
  if (kept) keep(session, { input: prompt });
  say({ type: "system", subtype: "init", session_id: session, model: "scripted", tools: ["Read"] });
  await act(item);
  if (item.fails !== undefined) {
    say({
      type: "result",
      subtype: "success",
      is_error: true,
      api_error_status: item.status ?? 429,
      terminal_reason: "api_error",
      session_id: session,
      result: item.fails,
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      permission_denials: [],
    });
    process.exit(1);
  }
  const text = item.say ?? (kind === "review" ? "[TASK_COMPLETED]" : "Done.");
  const turns = turnsOf(resumed ?? session);
  if (kept) keep(session, { answer: text });
  if (text !== "")
    say({
      type: "assistant",
      session_id: session,
      message: { id: "m1", role: "assistant", content: [{ type: "text", text }], usage: USAGE },
    });
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    session_id: session,
    result: text,
    stop_reason: "end_turn",
    total_cost_usd: COST * turns,
    usage: USAGE,
    modelUsage: { scripted: { ...MODEL_USAGE, costUSD: COST * turns } },
    model_usage_since_last_result: { scripted: MODEL_USAGE },
    permission_denials: [],
  });
  process.exitCode = item.exit ?? 0;
}

async function talk() {
  const resumed = valueOf(argv, "--resume");
  let session = resumed ?? valueOf(argv, "--session-id") ?? randomUUID();
  note({ kind: "start", agent: "claude", argv, env, pid: process.pid, session });
  if (resumed !== undefined && !fs.existsSync(sessionPath(resumed))) {
    writeOut(`No conversation found with session ID: ${resumed}`);
    process.exit(1);
  }
  const hooks = hooksOf(argv);
  const hook = async (event, more) => {
    const { hooks: called } = script();
    if (called === false) return;
    if (called === "late") {
      if (event === "SessionStart") return;
      await act({ wait: "hooks" });
    }
    const message = {
      session_id: session,
      transcript_path: sessionPath(session),
      cwd: process.cwd(),
      permission_mode: "default",
      hook_event_name: event,
      ...more,
    };
    for (const command of hooks[event] ?? []) await shell(command, JSON.stringify(message));
  };
  const conversation = new Conversation({
    name: "claude",
    session: () => session,
    head: () => [" ▐▛███▛█   Claude Code v2.1.325", "▝▜██████▀  Scripted", ` ▝▝   ▝▝   ${process.cwd()}`, ""],
    input: (text) => [
      ...text
        .slice(0, 2000)
        .split("\n")
        .map((line, at) => `${at === 0 ? "❯" : " "} ${line}`),
      "",
    ],
    answered: (text) => [
      ...text.split("\n").map((line, at) => `${at === 0 ? "●" : " "} ${line}`),
      "",
      "✻ Brewed for 0s · done 9:57 AM",
      "",
    ],
    interrupted: () => ["  ⎿  Interrupted · What should Claude do instead?", ""],
    box({ busy, queue, draft, leaving, columns }) {
      const rule = "─".repeat(columns);
      const rows = [
        ...queue.flatMap((text) => [`❯ ${text}`, "  ctrl+x ctrl+s to send now"]),
        busy ? "✶ Pouncing… (0s · ↓ 1 tokens)" : "",
        rule,
      ];
      const empty = draft.join("") === "";
      const shown = empty && queue.length > 0 ? ["Press up to edit queued messages"] : draft;
      const top = rows.length;
      rows.push(...shown.map((line, at) => `${at === 0 ? "❯" : " "} ${line}`), rule);
      rows.push(
        leaving === null
          ? `  ⏵⏵ auto mode on (shift+tab to cycle)${busy ? " · esc to interrupt" : " · ← for agents"}`
          : `  Press Ctrl-${leaving === "\u0003" ? "C" : "D"} again to exit`,
      );
      return { rows, cursor: { row: top + draft.length - 1, col: 2 + widthOf(draft.at(-1)) } };
    },
    started: () => hook("SessionStart", { source: resumed === undefined ? "startup" : "resume" }),
    given: (prompt) => hook("UserPromptSubmit", { prompt }),
    stopped: (message) => hook("Stop", { stop_hook_active: false, last_assistant_message: message }),
    failed: (message) => hook("StopFailure", { error: "rate_limit", last_assistant_message: message }),
    left: () => hook("SessionEnd", { reason: "prompt_input_exit" }),
    keep: (input, answer) => keep(session, { input, answer }),
    async cleared() {
      await hook("SessionEnd", { reason: "clear" });
      session = randomUUID();
      await hook("SessionStart", { source: "clear" });
    },
  });
  await conversation.begin(argv.find((word, at) => !word.startsWith("-") && !VALUED.has(argv[at - 1])));
}

/** The commands of each event from plugins and given settings. */
function hooksOf(words) {
  const plugins = words.flatMap((word, at) => (words[at - 1] === "--plugin-dir" ? [word] : []));
  const manifests = plugins.map((dir) => readJson(join(dir, ".claude-plugin", "plugin.json")));
  const given = valueOf(words, "--settings");
  const settings =
    given === undefined ? [] : [given.trimStart().startsWith("{") ? JSON.parse(given) : readJson(given)];
  const found = {};
  for (const { hooks = {} } of [...manifests, ...settings])
    for (const [event, matchers] of Object.entries(hooks))
      (found[event] ??= []).push(
        ...matchers.flatMap((matcher) => matcher.hooks.map(({ command }) => command)),
      );
  return found;
}

function readJson(path) {
  return JSON.parse(fs.readFileSync(path, "utf8"));
}
