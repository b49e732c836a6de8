import type { AgentProfile } from "../core/agent-profile.ts";
import { usageTexts } from "./words/usage.ts";
import type { Io } from "./io.ts";
import { usage } from "./run-flags.ts";

/** `--model opus` applies to the first agent, `--model codex=gpt-5` to the named one. It overrides the profile. */
export function modelsFor(
  agents: readonly AgentProfile[],
  given: readonly string[] | undefined,
  command: string,
  io: Io,
): (agent: AgentProfile) => AgentProfile {
  const texts = usageTexts[io.lang];
  const models = new Map<string, string>();
  for (const word of given ?? []) {
    const at = word.indexOf("=");
    const name = at === -1 ? agents[0]?.name : word.slice(0, at).trim();
    const model = word.slice(at + 1).trim();
    const agent = agents.find((each) => each.name === name);
    if (model === "") throw usage(texts.empty("--model"), command);
    if (!agent) {
      const names = new Set(agents.map((each) => each.name));
      throw usage(texts.modelOfUnknownAgent(word, [...names].join(", ")), command);
    }
    if (agent.adapter === "command") throw usage(texts.takesNoModel(agent.name), command);
    if (models.has(agent.name)) throw usage(texts.modelTwice(agent.name), command);
    models.set(agent.name, model);
  }
  return (agent) => {
    const model = models.get(agent.name);
    return model === undefined ? agent : { ...agent, model };
  };
}
