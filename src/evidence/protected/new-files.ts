import { globMatcher } from "../../text/globs.ts";
import type { ProtectedKind } from "../../core/evidence/change.ts";
import type { TraceResult } from "./trace-result.ts";
import { besideBuild } from "./builders.ts";
import { isBuildConfig, isRunnerConfig, JS_RUNNERS, startsPython } from "./names.ts";
import { isFixture, isForemanConfig, isTestPath } from "./test-paths.ts";
import { folderOf, foldersAbove, nameOf } from "../../text/paths.ts";
import { readJson } from "../../text/read-json.ts";
import { shadowsPython } from "./ecosystems/python-modules.ts";
import { shadowsName, shadowsProgram } from "./shadows.ts";
import { toolsOf } from "./tools.ts";

export interface NewFilesInput {
  readonly files: ReadonlySet<string>;
  readonly cwd: string;
  readonly kindOf: (path: string) => ProtectedKind | null;
  readonly read: (path: string) => string | null;
  readonly followed: TraceResult;
  /** Whether it is a build file of a program that nothing runs. */
  readonly isUnused: (path: string) => boolean;
  readonly packages: readonly { readonly path: string; readonly text: string }[];
}

const PYTHON_CONFIG =
  /^(?:\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml|\.coveragerc.*)$/;
/** Files that runners load by default. */
const LOADED_BY_ITSELF =
  /(?:^|\/)(?:conftest\.py|setupTests\.[cm]?[jt]sx?|__mocks__\/.*|cypress\/support\/(?:e2e|index|component)\.[jt]sx?)$/;
/** Configuration folders: their files affect the folder that contains them. */
const OF_BUILD = /(?:^|\/)(?:\.mvn|\.bundle|buildSrc|gradle\/wrapper)(?:\/.*)?$/;
const OF_FOLDER = /(?:^|\/)(?:\.cargo|\.config|\.yarn\/\w+|META-INF\/services)\/[^/]*$/;

/** How a file that is new since the base would be protected. The returned function reads no files, so it can run at any time. */
export function newKindOf(input: NewFilesInput): (path: string) => ProtectedKind | null {
  const { files, followed } = input;
  const base = new BaseFolders(input);
  const isAwaited = globMatcher([...followed.awaited].map((path) => `./${path}`));
  const isShadow = [followed.uses.isMade, shadowsProgram(input), shadowsPython(input), shadowsName(input)];
  const isToolFile = newToolFile(input, base);
  return (path) => {
    if (files.has(path)) return null;
    if (isForemanConfig(path)) return "config";
    const name = nameOf(path);
    const modules = /^(.*?\/)?node_modules\//.exec(path);
    if (modules !== null) return base.holds((modules[1] ?? "").replace(/\/$/, "")) ? "shadow" : null;
    if (startsPython(path) || name.startsWith(".pnp.") || isAwaited(path)) return "shadow";
    if (isShadow.some((check) => check(path))) return "shadow";
    if (LOADED_BY_ITSELF.test(path) || base.isFirstOfTests(path)) return "test";
    if (name === "package.json") return base.newPackage(path);
    return (base.isConfig(path) && !input.isUnused(path)) || isToolFile(path) ? "config" : null;
  };
}

class BaseFolders {
  /** Folders that contain tests directly, and those that contain them at any depth. */
  readonly #testFolders = new Set<string>();
  readonly #aboveTests = new Set<string>();
  /** Folders that are loaded by name. */
  readonly #helperFolders = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #abovePython = new Set<string>();
  readonly #input: NewFilesInput;
  readonly #isBesideBuild: (path: string) => boolean;

  constructor(input: NewFilesInput) {
    this.#input = input;
    this.#isBesideBuild = besideBuild(input.files);
    for (const path of input.files) {
      const above = foldersAbove(path);
      for (const folder of above) {
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
      if (input.kindOf(path) !== "test") continue;
      this.#testFolders.add(folderOf(path));
      if (/\/index\.[cm]?[jt]s$/.test(path)) this.#helperFolders.add(folderOf(path));
      for (const folder of above) this.#aboveTests.add(folder);
      if (path.endsWith(".py")) for (const folder of above) this.#abovePython.add(folder);
    }
  }

  /** Whether the base has files in it: a file in a new folder affects only that folder. */
  holds(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /** Python runs a folder's first file before its tests. */
  isFirstOfTests(path: string): boolean {
    return nameOf(path) === "__init__.py" && isTestPath(path) && this.#testFolders.has(folderOf(path));
  }

  /** Among tests it may change the module type; above them it may configure their runner. */
  newPackage(path: string): ProtectedKind | null {
    const folder = folderOf(path);
    if (isTestPath(path)) return this.#testFolders.has(folder) && !isFixture(path) ? "shadow" : null;
    if (this.#helperFolders.has(folder)) return "shadow";
    return this.#aboveTests.has(folder) ? "config" : null;
  }

  isConfig(path: string): boolean {
    const name = nameOf(path);
    const folder = folderOf(path);
    if (PYTHON_CONFIG.test(name)) return this.#abovePython.has(folder);
    if (isRunnerConfig(path)) return this.#isRunnerConfig(path);
    return isBuildConfig(path) && this.holds(folder.replace(OF_BUILD, "")) && this.#isBesideBuild(path);
  }

  #isRunnerConfig(path: string): boolean {
    const name = nameOf(path);
    const about = OF_FOLDER.test(path) ? path.replace(OF_FOLDER, "") : folderOf(path);
    if (!this.holds(about)) return false;
    if (/^\.(?:npmrc|yarnrc)|pnpmfile\./.test(name)) return true;
    const runner = /^\.?([\w-]+?)(?:rc)?(?:\..*)?$/.exec(name)?.[1] ?? "";
    if (this.#aboveTests.size === 0) return false;
    return !JS_RUNNERS.includes(runner) || runner === "babel" || this.#isUsed(runner);
  }

  /** Used by a command, or by a package's own fields. */
  #isUsed(runner: string): boolean {
    const { followed, packages } = this.#input;
    return followed.uses.tools.has(runner) || packages.some(({ text }) => text.includes(runner));
  }
}

/** Configuration of tools that the commands name. */
function newToolFile(
  { files, followed, packages }: NewFilesInput,
  base: BaseFolders,
): (path: string) => boolean {
  const keys = new Set(
    packages.map(({ text }) => readJson(text)).flatMap((value) => Object.keys(value ?? {})),
  );
  const matchers = toolsOf(followed.uses.tools)
    .filter(
      (tool) =>
        !tool.needsFile || [...files].some(globMatcher(tool.files)) || tool.keys.some((key) => keys.has(key)),
    )
    .map((tool) => globMatcher(tool.files));
  return (path) =>
    base.holds(folderOf(path)) && !isTestPath(path) && matchers.some((matches) => matches(path));
}
