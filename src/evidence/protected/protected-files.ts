import { globMatcher } from "../../text/globs.ts";
import type { ProtectedKind } from "../../core/evidence/change.ts";
import { unusedBuilds } from "./builders.ts";
import { trace } from "./tracer.ts";
import { declarations, NOT_DECLARED, type Declared } from "./declared.ts";
import { packagesIn } from "./ecosystems/node.ts";
import { Imports } from "./imports.ts";
import {
  filesNamedIn,
  loadedBefore,
  loadedByConfig,
  mappedByConfig,
  runnerKeysOf,
  testsByConfig,
  type RunnerConfig,
} from "./loaded-before.ts";
import { helpersAmong, isAmongScripts, hasCheckerName, hasRunnerName, testedAmong } from "./judging.ts";
import { isBuildConfig, isKeptTestLibrary, isRunnerConfig, isWithEntries, startsPython } from "./names.ts";
import { isFixture, isForemanConfig, isTestPath } from "./test-paths.ts";
import { newKindOf } from "./new-files.ts";
import { folderOf, nameOf } from "../../text/paths.ts";
import { forTestsAmong, mainFiles, OWN_TESTS, productOf } from "./product.ts";
import { modulesThatDecide } from "./ecosystems/python-modules.ts";
import { isExpectation } from "./script-text.ts";
import { toolsOf } from "./tools.ts";
import type { CommandUses } from "./uses.ts";

export interface ProtectedFilesInput {
  /** All files of the base, relative to the tree's root, with slashes. */
  readonly files: readonly string[];
  /** The text of a file of the base; null if unavailable or large. Called only during construction. */
  readonly read: (path: string) => string | null;
  /** The test commands, as the person wrote them, and their working directory, relative to the root ("" = the root). */
  readonly commands: readonly string[];
  readonly cwd: string;
  readonly declared?: Declared;
}

export interface ProtectedFiles {
  /** For a file of the base; null: it is part of the product. */
  readonly kindOf: (path: string) => ProtectedKind | null;
  /** For a path that the base lacks; null: allowed, as new product files and new tests are. */
  readonly kindOfNew: (path: string) => ProtectedKind | null;
  /** Whether the person declared a file as part of the product. */
  readonly isDeclaredProduct: (path: string) => boolean;
  /** For comparing files of which only some entries are protected. */
  readonly uses: CommandUses;
}

export function protectedFilesOf({
  files: list,
  read: readAny,
  commands,
  cwd,
  declared = NOT_DECLARED,
}: ProtectedFilesInput): ProtectedFiles {
  const files: ReadonlySet<string> = new Set(list);
  const read = onceEach(readAny);
  const isProduct = productOf(files, read);
  const imports = new Imports(files, read, cwd);
  const isTested = testedAmong(files);
  const isMain = mainFiles(files, read);
  const isForTests = forTestsAmong(files, read, imports, isMain);
  const isJudge = (path: string): boolean =>
    isForTests(path) || hasCheckerName(path) || hasCheckerName(folderOf(path));
  const isHelper = helpersAmong(files, (path) => imports.isLoadedByProduct(path, isJudge));
  const base = { files, read, isProduct, isHelper, isTested, isForTests, imports };
  const followed = trace(base, commands, cwd);
  const packages = packagesIn(files).map((path) => ({ path, text: read(path) ?? "" }));
  const run = [...followed.executed, ...followed.helpers];
  const { executed } = followed;
  const texts = (): string[] =>
    [...run, ...followed.named, ...list.filter(isTestCode).slice(0, MAX_TESTS)].map(
      (path) => read(path) ?? "",
    );
  const isUnused = unusedBuilds({ ...followed, commands, texts });
  const hasVitest = packages.some(({ text }) => text.includes('"vitest"'));
  const tools = toolsOf([...followed.uses.tools, ...(hasVitest ? ["vitest"] : [])]);
  const isToolFile = globMatcher(tools.flatMap((tool) => tool.files));
  const isUsed = (path: string): boolean =>
    nameOf(path) === "tox.ini" ? followed.uses.tools.has("tox") : !isUnused(path);
  const isViteConfig = (path: string): boolean => isToolFile(path) && nameOf(path).startsWith("vite.config.");
  const runnerConfigs = list.filter(
    (path) => isViteConfig(path) || (isRunnerConfig(path) && !isFixture(path) && isUsed(path)),
  );
  const configs: readonly RunnerConfig[] = [
    ...runnerConfigs.map((path) => ({ path, text: read(path) ?? "" })),
    ...packages.map(({ path, text }) => ({ path, text: runnerKeysOf(text) })),
  ];
  const named = new Set([
    ...followed.named,
    ...configs.flatMap(({ path, text }) => filesNamedIn(path, text, files, isProduct)),
  ]);
  const hasTests = (path: string): boolean => {
    const text = read(path) ?? "";
    return !isProduct(path) && OWN_TESTS.test(text) && !text.includes("import.meta.vitest");
  };
  const tests = new Set(configs.flatMap((config) => testsByConfig(config, files, hasTests)));
  const before = loadedBefore({
    imports,
    configs: new Set(configs.map(({ path }) => path)),
    mapped: configs.flatMap((config) => mappedByConfig(config, files)),
    loaded: [...followed.before, ...configs.flatMap((config) => loadedByConfig(config, files))],
    isMain,
    isTested,
    isForTests,
  });
  const kindOf = (path: string): ProtectedKind | null => {
    if (isForemanConfig(path)) return "config";
    if (/(?:^|\/)node_modules\//.test(path)) return isFixture(path) ? "test" : "shadow";
    if (executed.has(path) && isScript(path) && !isRunnerConfig(path)) return "script";
    if (!inTestFolder(path) && !named.has(path) && isUnused(path)) return null;
    if ((isRunnerConfig(path) || startsPython(path)) && !isFixture(path)) return "config";
    if (isTestPath(path)) return "test";
    if (isBuildConfig(path) && (!isAside(path) || named.has(path) || isWithEntries(path))) return "config";
    if (before.has(path)) return "config";
    if (named.has(path)) return isExpectation(path) ? "test" : "config";
    if (isToolFile(path)) return "config";
    if (followed.helpers.has(path) || tests.has(path)) return "test";
    return isKeptTestLibrary(path) ? "shadow" : null;
  };
  const kinds = new Map(list.map((path) => [path, kindOf(path)]));
  const person = declarations(declared);
  const found = (path: string): ProtectedKind | null => kinds.get(path) ?? null;
  const known = (path: string): ProtectedKind | null => person.kindOf(path, found(path));
  const newKind = newKindOf({ files, read, cwd, kindOf: found, followed, packages, isUnused });
  const decisive = list.filter((path) => known(path) !== null);
  const modules = modulesThatDecide(decisive, followed.uses.tools, cwd);
  return {
    kindOf: known,
    kindOfNew: (path) => person.kindOfNew(path, newKind(path)),
    isDeclaredProduct: person.isProduct,
    uses: { ...followed.uses, modules },
  };
}

const MAX_TESTS = 2000;

function isTestCode(path: string): boolean {
  return (
    /\.(?:[cm]?[jt]s|py|rb|pl|php|go|rs|(?:ba)?sh|bats|t)$|(?:^|\/)[^/.]+$/.test(path) && isTestPath(path)
  );
}

/** A program that is run by name and is not a test, despite its own or its folder's name. */
function isScript(path: string): boolean {
  return isAmongScripts(path) || hasRunnerName(path) || !isTestPath(path);
}

function onceEach(read: (path: string) => string | null): (path: string) => string | null {
  const known = new Map<string, string | null>();
  return (path) => {
    const text = known.get(path);
    if (text !== undefined) return text;
    const now = read(path);
    known.set(path, now);
    return now;
  };
}

function inTestFolder(path: string): boolean {
  return isTestPath(`${folderOf(path)}/x`);
}

/** Folders beside the product: build files in them do not build the product. */
const ASIDE = /(?:^|\/)(?:docs?|documentation|examples?|samples|demos?|website|site)\//;

function isAside(path: string): boolean {
  return ASIDE.test(path);
}
