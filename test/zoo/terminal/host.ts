// Replaces the foreman: opens terminals on commands from a socket, and reports events.
import net from "node:net";
import { createInterface } from "node:readline";
import { openTerminal } from "../../../src/platform/terminal/open-terminal.ts";
import type { Command, Terminal } from "../../../src/platform/terminal/terminal.ts";

export type Order =
  | {
      readonly do: "open";
      readonly words: readonly string[];
      readonly contained: boolean;
      readonly cwd?: string;
    }
  | { readonly do: "type" | "hint"; readonly text: string }
  | { readonly do: "hold" | "release" | "unhint" | "screen" | "draft" | "end" | "close" | "exit" | "throw" };

const [, , socketPath = ""] = process.argv;
const socket = net.connect(socketPath);
const tell = (news: object): void => void socket.write(`${JSON.stringify(news)}\n`);

const NAMESPACE = ["--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"];

function contained(script: string, args: readonly string[]): Command {
  return { file: "setpriv", args: [...NAMESPACE, "/bin/sh", "-c", script, "sh", ...args] };
}

function bare(script: string, args: readonly string[]): Command {
  return { file: "/bin/sh", args: ["-c", script, "sh", ...args] };
}

let terminal: Terminal | undefined;

async function open(order: Order & { do: "open" }): Promise<void> {
  const opened = await openTerminal({
    words: order.words,
    env: process.env,
    cwd: order.cwd ?? process.cwd(),
    contain: order.contained ? contained : bare,
    stdout: process.stdout,
  });
  if ("problem" in opened) return tell(opened);
  terminal = opened;
  opened.onKeys((chunk) => tell({ keys: chunk.toString("latin1") }));
  tell({ opened: true, pid: process.pid });
  tell({ ended: await opened.ended });
}

async function obey(order: Order): Promise<void> {
  if (order.do === "open") return open(order);
  if (order.do === "exit") process.exit(0);
  if (order.do === "throw") return void setImmediate(fail);
  if (terminal === undefined) return;
  switch (order.do) {
    case "type":
      await terminal.type(order.text);
      return tell({ typed: true });
    case "hint":
      return terminal.hint(order.text, false);
    case "unhint":
      return terminal.hint(null, false);
    case "hold":
      return tell({ held: terminal.hold() });
    case "release":
      return terminal.release();
    case "screen":
      return tell({ screen: await terminal.screen() });
    case "draft":
      return tell({ draft: terminal.draft() });
    case "end":
      return terminal.end();
    case "close":
      await terminal.close();
      return tell({ closed: true });
  }
}

function fail(): never {
  throw new Error("on purpose");
}

createInterface(socket).on("line", (line) => void obey(JSON.parse(line) as Order));
