import fs from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Adapter, AgentOptions } from "../../src/agents/adapter.ts";
import { Rig } from "../rig/rig.ts";
import { type ClientName, setUp } from "./clients.ts";
import type { Step } from "./model/script.ts";
import { type ModelServer, start } from "./model-server.ts";
import { takeTurn, type Taken, type TurnOptions } from "./turn.ts";

/** A rig with one real client and a scripted model. */
export class ClientRig extends Rig {
  /** The file that the model is about to write. */
  readonly file = join(this.project, "made.txt");
  readonly model: ModelServer;
  readonly #adapter: Adapter;
  #agent: AgentOptions;

  private constructor(name: ClientName, adapter: Adapter, model: ModelServer) {
    super();
    this.model = model;
    this.#adapter = adapter;
    this.#agent = setUp(name, this, model.url);
  }

  static async open(name: ClientName, adapter: Adapter, steps: (file: string) => Step[]): Promise<ClientRig> {
    // The model's script needs the path, which exists only after the rig.
    const script: Step[] = [];
    const model = await start({ steps: script });
    onTestFinished(() => model.close());
    const rig = new ClientRig(name, adapter, model);
    script.push(...steps(rig.file));
    return rig;
  }

  /** Changes the user's profile. */
  change({ env = {}, ...others }: Partial<AgentOptions>): void {
    this.#agent = { ...this.#agent, ...others, env: { ...this.#agent.env, ...env } };
  }

  turn(options: TurnOptions = {}): Promise<Taken> {
    return takeTurn(this.#adapter, this.#agent, this, options);
  }

  written(): string | null {
    return fs.existsSync(this.file) ? fs.readFileSync(this.file, "utf8") : null;
  }
}
