import type { ConfigProblem } from "../../platform/config-problem.ts";
import { ADAPTERS, type AdapterName } from "../../core/agent-profile.ts";
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
export function* checkProfiles(files: readonly ParsedConfig[], profiles: Profiles): Generator<ConfigProblem> {
  const all = { profiles, known: knownNames(profiles).join(", "), reportedCycles: new Set<string>() };
  for (const parsed of files) {
    for (const { at, names } of namedIn(parsed))
      for (const [index, name] of names.entries()) yield* problemsOfName(parsed, [...at, index], name, all);
    for (const name of Object.keys(parsed.written.profiles ?? {}))
      yield* problemsOfProfile(parsed, name, all);
  }
}

interface AllProfiles {
  readonly profiles: Profiles;
  /** Their names and those of adapters, listed. */
  readonly known: string;
  readonly reportedCycles: Set<string>;
}

function* problemsOfName(
  parsed: ParsedConfig,
  at: KeyPath,
  name: string,
  { profiles, known }: AllProfiles,
): Generator<ConfigProblem> {
  const lineage = lineageOf(name, profiles);
  if ("unknown" in lineage && lineage.by === null)
    yield parsed.problem(at, { code: "unknown_agent", ...suggestion(name, known) });
  if (!("adapter" in lineage)) return;
  const { adapter } = lineage;
  if (lacksCommand(profileOf(name, adapter, lineage.profiles)))
    yield parsed.problem(at, { code: "command_needed", profile: name, adapter });
}

function* problemsOfProfile(
  parsed: ParsedConfig,
  name: string,
  { profiles, known, reportedCycles }: AllProfiles,
): Generator<ConfigProblem> {
  const written = parsed.written.profiles?.[name];
  const at = ["profiles", name];
  if (written?.extends === undefined && !isAdapter(name)) {
    const fault = { code: "extends_missing", profile: name, known: ADAPTERS.join(", ") } as const;
    yield parsed.problem(at, fault, "key");
    return;
  }
  const lineage = lineageOf(name, profiles);
  if ("cycle" in lineage) {
    const { cycle } = lineage;
    const id = cycle.slice(1).toSorted().join();
    if (cycle[0] !== name || reportedCycles.has(id)) return;
    reportedCycles.add(id);
    yield parsed.problem([...at, "extends"], { code: "extends_cycle", chain: cycle.join(" -> ") });
    return;
  }
  if ("unknown" in lineage) {
    if (lineage.by === name)
      yield parsed.problem([...at, "extends"], {
        code: "unknown_agent",
        ...suggestion(lineage.unknown, known),
      });
    return;
  }
  const { adapter, model } = profileOf(name, lineage.adapter, lineage.profiles);
  for (const key of KEYS)
    if (written?.[key] !== undefined && !TAKERS[key].includes(adapter)) {
      const agents = TAKERS[key].join(", ");
      yield parsed.problem([...at, key], { code: "not_for_agent", key, adapter, agents }, "key");
    }
  // The endpoint belongs to a provider, which needs a list of models.
  if (adapter === "opencode" && written?.endpoint !== undefined && model === null)
    yield parsed.problem([...at, "endpoint"], { code: "endpoint_needs_model", adapter }, "key");
}
