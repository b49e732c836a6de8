import { isRecord } from "../../text/json/values.ts";
import type { EntryFormat } from "./entries.ts";
import { iniFormat } from "./ini-entries.ts";
import { jsonFormat, type JsonSelector } from "./json-entries.ts";
import { looksLikeTestSupport } from "./judging.ts";
import { INSTALL_SCRIPTS } from "./ecosystems/node.ts";
import { JS_RUNNERS } from "./names.ts";
import { isTestPath } from "./test-paths.ts";
import { folderOf, nameOf, resolved } from "../../text/paths.ts";
import { readJson, textsIn } from "../../text/read-json.ts";
import { tomlFormat, type TomlSelector } from "./toml-entries.ts";
import { toolsOf } from "./tools.ts";
import type { CommandUses } from "./uses.ts";

const TEST_SECTIONS = ["DEFAULT", "tool:pytest", "pytest", "coverage*", "aliases", "test", "unittest"];
const TOX_SECTIONS = ["testenv*", "tox*"];
const CARGO_ENTRIES: readonly TomlSelector[] = [
  ["test"],
  ...["test", "doctest", "harness"].map((key) => ["lib", key]),
  ["package", "autotests"],
  ["profile", "test*"],
  // Test profiles inherit from the others.
  ...["debug-assertions", "overflow-checks", "panic"].map((key) => ["profile", "*", key]),
];
const BENCH_ENTRIES: readonly TomlSelector[] = [
  ["bench"],
  ["lib", "bench"],
  ["package", "autobenches"],
  ["profile", "bench*"],
];
/** `npm init` writes this placeholder. */
const NO_TEST = /no test specified/;

/** Null: the whole file is protected, or nothing of it. */
export function entryFormat(path: string, base: string | null, uses: CommandUses): EntryFormat | null {
  const tools = toolsOf(uses.tools);
  switch (nameOf(path)) {
    case "package.json": {
      const keys = [...JS_RUNNERS, ...tools.flatMap((tool) => tool.keys)];
      const selectors = [
        ...scriptEntries(path, base, uses),
        ...importEntries(path, base),
        ...keys.map((key) => [key]),
      ];
      const packages = goesThroughPackages(uses) ? [["workspaces"]] : [];
      return jsonFormat([...selectors, ...packages], { comments: false, base });
    }
    case "deno.json":
    case "deno.jsonc": {
      const checks = ["lint", "fmt"].filter((verb) => uses.tools.has(`deno ${verb}`));
      return jsonFormat([["tasks"], ["test"], ...checks.map((key) => [key])], { comments: true, base });
    }
    case "composer.json":
      return jsonFormat([["scripts"]], { comments: false, base });
    case "pyproject.toml": {
      const runners = ["tox", "nox"].filter((name) => uses.tools.has(name)).map((name) => `${name}*`);
      const own = ["pytest*", "coverage*", ...runners, ...tools.flatMap((tool) => tool.toml)];
      return tomlFormat(own.map((name) => ["tool", ...name.split(".")]));
    }
    case "Cargo.toml": {
      const lints: readonly TomlSelector[] = uses.tools.has("clippy")
        ? [["lints"], ["workspace", "lints"]]
        : [];
      const benches = uses.tools.has("cargo bench") ? BENCH_ENTRIES : [];
      return tomlFormat([...CARGO_ENTRIES, ...benches, ...lints]);
    }
    case "setup.cfg":
    case "tox.ini":
      return iniFormat([
        ...TEST_SECTIONS,
        ...(uses.tools.has("tox") ? TOX_SECTIONS : []),
        ...tools.flatMap((tool) => tool.sections),
      ]);
    // Belongs to a package on the path, which loads plug-ins through it.
    case "entry_points.txt":
      return iniFormat(["pytest11", "nose.plugins*", "distutils.commands", "tox"]);
    default:
      return null;
  }
}

/** The base's scripts that are used, and their pre and post scripts, existing or not. */
function scriptEntries(
  path: string,
  base: string | null,
  { scripts, anywhere }: CommandUses,
): JsonSelector[] {
  const value = readJson(base ?? "");
  const there = isRecord(value) && isRecord(value["scripts"]) ? value["scripts"] : {};
  const names = [...(scripts.get(path) ?? []), ...anywhere].flatMap((name) => {
    if (INSTALL_SCRIPTS.includes(name)) return [name, `pre${name}`, `post${name}`];
    const text = Object.hasOwn(there, name) ? there[name] : undefined;
    const isThere = text !== undefined && !(typeof text === "string" && NO_TEST.test(text));
    return isThere ? [name, `pre${name}`, `post${name}`] : [];
  });
  return [...new Set(names)].map((name) => ["scripts", name]);
}

function goesThroughPackages({ anywhere, tools }: CommandUses): boolean {
  return anywhere.size > 0 || ["turbo", "nx", "lerna"].some((name) => tools.has(name));
}

/** Names under which tests import their own helpers. */
function importEntries(path: string, base: string | null): JsonSelector[] {
  const value = readJson(base ?? "");
  const placeOf = (target: string): string => resolved(folderOf(path), target) ?? "";
  const entries = (key: string, isTests: (place: string) => boolean): JsonSelector[] => {
    const names = isRecord(value) && isRecord(value[key]) ? value[key] : {};
    return Object.keys(names)
      .filter((name) => textsIn(names[name]).some((target) => isTests(placeOf(target))))
      .map((name) => [key, name]);
  };
  return [
    ...entries("imports", (place) => isTestPath(place) || looksLikeTestSupport(place)),
    ...entries("exports", isTestPath),
  ];
}
