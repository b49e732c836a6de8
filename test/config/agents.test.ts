import { describe, expect, test } from "vitest";
import { resolveAgents } from "../../src/cli/config/profiles.ts";
import { resolveEnv } from "../../src/cli/config/resolve-env.ts";
import { ADAPTERS } from "../../src/core/agent-profile.ts";
import { Failure } from "../../src/platform/failure.ts";
import { failureText } from "../../src/cli/words/failures.ts";
import { complaintsAbout, Places, projectConfig } from "./fixtures.ts";

const plain = {
  program: null,
  command: null,
  args: [],
  env: {},
  model: null,
  endpoint: null,
  price: null,
};

describe("agents by name", () => {
  test("every adapter that knows its program is an agent without configuration", async () => {
    const config = await projectConfig("");
    const names = ADAPTERS.filter((name) => name !== "acp" && name !== "command");
    expect(resolveAgents(names, config)).toEqual(names.map((name) => ({ name, adapter: name, ...plain })));
  });

  test("a profile inherits: scalars are overridden, arguments appended, variables merged", async () => {
    const config = await projectConfig(`
profiles:
  base: { extends: claude, model: big, program: /opt/claude, args: [-a], env: { A: "1", B: "1" }, price: { input: 3, output: 15 } }
  fast: { extends: base, model: small, args: [-b], env: { B: "2" }, endpoint: "http://localhost:1" }
`);
    expect(resolveAgents(["fast"], config)).toEqual([
      {
        name: "fast",
        adapter: "claude",
        program: "/opt/claude",
        command: null,
        args: ["-a", "-b"],
        env: { A: "1", B: "2" },
        model: "small",
        endpoint: "http://localhost:1",
        price: { input: 3, cached: 3, output: 15 },
      },
    ]);
  });

  test("a profile with an agent's name changes the agent, also for profiles that extend it", async () => {
    const config = await projectConfig(`
profiles:
  claude: { extends: claude, model: m }
  codex: { model: n }
  mine: { extends: claude, args: [-x] }
`);
    expect(resolveAgents(["claude", "codex", "mine"], config)).toEqual([
      { name: "claude", adapter: "claude", ...plain, model: "m" },
      { name: "codex", adapter: "codex", ...plain, model: "n" },
      { name: "mine", adapter: "claude", ...plain, model: "m", args: ["-x"] },
    ]);
  });

  test("an agent's name may refer to another agent", async () => {
    const config = await projectConfig("profiles: { claude: { extends: codex } }\n");
    expect(resolveAgents(["claude"], config)).toMatchObject([{ name: "claude", adapter: "codex" }]);
  });

  test("command and acp agents get their program from a profile", async () => {
    const config = await projectConfig(`
profiles:
  base: { extends: command }
  mine: { extends: base, command: ./agent.sh }
  goose: { extends: acp, command: goose acp }
  zed: { extends: acp, program: zed-agent, args: [acp] }
`);
    expect(resolveAgents(["mine", "goose", "zed"], config)).toMatchObject([
      { adapter: "command", command: "./agent.sh" },
      { adapter: "acp", command: "goose acp" },
      { adapter: "acp", command: null, program: "zed-agent", args: ["acp"] },
    ]);
    expect(() => resolveAgents(["base"], config)).toThrow(
      expect.objectContaining({ code: "agent_needs_command" }),
    );
    expect(() => resolveAgents(["acp"], config)).toThrow(
      expect.objectContaining({ code: "agent_needs_command" }),
    );
  });

  test("a project may use the profiles of the user", async () => {
    const places = new Places();
    places.write(places.userFile, "profiles: { mine: { extends: pi, model: m } }\n");
    places.write(places.projectFile, "agents: [ours]\nprofiles: { ours: { extends: mine } }\n");
    const config = await places.load();
    expect(resolveAgents(config.agents.value, config)).toMatchObject([
      { name: "ours", adapter: "pi", model: "m" },
    ]);
  });

  test.each(["constructor", "__proto__", "toString", "", "claude,codex"])("%j is unknown", async (name) => {
    const config = await projectConfig("");
    expect(() => resolveAgents([name], config)).toThrow(expect.objectContaining({ code: "agent_unknown" }));
  });

  test("an unknown one is reported with a suggestion and all known ones", async () => {
    const config = await projectConfig("profiles: { review: { extends: claude } }\n");
    const failure = failureOf(() => resolveAgents(["claude", "reveiw"], config));
    expect(failure.exitCode).toBe(2);
    expect(failureText(failure, "en").message).toBe(
      "unknown agent reveiw; did you mean review? (known: review, claude, codex, gemini, opencode, qwen, pi, copilot, acp, command)",
    );
    expect(failureText(failure, "zh").message).toContain("是否想用 review？");
  });
});

describe("extends that lead nowhere", () => {
  test("a circle is reported once, with the whole way and its place", async () => {
    const output = await complaintsAbout(`profiles:
  entry: { extends: a }
  a: { extends: b }
  b: { extends: c }
  c: { extends: a }
`);
    expect(output.match(/error/g)).toHaveLength(1);
    expect(output).toContain(
      "agent-foreman.yaml:3:17: profiles extend each other in a circle: a -> b -> c -> a",
    );
  });

  test("a profile that extends itself", async () => {
    expect(await complaintsAbout("profiles: { me: { extends: me } }\n")).toContain(
      "1:28: profiles extend each other in a circle: me -> me",
    );
  });

  test("a circle through the name of an agent", async () => {
    expect(await complaintsAbout("profiles: { claude: { extends: x }, x: { extends: claude } }\n")).toContain(
      "circle: claude -> x -> claude",
    );
  });

  test("a circle over two files", async () => {
    const places = new Places();
    places.write(places.userFile, "profiles: { a: { extends: b } }\n");
    places.write(places.projectFile, "profiles: { b: { extends: a } }\n");
    expect(await places.complaints()).toContain(
      "config.yaml:1:27: profiles extend each other in a circle: a -> b -> a",
    );
  });
});

describe("variables", () => {
  test("references are filled in, alone and within text", () => {
    const env = { A: "${env:KEY}", B: "Bearer ${env:KEY}, ${env:OTHER}", C: "plain $KEY" };
    expect(resolveEnv(env, { KEY: "k$1", OTHER: "${env:KEY}" })).toEqual({
      values: { A: "k$1", B: "Bearer k$1, ${env:KEY}", C: "plain $KEY" },
      missing: [],
    });
  });

  test("unset or empty variables are missing: each is named once", () => {
    expect(resolveEnv({ A: "${env:NO}", B: "${env:NO}${env:EMPTY}" }, { EMPTY: "" }).missing).toEqual([
      "NO",
      "EMPTY",
    ]);
  });

  test("that is said with the profile's name", () => {
    const failure = new Failure("env_variable_missing", { profile: "router", names: "A, B" });
    const { message, next } = failureText(failure, "en");
    expect([message, next]).toEqual(["profile router needs environment variable A, B", "export A=..."]);
    expect(failure.exitCode).toBe(2);
  });
});

function failureOf(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("it did not fail");
}
