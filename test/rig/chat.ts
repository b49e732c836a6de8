import fs from "node:fs";
import { delimiter, join } from "node:path";
import type { RunEvent } from "../../src/core/event.ts";
import type { ChatReport } from "../../src/modes/chat/chat-report.ts";
import { reportName, Rig, until, type Ended, type StartOptions } from "./rig.ts";

const ZOO_CHAT = join(import.meta.dirname, "..", "zoo", "agents", "chat");
const GATES = "gates";
export const SUPERVISOR = "You are the reviewer of this project. Trust nothing that you have not read.\n";

/** Actions of a zoo agent in a turn or as a reviewer; `chat-script.mjs` explains the keys. */
export interface ChatDoing {
  readonly wait?: string;
  readonly write?: Readonly<Record<string, string | null>>;
  readonly run?: string;
  readonly raw?: string;
  readonly error?: string;
  readonly say?: string;
  readonly exit?: number;
  readonly kill?: NodeJS.Signals;
  readonly hang?: true;
  /** When interrupted, it puts the prompt back into the input box. */
  readonly back?: true;
  /** The service refuses with this message. */
  readonly fails?: string;
  readonly status?: number;
}

export interface ChatScript {
  /** Actions at the start, before anything is drawn. */
  readonly start?: ChatDoing;
  /** Actions after each input, before the agent shows that it works. */
  readonly begin?: ChatDoing;
  readonly work?: readonly ChatDoing[];
  readonly reviews?: readonly ChatDoing[];
  /** False: the agent calls no hooks. late: none at the start, the others once the gate `hooks` is open. */
  readonly hooks?: false | "late";
  /** False: it keeps no session to resume. */
  readonly keeps?: false;
}

/** The input of an agent call: a start in a terminal, a turn or a review. */
export interface ChatCall {
  readonly kind: "start" | "work" | "review";
  readonly agent: string;
  readonly session: string;
  /** The fields from here on belong to a headless call or a start. */
  readonly prompt: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly system: string | null;
  readonly resumed: string | null;
}

export interface ChatEnded extends Ended {
  readonly runId: string;
  readonly report: ChatReport;
}

/** A project with a SUPERVISOR.md. `claude` and `codex` are scripted agents of the zoo. */
export class ChatRig extends Rig {
  constructor(script: ChatScript = {}) {
    super();
    fs.mkdirSync(join(this.root, GATES));
    this.write("SUPERVISOR.md", SUPERVISOR);
    this.script(script);
  }

  script(script: ChatScript): void {
    fs.writeFileSync(join(this.root, "script.json"), JSON.stringify(script));
  }

  /** Releases agents that wait for this gate. */
  open(gate: string): void {
    fs.writeFileSync(join(this.root, GATES, gate), "");
  }

  override env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const usual = super.env();
    return {
      ...usual,
      PATH: `${ZOO_CHAT}${delimiter}${usual["PATH"] ?? ""}`,
      CHAT_SCRIPT: join(this.root, "script.json"),
      CHAT_CALLS: join(this.root, "calls.jsonl"),
      CHAT_GATES: join(this.root, GATES),
      ...extra,
    };
  }

  calls(kind?: ChatCall["kind"]): ChatCall[] {
    const path = join(this.root, "calls.jsonl");
    if (!fs.existsSync(path)) return [];
    return fs
      .readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ChatCall)
      .filter((call) => kind === undefined || call.kind === kind);
  }

  /** Waits for a call; the first is number 1. */
  async called(kind: ChatCall["kind"], number = 1): Promise<ChatCall> {
    return until(() => this.calls(kind)[number - 1]);
  }

  /** Runs `chat --print` to its end and reads the results. */
  async print(prompt: string, flags: readonly string[] = [], start: StartOptions = {}): Promise<ChatEnded> {
    const ended = await this.runNew(["chat", "--print", prompt, ...flags], start);
    return { ...ended, report: this.chatReport(ended.runId) };
  }

  /** A script's report is in its working directory, a person's beside the journal. */
  chatReport(runId: string): ChatReport {
    const places = [
      join(this.project, reportName("chat", runId)),
      join(this.journalPath(runId), "..", "report.json"),
    ];
    const path = places.find((place) => fs.existsSync(place));
    return path === undefined
      ? ({} as ChatReport)
      : (JSON.parse(fs.readFileSync(path, "utf8")) as ChatReport);
  }

  /** Sessions of the zoo's claude by id. */
  sessions(): Record<string, string> {
    const dir = join(this.home, ".claude", "projects", "project");
    if (!fs.existsSync(dir)) return {};
    return Object.fromEntries(
      fs
        .readdirSync(dir)
        .map((name) => [name.slice(0, -".jsonl".length), fs.readFileSync(join(dir, name), "utf8")]),
    );
  }

  /** Events of this type in the newest run. */
  eventsOf<Type extends RunEvent["type"]>(type: Type): Extract<RunEvent, { type: Type }>[] {
    const runId = this.runIds().at(-1);
    if (runId === undefined || !fs.existsSync(this.journalPath(runId))) return [];
    return this.events(runId).filter(
      (event): event is Extract<RunEvent, { type: Type }> => event.type === type,
    );
  }

  /** Waits for the n-th event of this type in the newest run. */
  async happens<Type extends RunEvent["type"]>(
    type: Type,
    number = 1,
  ): Promise<Extract<RunEvent, { type: Type }>> {
    return until(() => this.eventsOf(type)[number - 1]);
  }

  /** The journals of all runs, to explain a failure. */
  journals(): string {
    const paths = this.runIds().map((runId) => this.journalPath(runId));
    return paths.map((path) => (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "")).join("\n");
  }

  /** The person's recorded inputs in the newest run. */
  inputs(): string[] {
    return this.eventsOf("input_given").map(({ text }) => fs.readFileSync(text.path, "utf8"));
  }
}
