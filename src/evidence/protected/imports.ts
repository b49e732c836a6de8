import { isRunnerConfig } from "./names.ts";
import { isTestPath } from "./test-paths.ts";
import { isAmongScripts } from "./judging.ts";
import { folderOf, inFolder } from "../../text/paths.ts";
import { filesIn } from "./script-text.ts";

const MAX_READ = 5000;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|php|go|(?:ba)?sh)$/;
/** Folders beside the product: examples and benchmarks may use test helpers. */
const ASIDE =
  /(?:^|\/)(?:docs?|examples?|samples|demos?|bench(?:es|marks?)?|\.storybook)\/|\.stories\.|\.config\./;
/** `@/store`, `~/store`, `#lib/store`, `adder/store`: an alias, or the package's own name, in front of a path. */
const BY_ALIAS = /["'`][@~#]?[\w@.-]{0,100}\/([\w@./-]{1,200})["'`]/g;
const GO_IMPORT = /["'`]([\w.-]+\/[\w./-]{1,200})["'`]/g;

/** No path begins this way. */
const ALIAS = "\0";

interface Loads {
  readonly files: ReadonlySet<string>;
  /** Paths behind an alias, without an ending. */
  readonly byAlias: ReadonlySet<string>;
}

/** Whether its place suggests delivered code. */
function isProduction(path: string): boolean {
  return !isTestPath(path) && !isRunnerConfig(path) && !isAmongScripts(path) && !ASIDE.test(path);
}

/** The import graph of the base, from its texts. Texts are read on first use. */
export class Imports {
  readonly #files: ReadonlySet<string>;
  readonly #read: (path: string) => string | null;
  readonly #starts: readonly string[];
  #all: ReadonlyMap<string, Loads> | null = null;
  #loaders: ReadonlyMap<string, readonly string[]> | null = null;
  #goFolders: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(files: ReadonlySet<string>, read: (path: string) => string | null, cwd: string) {
    this.#files = files;
    this.#read = read;
    this.#starts = [...new Set(["", "src", cwd, inFolder(cwd, "src")])];
  }

  loadedBy(path: string): readonly string[] {
    return [...(this.#known().get(path)?.files ?? this.#loadsOf(path).files)];
  }

  loaders(path: string): readonly string[] {
    const loaders = (this.#loaders ??= this.#reversed());
    const bare = path.replace(/\.\w+$/, "").replace(/\/index$/, "");
    const ends = [...bare.matchAll(/\//g)].map(({ index }) => `${ALIAS}${bare.slice(index + 1)}`);
    const found = new Set([path, ...ends].flatMap((name) => loaders.get(name) ?? []));
    found.delete(path);
    return [...found];
  }

  /** Whether delivered code imports it, ignoring files of `isLeftOut`. */
  isLoadedByProduct(path: string, isLeftOut: (loader: string) => boolean): boolean {
    // Beyond the read limit an unread file may be the importer.
    if (this.#known().size === MAX_READ) return true;
    return this.loaders(path).some((loader) => isProduction(loader) && !isLeftOut(loader));
  }

  #reversed(): ReadonlyMap<string, readonly string[]> {
    const loaders = new Map<string, string[]>();
    for (const [path, { files, byAlias }] of this.#known())
      for (const name of [...files, ...[...byAlias].map((way) => `${ALIAS}${way}`)]) {
        const known = loaders.get(name);
        if (known === undefined) loaders.set(name, [path]);
        else known.push(path);
      }
    return loaders;
  }

  #known(): ReadonlyMap<string, Loads> {
    this.#all ??= new Map(
      [...this.#files]
        .filter((path) => CODE.test(path) && !/(?:^|\/)node_modules\//.test(path))
        .slice(0, MAX_READ)
        .map((path) => [path, this.#loadsOf(path)]),
    );
    return this.#all;
  }

  #loadsOf(path: string): Loads {
    const text = this.#read(path) ?? "";
    if (path.endsWith(".go")) return { files: this.#goPackages(text), byAlias: new Set() };
    const files = filesIn(path, text, this.#starts).filter((other) => this.#files.has(other));
    const aliased = path.endsWith(".py") ? [] : [...text.matchAll(BY_ALIAS)];
    const byAlias = aliased.map(([, way = ""]) => way.replace(/\.\w+$/, "").replace(/\/index$/, ""));
    return { files: new Set(files), byAlias: new Set(byAlias.filter((way) => !way.startsWith("."))) };
  }

  /** A Go package is a folder; the module's name precedes it. */
  #goPackages(text: string): ReadonlySet<string> {
    const packages = (this.#goFolders ??= this.#goFiles());
    const folders = [...text.matchAll(GO_IMPORT)].flatMap(([, way = ""]) =>
      [...way.matchAll(/\//g)].map(({ index }) => way.slice(index + 1)),
    );
    return new Set(folders.flatMap((folder) => packages.get(folder) ?? []));
  }

  #goFiles(): ReadonlyMap<string, readonly string[]> {
    const files = [...this.#files].filter((path) => path.endsWith(".go") && !isTestPath(path));
    const found = new Map<string, string[]>(files.map((path) => [folderOf(path), []]));
    for (const path of files) found.get(folderOf(path))?.push(path);
    return found;
  }
}
