import type { ConfigProblem } from "../../platform/config-problem.ts";
import { ADAPTERS, type AdapterName, type AgentProfile } from "../../core/agent-profile.ts";
import { CONFIGURED } from "../settings/configured.ts";
import { suggestion, writtenAt, type KeyPath, type ParsedConfig } from "./parse.ts";
import { isAdapter, knownNames, lacksCommand, lineageOf, profileOf, type Profiles } from "./profiles.ts";

/** Adapters that support each key; others would ignore it. */
const TAKERS: Readonly<Record<"command" | "endpoint", readonly AdapterName[]>> = {
  command: ["command", "acp"],
  endpoint: ["claude", "codex", "gemini", "opencode", "qwen", "copilot"],
};
const KEYS = ["command", "endpoint"] as const;

/** All places that name agents. */
function namedIn(parsed: ParsedConfig) {
  return CONFIGURED.filter(({ type }) => type.refersTo === "agent").map(({ key }) => ({
    at: key.split("."),
    names: [writtenAt(parsed, key) ?? []].flat() as string[],
  }));
}

/** Finds problems that need the profiles of all files. Each problem points to the file that has it. */
export function checkProfiles(files: readonly ParsedConfig[], profiles: Profiles): readonly ConfigProblem[] {
  const known = knownNames(profiles).join(", ");
  const reportedCycles = new Set<string>();
  const ofProfile = (parsed: ParsedConfig, name: string): readonly ConfigProblem[] => {
    const written = parsed.written.profiles?.[name];
    if (written?.extends === undefined && !isAdapter(name))
      return [
        parsed.problem(
          ["profiles", name],
          { code: "extends_missing", profile: name, known: ADAPTERS.join(", ") },
          "key",
        ),
      ];
    const lineage = lineageOf(name, profiles);
    if ("cycle" in lineage) {
      const { cycle } = lineage;
      const id = cycle.slice(1).toSorted().join();
      if (cycle[0] !== name || reportedCycles.has(id)) return [];
      reportedCycles.add(id);
      return [
        parsed.problem(["profiles", name, "extends"], { code: "extends_cycle", chain: cycle.join(" -> ") }),
      ];
    }
    if ("unknown" in lineage)
      return lineage.by === name
        ? [
            parsed.problem(["profiles", name, "extends"], {
              code: "unknown_agent",
              ...suggestion(lineage.unknown, known),
            }),
          ]
        : [];
    return ofAdapter(parsed, name, profileOf(name, lineage.adapter, lineage.profiles));
  };
  const ofAdapter = (parsed: ParsedConfig, name: string, profile: AgentProfile): readonly ConfigProblem[] => {
    const written = parsed.written.profiles?.[name];
    const { adapter, model } = profile;
    const idle = KEYS.filter((key) => written?.[key] !== undefined && !TAKERS[key].includes(adapter));
    // The endpoint belongs to a provider, which needs a list of models.
    const lacksModel = adapter === "opencode" && written?.endpoint !== undefined && model === null;
    return [
      ...idle.map((key) =>
        parsed.problem(
          ["profiles", name, key],
          { code: "not_for_agent", key, adapter, agents: TAKERS[key].join(", ") },
          "key",
        ),
      ),
      ...(lacksModel
        ? [parsed.problem(["profiles", name, "endpoint"], { code: "endpoint_needs_model", adapter }, "key")]
        : []),
    ];
  };
  const ofNamed = (parsed: ParsedConfig, at: KeyPath, name: string): readonly ConfigProblem[] => {
    const lineage = lineageOf(name, profiles);
    if ("unknown" in lineage && lineage.by === null)
      return [parsed.problem(at, { code: "unknown_agent", ...suggestion(name, known) })];
    if (!("adapter" in lineage) || !lacksCommand(profileOf(name, lineage.adapter, lineage.profiles)))
      return [];
    const { adapter } = lineage;
    return [parsed.problem(at, { code: "command_needed", profile: name, adapter })];
  };
  return files.flatMap((parsed) => [
    ...namedIn(parsed).flatMap(({ at, names }) =>
      names.flatMap((name, index) => ofNamed(parsed, [...at, index], name)),
    ),
    ...Object.keys(parsed.written.profiles ?? {}).flatMap((name) => ofProfile(parsed, name)),
  ]);
}
