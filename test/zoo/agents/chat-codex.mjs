// Imitates codex, in a terminal (without hooks, but with a session record) and with `exec`. It follows the script.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Conversation } from "./chat-conversation.mjs";
import { act, next, note, say, widthOf } from "./chat-script.mjs";

const argv = process.argv.slice(2);
const { env } = process;
const today = new Date();
const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()];
const rollouts = join(homedir(), ".codex", "sessions", ...day.map((part) => String(part).padStart(2, "0")));

if (argv[0] === "--version") fs.writeSync(1, "codex-cli 0.166.0\n");
else if (argv.includes("exec")) await exec();
else await talk();

/** Replaces its own system prompt. */
function instructions() {
  const given = argv.map((word) => /^model_instructions_file=(".*")$/.exec(word)?.[1]).find(Boolean);
  return given === undefined ? null : fs.readFileSync(JSON.parse(given), "utf8");
}

/** A line of the session's record, which begins with its type. */
function keep(session, source, payload) {
  const path = join(rollouts, `rollout-2026-11-16T00-00-00-${session}.jsonl`);
  const meta = { id: session, cwd: process.cwd(), source, originator: "codex-tui" };
  const add = (type, value) => {
    const line = { timestamp: new Date().toISOString(), type, payload: value };
    fs.appendFileSync(path, `${JSON.stringify(line)}\n`);
  };
  fs.mkdirSync(rollouts, { recursive: true });
  if (!fs.existsSync(path)) add("session_meta", meta);
  add("event_msg", payload);
}

function recordInput(session, source, text) {
  const item = { type: "UserMessage", id: randomUUID(), content: [{ type: "text", text }] };
  keep(session, source, { type: "item_completed", item });
}

function ended(session, source, message) {
  keep(session, source, { type: "task_complete", last_agent_message: message });
}

async function exec() {
  const prompt = fs.readFileSync(0, "utf8");
  const at = argv.findIndex((word) => word === "resume" || word === "fork");
  const session = argv[at] === "resume" ? argv[at + 1] : randomUUID();
  const kind = env.GA_ROLE === "reviewer" ? "review" : "work";
  const item = next(kind, {
    agent: "codex",
    argv,
    env,
    prompt,
    system: instructions(),
    session,
    resumed: at < 0 ? null : argv[at + 1],
  });
  say({ type: "thread.started", thread_id: session }, { type: "turn.started" });
  recordInput(session, "exec", prompt);
  await act(item);
  if (item.fails !== undefined) {
    say({ type: "error", message: item.fails }, { type: "turn.failed", error: { message: item.fails } });
    process.exit(1);
  }
  const text = item.say ?? (kind === "review" ? "[TASK_COMPLETED]" : "Done.");
  say({ type: "item.completed", item: { id: "item_1", type: "agent_message", text } });
  say({ type: "turn.completed", usage: { input_tokens: 200, cached_input_tokens: 50, output_tokens: 24 } });
  process.exitCode = item.exit ?? 0;
}

async function talk() {
  const session = randomUUID();
  note({ kind: "start", agent: "codex", argv, env, pid: process.pid, session });
  const conversation = new Conversation({
    name: "codex",
    session: () => session,
    head: () => ["", "  >_ OpenAI Codex (v0.166.0)", `     ${process.cwd()}`, "", ""],
    input: (text) => [
      ...text
        .slice(0, 2000)
        .split("\n")
        .map((line, at) => `${at === 0 ? "›" : " "} ${line}`),
      "",
      "",
    ],
    answered: (text) => [
      ...text.split("\n").map((line, at) => `${at === 0 ? "•" : " "} ${line}`),
      "",
      "  Worked for <1s • 10:21",
      "",
      "",
    ],
    interrupted: () => ["■ Conversation interrupted - tell the model what to do differently.", ""],
    box({ busy, queue, draft, leaving }) {
      const rows = busy ? ["• Working (1s • esc to interrupt)", ""] : [];
      if (queue.length > 0)
        rows.push(
          "• Messages to be submitted after next tool call (press esc to interrupt and send immediately)",
          ...queue.map((text) => `  ↳ ${text}`),
        );
      rows.push("");
      const top = rows.length;
      const empty = draft.join("") === "";
      const shown = empty ? ["Ask Codex to do anything"] : draft;
      rows.push(
        ...shown.map((line, at) => `${at === 0 ? "›" : " "} ${line}`),
        "",
        "  scripted default · ~/project",
      );
      rows.push(leaving === null ? (empty ? "  ? for shortcuts" : "") : "  ctrl + c again to quit");
      return { rows, cursor: { row: top + draft.length - 1, col: 2 + widthOf(draft.at(-1)) } };
    },
    started: () => undefined,
    given: (text) => recordInput(session, "cli", text),
    stopped: (message) => ended(session, "cli", message),
    failed: () => undefined,
    left: () => undefined,
    keep: () => undefined,
    cleared: () => undefined,
  });
  await conversation.begin();
}
