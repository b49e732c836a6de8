import { isRecord } from "../steps/values.ts";
import type { EntryFormat } from "./entries.ts";
import { iniFormat } from "./ini-entries.ts";
import { jsonFormat, type JsonSelector } from "./json-entries.ts";
import { isAmongThoseForTests } from "./judging.ts";
import { conditionsAt } from "./loaded-before.ts";
import { INSTALL_SCRIPTS } from "./package-call.ts";
import { isTestPath, JS_RUNNERS } from "./names.ts";
import { folderOf, nameOf, resolved } from "./paths.ts";
import { readJson, textsIn } from "./read-json.ts";
import { tomlFormat, type TomlSelector } from "./toml-entries.ts";
import { toolsOf } from "./tools.ts";
import type { OracleUses } from "./uses.ts";
import { withWorkspaces } from "./workspaces.ts";

const TEST_SECTIONS = ["DEFAULT", "tool:pytest", "pytest", "coverage*", "aliases", "test", "unittest"];
const TOX_SECTIONS = ["testenv*", "tox*"];
const CARGO_ENTRIES: readonly TomlSelector[] = [
  ["test"],
  ...["test", "doctest", "harness"].map((key) => ["lib", key]),
  ["package", "autotests"],
  ["profile", "test*"],
  // The profiles that tests are built with inherit from the others.
  ...["debug-assertions", "overflow-checks", "panic"].map((key) => ["profile", "*", key]),
];
const BENCH_ENTRIES: readonly TomlSelector[] = [
  ["bench"],
  ["lib", "bench"],
  ["package", "autobenches"],
  ["profile", "bench*"],
];
/** What runs code of the project while it is installed. */
const BUILD_ENTRIES: readonly TomlSelector[] = [
  ["build-system"],
  ["tool", "setuptools", "cmdclass"],
  ["tool", "hatch", "build", "hooks"],
  ["tool", "pdm", "build"],
  ["tool", "poetry", "build"],
];
/** Where modules are found; the rest says how they are checked, which nobody does here. */
const TSX_ENTRIES: readonly JsonSelector[] = [
  ["extends"],
  ...["paths", "baseUrl", "jsxImportSource", "jsxFactory"].map((key) => ["compilerOptions", key]),
];
/** What `npm init` writes where there is nothing to run. */
const NO_TEST = /no test specified/;

/** Null: all of the file belongs to the oracle, or nothing. */
export function entryFormat(path: string, base: string | null, uses: OracleUses): EntryFormat | null {
  const tools = toolsOf(uses.tools);
  if (/^tsconfig.*\.json$/.test(nameOf(path)))
    return isOnlyRun(uses) ? jsonFormat(TSX_ENTRIES, { comments: true, base }) : null;
  switch (nameOf(path)) {
    case "package.json": {
      const keys = [...JS_RUNNERS, ...tools.flatMap((tool) => tool.keys)];
      const selectors = [
        ...scriptEntries(path, base, uses),
        ...importEntries(path, base),
        ...conditionsAt(readJson(base ?? ""), uses.conditions),
        ...keys.map((key) => [key]),
      ];
      const settings = [...uses.settings].map((name) => ["config", name]);
      const format = jsonFormat([...selectors, ...settings], { comments: false, base });
      return goesThroughPackages(uses) ? withWorkspaces(format, base) : format;
    }
    case "deno.json":
    case "deno.jsonc": {
      const checks = ["lint", "fmt"].filter((verb) => uses.tools.has(`deno ${verb}`));
      const tasks = [...(uses.scripts.get(path) ?? [])].map((name) => ["tasks", name]);
      return jsonFormat([...tasks, ["test"], ...checks.map((key) => [key])], { comments: true, base });
    }
    case "composer.json": {
      const names = [...(uses.scripts.get(path) ?? [])].flatMap((name) => [
        name,
        `pre-${name}-cmd`,
        `post-${name}-cmd`,
      ]);
      const always = names.length > 0 ? ["command", "pre-command-run", "init"] : [];
      return jsonFormat(
        [...names, ...always].map((name) => ["scripts", name]),
        { comments: false, base },
      );
    }
    case "pyproject.toml": {
      const runners = ["tox", "nox"].filter((name) => uses.tools.has(name)).map((name) => `${name}*`);
      const own = ["pytest*", "coverage*", ...runners, ...tools.flatMap((tool) => tool.toml)];
      const built = uses.tools.has("pip install") ? BUILD_ENTRIES : [];
      return tomlFormat([...built, ...own.map((name) => ["tool", ...name.split(".")])]);
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
    // Of a package that is found on the way, by which it has plug-ins loaded.
    case "entry_points.txt":
      return iniFormat(["pytest11", "nose.plugins*", "distutils.commands", "tox"]);
    default:
      return null;
  }
}

/** The scripts of the base that are used, and what is run before and after them, be it there or not. */
function scriptEntries(path: string, base: string | null, { scripts, anywhere }: OracleUses): JsonSelector[] {
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

function goesThroughPackages({ anywhere, tools }: OracleUses): boolean {
  return anywhere.size > 0 || ["turbo", "nx", "lerna"].some((name) => tools.has(name));
}

/** TypeScript is run here and not checked. */
function isOnlyRun({ tools }: OracleUses): boolean {
  return tools.has("tsx") && !["tsc", "vue-tsc", "ts-node", "tsd"].some((name) => tools.has(name));
}

/** Names under which tests load what is theirs. */
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
    ...entries("imports", (place) => isTestPath(place) || isAmongThoseForTests(place)),
    ...entries("exports", isTestPath),
  ];
}
