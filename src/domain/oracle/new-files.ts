import { globMatcher } from "../board/globs.ts";
import type { OracleKind } from "./change.ts";
import type { Followed } from "./followed.ts";
import {
  isBuildConfig,
  isFixture,
  isForemanConfig,
  isRunnerConfig,
  isTestPath,
  JS_RUNNERS,
  JUSTFILES,
  MAKEFILES,
  startsPython,
  TASKFILES,
} from "./names.ts";
import { folderOf, foldersAbove, inFolder, nameOf } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { isViteConfigBeside } from "./runner-files.ts";
import {
  remakes,
  shadowsPython,
  standsBefore,
  standsForFolder,
  standsForProgram,
  standsForSource,
} from "./shadows.ts";
import { toolsOf } from "./tools.ts";

export interface NewFilesInput {
  readonly files: ReadonlySet<string>;
  readonly cwd: string;
  readonly kindOf: (path: string) => OracleKind | null;
  readonly read: (path: string) => string | null;
  readonly followed: Followed;
  /** Whether it says how to build to a program that nothing runs. */
  readonly isUnused: (path: string) => boolean;
  readonly packages: readonly { readonly path: string; readonly text: string }[];
}

/** Names of which a program takes the first that it finds. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  MAKEFILES,
  JUSTFILES,
  TASKFILES,
  ["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"],
  ["deno.json", "deno.jsonc"],
  ["build.gradle", "build.gradle.kts"],
  ["BUILD.bazel", "BUILD"],
];
/** What says something about a whole project, by a file that the project has. */
const ADDED_TO: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:settings\.gradle(?:\.kts)?|gradle\.properties)$/, /(?:^|\/)build\.gradle(?:\.kts)?$/],
  [/^(?:Directory\.\w+\.(?:props|targets)|global\.json|nuget\.config)$/i, /\.(?:cs|fs|vb)proj$/],
  [/^\.bazelrc$/, /(?:^|\/)(?:WORKSPACE|MODULE)(?:\.bazel)?$/],
  [/^go\.work$/, /(?:^|\/)go\.mod$/],
];
const ADDED_BELOW: readonly (readonly [RegExp, string])[] = [
  [/^(.*?\/)?\.mvn\//, "pom.xml"],
  [/^(.*?\/)?\.bundle\/config$/, "Gemfile"],
  [/^(.*?\/)?buildSrc\//, "build.gradle"],
  [/^(.*?\/)?buildSrc\//, "build.gradle.kts"],
];
const PYTHON_CONFIG =
  /^(?:\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml|\.coveragerc.*)$/;
/** What vite loads whether there are styles or not. */
const POSTCSS = /^(?:postcss\.config\.\w+|\.postcssrc(?:\.\w+)?)$/;
/** What runners load without being told. */
const LOADED_BY_ITSELF =
  /(?:^|\/)(?:conftest\.py|setupTests\.[cm]?[jt]sx?|__mocks__\/.*|cypress\/support\/(?:e2e|index|component)\.[jt]sx?)$/;
/** Folders of configuration: what lies in them is about the folder that they lie in. */
const OF_FOLDER = /(?:^|\/)(?:\.cargo|\.config|\.yarn\/\w+|META-INF\/services)\/[^/]*$/;

/** What a file would be to the oracle that the base does not have. Nothing is read when it is asked for, which may be at any time. */
export function newKindOf(input: NewFilesInput): (path: string) => OracleKind | null {
  const { files, followed } = input;
  const base = new BaseFolders(input);
  const isAwaited = globMatcher([...followed.awaited].map((path) => `./${path}`));
  const isShadow = [
    followed.uses.isMade,
    remakes(input),
    standsForProgram(input),
    standsForSource(input),
    shadowsPython(input),
    standsBefore(input),
    standsForFolder(input),
  ];
  const isToolFile = newToolFile(input, base);
  return (path) => {
    if (files.has(path)) return null;
    if (isForemanConfig(path)) return "config";
    const name = nameOf(path);
    const modules = /^(.*?\/)?node_modules\//.exec(path);
    if (modules !== null) return base.holds((modules[1] ?? "").replace(/\/$/, "")) ? "shadow" : null;
    if (startsPython(path) || name.startsWith(".pnp.") || isAwaited(path) || base.isNewVendor(path))
      return "shadow";
    if (isShadow.some((check) => check(path))) return "shadow";
    if (LOADED_BY_ITSELF.test(path) || base.isFirstOfTests(path)) return "test";
    if (name === "package.json") return base.newPackage(path);
    if (name === ".envrc") return base.holds(folderOf(path)) ? "config" : null;
    return (base.isConfig(path) && !input.isUnused(path)) || isToolFile(path) ? "config" : null;
  };
}

class BaseFolders {
  /** That hold tests themselves, and those that hold them at any depth. */
  readonly #testFolders = new Set<string>();
  readonly #aboveTests = new Set<string>();
  /** That are loaded by their names. */
  readonly #helperFolders = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #abovePython = new Set<string>();
  readonly #input: NewFilesInput;
  /** For each kind of project, the folders that hold one. */
  readonly #projects = ADDED_TO.map(() => new Set<string>());

  constructor(input: NewFilesInput) {
    this.#input = input;
    for (const path of input.files) {
      const above = foldersAbove(path);
      ADDED_TO.forEach(([, project], at) => {
        if (project.test(path)) for (const folder of above) this.#projects[at]?.add(folder);
      });
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

  /** Whether there is anything of the base in it: what comes with a folder of its own is about nothing else. */
  holds(folder: string): boolean {
    return this.#folders.has(folder);
  }

  /** Python runs the first file of a folder before its tests. */
  isFirstOfTests(path: string): boolean {
    return nameOf(path) === "__init__.py" && isTestPath(path) && this.#testFolders.has(folderOf(path));
  }

  /** Among tests it may have them read as another kind of module; above them it may configure their runner. */
  newPackage(path: string): OracleKind | null {
    const folder = folderOf(path);
    if (isTestPath(path)) return this.#testFolders.has(folder) && !isFixture(path) ? "shadow" : null;
    if (this.#helperFolders.has(folder)) return "shadow";
    return this.#aboveTests.has(folder) ? "config" : null;
  }

  isNewVendor(path: string): boolean {
    const project = /^(.*?\/)?vendor\//.exec(path)?.[1] ?? "";
    if (!path.startsWith(`${project}vendor/`) || this.holds(`${project}vendor`)) return false;
    const { files } = this.#input;
    return files.has(`${project}go.mod`) || files.has(`${project}composer.json`);
  }

  isConfig(path: string): boolean {
    const name = nameOf(path);
    const folder = folderOf(path);
    if (PYTHON_CONFIG.test(name)) return this.#abovePython.has(folder);
    if (isRunnerConfig(path)) return this.#isRunnerConfig(path);
    if (isViteConfigBeside(path, this.#input.files) || POSTCSS.test(name))
      return this.#isUsed("vitest") && this.holds(folder);
    return isBuildConfig(path) && this.#isBuildConfig(path);
  }

  #isRunnerConfig(path: string): boolean {
    const name = nameOf(path);
    const about = OF_FOLDER.test(path) ? path.replace(OF_FOLDER, "") : folderOf(path);
    if (!this.holds(about)) return false;
    if (/^\.(?:npmrc|yarnrc)|pnpmfile\./.test(name)) return true;
    const runner = /^\.?([\w-]+?)(?:rc)?(?:\..*)?$/.exec(name)?.[1] ?? "";
    if (runner === "noxfile") return true;
    if (this.#aboveTests.size === 0) return false;
    if (!JS_RUNNERS.includes(runner)) return true;
    return (
      this.#isUsed(runner) ||
      (runner === "babel" && ["jest", "mocha", "ava"].some((one) => this.#isUsed(one)))
    );
  }

  /** By a command, or by what a package says of itself. Without tests there is nothing to be run otherwise. */
  #isUsed(runner: string): boolean {
    const { followed, packages } = this.#input;
    return (
      this.#aboveTests.size > 0 &&
      (followed.uses.tools.has(runner) || packages.some(({ text }) => text.includes(runner)))
    );
  }

  #isBuildConfig(path: string): boolean {
    const { files } = this.#input;
    const name = nameOf(path);
    const folder = folderOf(path);
    const among = ALTERNATIVES.find((names) => names.includes(name)) ?? [];
    if (among.some((other) => files.has(inFolder(folder, other)))) return true;
    for (const [pattern, beside] of ADDED_BELOW) {
      const project = pattern.exec(path);
      if (project !== null && files.has(`${project[1] ?? ""}${beside}`)) return true;
    }
    return ADDED_TO.some(([pattern], at) => pattern.test(name) && this.#projects[at]?.has(folder));
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
