import fs from "node:fs";
import { delimiter, join } from "node:path";
import type { RunEvent } from "../../src/domain/event.ts";
import type { ChatReport } from "../../src/reports/chat-report.ts";
import { Rig, until, type Ended, type StartOptions } from "./rig.ts";

const ZOO_CHAT = join(import.meta.dirname, "..", "zoo", "agents", "chat");
const GATES = "gates";
export const SUPERVISOR = "You are the reviewer of this project. Trust nothing that you have not read.\n";

/** What an agent of the zoo does in a turn or as a reviewer; the keys are explained in `chat-script.mjs`. */
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
  /** Broken off, it puts what it was told back into the box. */
  readonly back?: true;
  /** The service refuses, with these words. */
  readonly fails?: string;
  readonly status?: number;
}

export interface ChatScript {
  /** What is done at the start, before anything is drawn. */
  readonly start?: ChatDoing;
  /** What is done after each input, before the agent shows that it works. */
  readonly begin?: ChatDoing;
  readonly work?: readonly ChatDoing[];
  readonly reviews?: readonly ChatDoing[];
  /** False: the agent calls none of its hooks; late: none at the start, and the others when the gate `hooks` is open. */
  readonly hooks?: false | "late";
  /** False: it keeps no session that could be gone on with. */
  readonly keeps?: false;
}

/** What an agent was given: at its start in a terminal, for a turn, for a review. */
export interface ChatCall {
  readonly kind: "start" | "work" | "review";
  readonly agent: string;
  readonly session: string;
  /** All but the first are of a headless call or of a start. */
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

/** A project with a SUPERVISOR.md in which `claude` and `codex` are the zoo's, which do as a script says. */
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

  /** Lets those go on that wait for it. */
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

  /** Waits for a call, counted from 1. */
  async called(kind: ChatCall["kind"], number = 1): Promise<ChatCall> {
    return until(() => this.calls(kind)[number - 1]);
  }

  /** Runs `chat --print` to its end and reads what it left. */
  async print(prompt: string, flags: readonly string[] = [], start: StartOptions = {}): Promise<ChatEnded> {
    const before = new Set(this.runIds());
    const ended = await this.run(["chat", "--print", prompt, ...flags], start);
    const runId = this.runIds().find((id) => !before.has(id)) ?? "";
    return { ...ended, runId, report: this.chatReport(runId) };
  }

  /** A script's lies where it was called, a person's beside the journal. */
  chatReport(runId: string): ChatReport {
    const places = [
      join(this.project, `goldagent-chat-report-${runId}.json`),
      join(this.journalPath(runId), "..", "report.json"),
    ];
    const path = places.find((place) => fs.existsSync(place));
    return path === undefined
      ? ({} as ChatReport)
      : (JSON.parse(fs.readFileSync(path, "utf8")) as ChatReport);
  }

  /** The sessions that the zoo's claude keeps, by their ids. */
  sessions(): Record<string, string> {
    const dir = join(this.home, ".claude", "projects", "project");
    if (!fs.existsSync(dir)) return {};
    return Object.fromEntries(
      fs
        .readdirSync(dir)
        .map((name) => [name.slice(0, -".jsonl".length), fs.readFileSync(join(dir, name), "utf8")]),
    );
  }

  /** What happened in the newest run, of this type. */
  told<Type extends RunEvent["type"]>(type: Type): Extract<RunEvent, { type: Type }>[] {
    const runId = this.runIds().at(-1);
    if (runId === undefined || !fs.existsSync(this.journalPath(runId))) return [];
    return this.events(runId).filter(
      (event): event is Extract<RunEvent, { type: Type }> => event.type === type,
    );
  }

  /** Waits until that has happened so often in the newest run. */
  async happens<Type extends RunEvent["type"]>(
    type: Type,
    number = 1,
  ): Promise<Extract<RunEvent, { type: Type }>> {
    return until(() => this.told(type)[number - 1]);
  }

  /** Of all runs, to tell what happened. */
  journals(): string {
    const paths = this.runIds().map((runId) => this.journalPath(runId));
    return paths.map((path) => (fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "")).join("\n");
  }

  /** What the person asked, as the newest run recorded it. */
  inputs(): string[] {
    return this.told("input_given").map(({ text }) => fs.readFileSync(text.path, "utf8"));
  }
}
