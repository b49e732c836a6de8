import { globMatcher } from "../../text/globs.ts";
import type { ProtectedKind } from "../../core/evidence/change.ts";
import type { TraceResult } from "./trace-result.ts";
import {
  isBuildConfig,
  isRunnerConfig,
  JS_RUNNERS,
  JUSTFILES,
  MAKEFILES,
  startsPython,
  TASKFILES,
} from "./names.ts";
import { isFixture, isForemanConfig, isTestPath } from "./test-paths.ts";
import { folderOf, foldersAbove, inFolder, nameOf } from "../../text/paths.ts";
import { readJson } from "../../text/read-json.ts";
import { isViteConfigBeside } from "./runner-files.ts";
import {
  rebuildsMakefile,
  shadowsPython,
  shadowsTestHelper,
  shadowsFolder,
  shadowsProgram,
  shadowsSource,
} from "./shadows.ts";
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

/** A program uses the first of these names that exists. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  MAKEFILES,
  JUSTFILES,
  TASKFILES,
  ["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"],
  ["deno.json", "deno.jsonc"],
  ["build.gradle", "build.gradle.kts"],
  ["BUILD.bazel", "BUILD"],
];
/** Files that affect a whole project, with a file that the project has. */
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
/** Vite loads these even without styles. */
const POSTCSS = /^(?:postcss\.config\.\w+|\.postcssrc(?:\.\w+)?)$/;
/** Files that runners load by default. */
const LOADED_BY_ITSELF =
  /(?:^|\/)(?:conftest\.py|setupTests\.[cm]?[jt]sx?|__mocks__\/.*|cypress\/support\/(?:e2e|index|component)\.[jt]sx?)$/;
/** Configuration folders: their files affect the folder that contains them. */
const OF_FOLDER = /(?:^|\/)(?:\.cargo|\.config|\.yarn\/\w+|META-INF\/services)\/[^/]*$/;

/** How a file that is new since the base would be protected. The returned function reads no files, so it can run at any time. */
export function newKindOf(input: NewFilesInput): (path: string) => ProtectedKind | null {
  const { files, followed } = input;
  const base = new BaseFolders(input);
  const isAwaited = globMatcher([...followed.awaited].map((path) => `./${path}`));
  const isShadow = [
    followed.uses.isMade,
    rebuildsMakefile(input),
    shadowsProgram(input),
    shadowsSource(input),
    shadowsPython(input),
    shadowsTestHelper(input),
    shadowsFolder(input),
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
  /** Folders that contain tests directly, and those that contain them at any depth. */
  readonly #testFolders = new Set<string>();
  readonly #aboveTests = new Set<string>();
  /** Folders that are loaded by name. */
  readonly #helperFolders = new Set<string>();
  readonly #folders = new Set<string>();
  readonly #abovePython = new Set<string>();
  readonly #input: NewFilesInput;
  /** For each kind of project, its folders. */
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

  /** Used by a command, or by a package's own fields. Without tests nothing else runs it. */
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
