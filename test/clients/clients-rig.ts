import fs from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Rig } from "../rig/rig.ts";
import { type ClientName, setUp } from "./clients.ts";
import type { Step } from "./model/script.ts";
import { type ModelServer, start } from "./model-server.ts";

/** The built program with real clients, each with its own scripted model. */
export class ClientsRig extends Rig {
  readonly #profiles: Record<string, unknown> = {};
  readonly #secrets: Record<string, string> = {};

  /** Sets the client up like a user: a profile, which `more` extends, and the key in the environment. */
  async client(
    name: ClientName,
    steps: readonly Step[],
    login: Readonly<Record<string, string>> = {},
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<ModelServer> {
    const server = await start({ steps });
    onTestFinished(() => server.close());
    const { program, model, endpoint, env } = setUp(name, this, server.url);
    const given = Object.entries({ ...env, ...login }).filter(([, value]) => value !== "");
    for (const [key, value] of given) this.#secrets[`FOR_${name}_${key}`] = value;
    this.#profiles[name] = {
      program,
      ...(model === null ? {} : { model }),
      ...(endpoint === null ? {} : { endpoint }),
      env: Object.fromEntries(given.map(([key]) => [key, `\${env:FOR_${name}_${key}}`])),
      ...more,
    };
    const config = join(this.home, ".config", "agent-foreman", "config.yaml");
    fs.mkdirSync(join(config, ".."), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ profiles: this.#profiles }));
    this.alwaysWith({ env: this.#secrets });
    return server;
  }
}
