import type { ProcessEnd } from "../platform/process/process-end.ts";
import type { Adapter, ReadContext, TurnReader, TurnSummary } from "./adapter.ts";
import { converse, loadSdk, type Conversation } from "./acp-conversation.ts";
import { AcpTurn } from "./acp-turn.ts";
import { Tail } from "./gather.ts";
import { JsonLines } from "./json-lines.ts";
import type { Usage } from "../core/agent-turn.ts";

/** Long lines that say nothing about the turn's result. */
const IDLE =
  /"sessionUpdate":"(?:agent_thought_chunk|available_commands_update|config_option_update|plan|session_info_update|user_message_chunk)"/;
const HEAD = 256;

/**
 * Any agent that speaks the Agent Client Protocol; a profile names its program and arguments. The agent reports its capabilities
 * only at run time, so those here are assumptions. If one is wrong, the turn fails with its own class.
 */
export const acp: Adapter = {
  name: "acp",
  program: "",
  install: "",
  login: "",
  tested: ["1", "1"],
  // We request a mode for planning where it exists, but some agents still run commands in it.
  can: { resume: true, fork: false, tools: "all", system: false, tokens: false, cost: false },
  stdin: "conversation",
  prepare: loadSdk,
  command: ({ options }) => ({ words: [options.program, ...options.args], env: options.env }),
  read: (context) => new AcpReader(context),
};

class AcpReader implements TurnReader {
  readonly #turn: AcpTurn;
  readonly #conversation: Conversation;
  readonly #lines: JsonLines;
  readonly #stderr = new Tail();

  constructor(context: ReadContext) {
    this.#turn = new AcpTurn(context);
    this.#conversation = converse(context, this.#turn);
    this.#lines = new JsonLines(
      (message) => {
        this.#turn.received(message);
        this.#conversation.hear(message);
      },
      (line) => !IDLE.test(line.slice(0, HEAD)),
    );
  }

  push(stream: "stdout" | "stderr", chunk: Buffer): void {
    if (stream === "stdout") this.#lines.push(chunk);
    else this.#stderr.push(chunk);
  }

  finished(): boolean {
    return this.#turn.finished;
  }

  activity(): string | null {
    return this.#turn.activity;
  }

  usageSoFar(): Usage | null {
    return this.#turn.usage;
  }

  end(process: ProcessEnd): TurnSummary {
    this.#lines.end();
    this.#conversation.close();
    return this.#turn.end(process, this.#lines.objects > 0, `${this.#lines.text}\n${this.#stderr.text}`);
  }
}
