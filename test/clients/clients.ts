import fs from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "../../src/agents/adapter.ts";
import type { Rig } from "../rig/rig.ts";

/** Real clients with a separate home that knows only the scripted model. */
export const CLIENTS = ["claude", "codex", "gemini", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** Profile values that connect the client to the model at `url`. Config files are written to `home`. */
type SetUp = (rig: Rig, url: string) => Pick<AgentOptions, "env" | "model" | "endpoint">;

const SET_UP: Readonly<Record<ClientName, SetUp>> = {
  claude: (rig, url) => ({
    model: null,
    endpoint: url,
    env: {
      // By default this is one directory for all runs of a user, and the user is root in its own network namespace.
      CLAUDE_CODE_TMPDIR: rig.home,
      ANTHROPIC_API_KEY: "scripted-key",
      CLAUDE_CODE_MAX_RETRIES: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  }),

  codex: (rig, url) => {
    put(
      join(rig.home, ".codex", "config.toml"),
      `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
supports_websockets = false
request_max_retries = 1
stream_max_retries = 1
[projects."${rig.project}"]
trust_level = "trusted"
# What it asks besides: without a network every turn would take five seconds more.
[analytics]
enabled = false
[features]
plugins = false
`,
    );
    // With a home among temporary files it creates no links to itself there, but an older bubblewrap needs them.
    const temporary = join(rig.home, "tmp");
    fs.mkdirSync(temporary, { recursive: true });
    return { model: null, endpoint: null, env: { SCRIPTED_KEY: "scripted-key", TMPDIR: temporary } };
  },

  gemini: (rig, url) => {
    const settings = { security: { auth: { selectedType: "gemini-api-key" } }, general: { maxAttempts: 2 } };
    put(join(rig.home, ".gemini", "settings.json"), JSON.stringify(settings));
    // Without a model it first asks another model to choose one.
    return { model: "gemini-2.5-flash", endpoint: url, env: { GEMINI_API_KEY: "scripted-key" } };
  },

  opencode: (rig, url) => {
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "scripted-key" },
      models: { model: {} },
    };
    put(
      join(rig.home, ".config", "opencode", "opencode.json"),
      JSON.stringify({ provider: { scripted: provider } }),
    );
    return { model: "scripted/model", endpoint: null, env: { OPENCODE_DISABLE_MODELS_FETCH: "1" } };
  },
};

/** The options of a client that is set up in the rig's home. */
export function setUp(name: ClientName, rig: Rig, url: string): AgentOptions {
  const program = programs()[name];
  if (program === undefined) throw new Error(`${name} is not installed`);
  return { program, args: [], ...SET_UP[name](rig, url) };
}

/** Whether `AGENT_FOREMAN_CLIENTS_SKIP` excludes a client. */
export function isLeftOut(name: ClientName): boolean {
  return programs()[name] === undefined;
}

function programs(): Readonly<Partial<Record<ClientName, string>>> {
  const found = process.env["FOREMAN_TEST_CLIENTS"];
  if (found === undefined) throw new Error("real clients are tested by: npm run test:clients");
  return JSON.parse(found) as Partial<Record<ClientName, string>>;
}

function put(path: string, text: string): void {
  fs.mkdirSync(join(path, ".."), { recursive: true });
  fs.writeFileSync(path, text);
}
