// Imitates opencode in a terminal: its log shows when a turn ends, but its inputs appear only on the screen.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Conversation } from "./chat-conversation.mjs";
import { note, widthOf } from "./chat-script.mjs";

const argv = process.argv.slice(2);
const { env } = process;
const session = `ses_${randomBytes(8).toString("hex")}`;
const run = randomBytes(4).toString("hex");
const MARGIN = "  ┃  ";

if (argv[0] === "--version") fs.writeSync(1, "1.18.33\n");
else await talk();

function log(message) {
  const dir = join(homedir(), ".local", "share", "opencode", "log");
  fs.mkdirSync(dir, { recursive: true });
  const line = `timestamp=${new Date().toISOString()} level=INFO run=${run} message=${message}\n`;
  fs.appendFileSync(join(dir, "opencode.log"), line);
}

async function talk() {
  note({ kind: "start", agent: "opencode", argv, env, pid: process.pid, session });
  const conversation = new Conversation({
    name: "opencode",
    session: () => session,
    head: () => [],
    input: (text) => ["  ┃", ...text.split("\n").map((line) => `${MARGIN}${line}`), "  ┃", ""],
    answered: (text) => [
      ...text.split("\n").map((line) => `     ${line}`),
      "",
      "     ▣  Build · scripted · 1.9s",
      "",
    ],
    interrupted: () => ["     ▣  Build · scripted · interrupted", ""],
    box({ busy, draft, columns }) {
      const empty = draft.join("") === "";
      const shown = empty ? ['Ask anything… "Fix a TODO in the codebase"'] : draft;
      const rows = ["  ┃", ...shown.map((line) => `${MARGIN}${line}`), "  ┃", `${MARGIN}Build  Scripted`];
      rows.push(
        `  ╹${"▀".repeat(Math.max(columns - 5, 8))}`,
        busy ? "   ⬝⬝⬝⬝  esc interrupt" : "   ctrl+p commands",
      );
      return { rows, cursor: { row: draft.length, col: 5 + widthOf(draft.at(-1)) } };
    },
    started: () => log(`"creating instance" directory=${process.cwd()}`),
    given: () => log(`loop session.id=${session} step=0`),
    stopped: () => log(`"exiting loop" session.id=${session}`),
    failed: () => log(`cancel session.id=${session}`),
    left: () => undefined,
    keep: () => undefined,
    cleared: () => undefined,
  });
  await conversation.begin();
}
