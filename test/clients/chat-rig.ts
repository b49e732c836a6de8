import fs from "node:fs";
import { join } from "node:path";
import { spawn, type IPty } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFailed, onTestFinished } from "vitest";
import type { ChatAdapter, Look } from "../../src/agents/chat.ts";
import { chatAdapterFor } from "../../src/agents/chat-registry.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { ChatReport } from "../../src/modes/chat/chat-report.ts";
import { CLI, until, type Ended, type StartOptions } from "../rig/rig.ts";
import { Key } from "../rig/terminal.ts";
import type { ClientName } from "./clients.ts";
import { ClientsRig } from "./clients-rig.ts";
import type { Step } from "./model/script.ts";
import type { Asked, ModelServer } from "./model-server.ts";

export const SUPERVISOR = "You are the reviewer of the greeting. Trust nothing that you have not read.";
export const TASK = "write the greeting";
/** Feedback that a terminal may misread: as a command, a file selection or a hidden paste. */
export const MISSING = `greeting.txt does not greet the world:

/greeting is not enough, see @greeting.txt
! 你好 ★ is missing
as is "\\n" at the end:
${Array.from({ length: 12 }, (_, at) => `- the world ${at + 1}`).join("\n")}
and @greeting.txt`;
export const DONE = "Now it does.\n[TASK_COMPLETED]";
const COLUMNS = 100;
const ROWS = 50;
/** A person presses a key again if it had no effect. */
const AGAIN_MS = 2000;

type Told<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** A reviewer's answer, which only the reviewer receives. */
export function reviewed(text: string, more: Pick<Step, "after"> = {}): Step {
  return { text, match: SUPERVISOR, ...more };
}

/** Holds the model's answer until the test releases it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

/** A project with a SUPERVISOR.md and clients after their first use, so they ask no startup questions. */
export class ChatClientsRig extends ClientsRig {
  /** Read by `env` before it is set. */
  given: Readonly<Record<string, string>> | undefined;

  constructor() {
    super();
    this.write("SUPERVISOR.md", `${SUPERVISOR}\n`);
    this.#put(".claude.json", {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: ["scripted-key"], rejected: [] },
      projects: { [this.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    });
    this.settings({});
    onTestFinished(async () => {
      await until(() => this.survivors().length === 0);
    });
  }

  override alwaysWith(options: Pick<StartOptions, "env" | "preload">): void {
    super.alwaysWith(options);
    this.given = options.env;
  }

  override env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return super.env({ ...this.given, ...extra });
  }

  /** Writes the user's settings for claude. */
  settings(more: Readonly<Record<string, unknown>>): void {
    this.#put(join(".claude", "settings.json"), { skipDangerousModePermissionPrompt: true, ...more });
  }

  /** The client in a terminal, ready for input. */
  async chat(
    name: ClientName,
    steps: readonly Step[],
  ): Promise<{ readonly chat: ClientTerminal; readonly model: ModelServer }> {
    const model = await this.client(name, steps, LIVE_ENV[name] ?? {});
    const chat = new ClientTerminal(this, name);
    await chat.shows(STARTED[name] ?? "");
    await chat.drafts("");
    return { chat, model };
  }

  async print(name: ClientName, flags: readonly string[] = []): Promise<Ended> {
    return this.run(["chat", "--print", TASK, "--agent", name, ...flags]);
  }

  greets(text: string): Step {
    return { write: { path: join(this.project, "greeting.txt"), text } };
  }

  runId(): string {
    return this.runIds().at(-1) ?? "";
  }

  /** Events of this type. */
  eventsOf<Type extends RunEvent["type"]>(type: Type): Told<Type>[] {
    if (!fs.existsSync(this.journalPath(this.runId()))) return [];
    return this.events(this.runId()).filter((event): event is Told<Type> => event.type === type);
  }

  /** Waits for the n-th event of this type. */
  async happens<Type extends RunEvent["type"]>(type: Type, number = 1): Promise<Told<Type>> {
    return until(() => this.eventsOf(type)[number - 1]);
  }

  types(): readonly string[] {
    return this.events(this.runId()).map(({ type }) => type);
  }

  /** The person's recorded inputs. */
  inputs(): string[] {
    return this.eventsOf("input_given").map(({ text }) => fs.readFileSync(text.path, "utf8"));
  }

  /** The result of each review. */
  verdicts(): (boolean | null | undefined)[] {
    return this.eventsOf("review_ended").map(({ completed }) => completed);
  }

  chatReport(): ChatReport {
    const path = this.eventsOf("run_started")[0]?.settings.reportPath ?? "";
    return JSON.parse(fs.readFileSync(path, "utf8")) as ChatReport;
  }

  /** claude's stored sessions by id. */
  claudeSessions(): Readonly<Record<string, string>> {
    const kept = join(this.home, ".claude", "projects");
    const names = fs.readdirSync(kept, { recursive: true, encoding: "utf8" });
    return Object.fromEntries(
      names
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => [name.replace(/^.*\/|\.jsonl$/g, ""), fs.readFileSync(join(kept, name), "utf8")]),
    );
  }

  journal(): string {
    const path = this.journalPath(this.runId());
    return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
  }

  #put(name: string, content: unknown): void {
    const path = join(this.home, name);
    fs.mkdirSync(join(path, ".."), { recursive: true });
    fs.writeFileSync(path, JSON.stringify(content));
  }
}

/** The reviewer's requests. */
export function ofReviewer({ requests }: ModelServer): readonly Asked[] {
  return requests.filter(({ body }) => body.includes(SUPERVISOR));
}

/** Variables that matter only at a terminal. */
const LIVE_ENV: Readonly<Partial<Record<ClientName, Readonly<Record<string, string>>>>> = {
  // As root, claude refuses to skip permissions unless it believes it is in a sandbox.
  claude: { IS_SANDBOX: "1" },
  gemini: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  opencode: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
};

const LIVE_ARGS: Readonly<Partial<Record<ClientName, readonly string[]>>> = {
  claude: ["--dangerously-skip-permissions"],
  codex: ["--dangerously-bypass-approvals-and-sandbox"],
  gemini: ["--yolo"],
};

/** Screen text that shows that the input box accepts input. */
const STARTED: Readonly<Partial<Record<ClientName, string>>> = { gemini: "Authenticated with" };

/** A person at a terminal that runs `chat --supervisor`. */
class ClientTerminal {
  readonly ended: Promise<number>;
  readonly #adapter: ChatAdapter;
  readonly #pty: IPty;
  readonly #screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  #alive = true;

  constructor(rig: ChatClientsRig, name: ClientName) {
    const adapter = chatAdapterFor(name);
    if (!adapter) throw new Error(`${name} is not known in a terminal`);
    this.#adapter = adapter;
    const words = ["chat", "--supervisor", "--agent", name, "--", ...(LIVE_ARGS[name] ?? [])];
    this.#pty = spawn(process.execPath, [CLI, ...words], {
      name: "xterm-256color",
      cols: COLUMNS,
      rows: ROWS,
      cwd: rig.project,
      env: rig.env({ TERM: "xterm-256color", COLORTERM: "truecolor" }),
    });
    // A terminal answers queries about its capabilities.
    this.#screen.onData((answer) => this.#alive && this.#pty.write(answer));
    this.#pty.onData((data) => this.#screen.write(data));
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#alive = false;
        resolve(exitCode);
      });
    });
    let left = "";
    onTestFailed(() => void process.stderr.write(left));
    onTestFinished(() => {
      // Failure hooks run after everything is gone, so this is read early.
      left = `--- screen\n${this.text()}\n--- journal\n${rig.journal()}`;
      if (this.#alive) this.#pty.kill("SIGKILL");
    });
  }

  /** The visible text, including scrolled lines. */
  text(): string {
    return this.#lines(0).join("\n").trimEnd();
  }

  /** The rows of the screen. */
  screen(): readonly string[] {
    return this.#lines(this.#screen.buffer.active.baseY);
  }

  #lines(from: number): readonly string[] {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: active.length - from },
      (_, y) => active.getLine(from + y)?.translateToString(true) ?? "",
    );
  }

  async shows(what: string | RegExp): Promise<string> {
    return until(() => {
      const text = this.text();
      return (typeof what === "string" ? text.includes(what) : what.test(text)) && text;
    });
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.#pty.write(key);
  }

  paste(text: string): void {
    this.#pty.write(`\u001B[200~${text}\u001B[201~`);
  }

  /** Types a line like a person: presses Enter once the text is visible, and again if it had no effect. */
  async ask(text: string): Promise<void> {
    this.press(text);
    await until(() => this.look().draft === text);
    let entered = -AGAIN_MS;
    await until(() => {
      const isTaken = this.look().draft !== text;
      if (isTaken || performance.now() - entered < AGAIN_MS) return isTaken;
      this.press(Key.enter);
      entered = performance.now();
      return false;
    });
  }

  /** Waits until exactly this text is in the input box of an idle agent. */
  async drafts(text: string): Promise<void> {
    await until(() => this.look().draft === text && !this.look().busy);
  }

  look(): Look {
    const { cursorX: col, cursorY: row } = this.#screen.buffer.active;
    return this.#adapter.look({ rows: this.screen(), cursor: { row, col } });
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Lines of the program itself, which it may write only after the agent has exited. */
  ownLines(): readonly string[] {
    return this.text()
      .split("\n")
      .filter((line) => line.startsWith("agent-foreman"));
  }
}
