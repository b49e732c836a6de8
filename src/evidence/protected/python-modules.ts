import type { Imports } from "./imports.ts";
import { isTestPath } from "./test-paths.ts";
import { folderOf, foldersAbove, inFolder, nameOf } from "../../text/paths.ts";

const ASSERTS = /^[ \t]*assert\b|\bAssertionError\b|\bunittest\b|\bpytest\b/m;
const HOLDS_TESTS = /\bTestCase\b|^[ \t]*(?:async[ \t]+)?def test\w*\(|\bload_tests\b/m;
/** A text without effect: blanks and comments. */
const IDLE = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*(?:#[^\n]*)?$/;

export function isIdlePython(text: string): boolean {
  return IDLE.test(text);
}

/** The module graph of a tree. A separate package that tests another one is not product, whatever its name. */
export class PythonModules {
  readonly #files: ReadonlySet<string>;
  readonly #read: (path: string) => string | null;
  readonly #imports: Imports;

  constructor(files: ReadonlySet<string>, read: (path: string) => string | null, imports: Imports) {
    this.#files = files;
    this.#read = read;
    this.#imports = imports;
  }

  /** Whether a command's module asserts something about another package, and the product does not load it. */
  isJudge(path: string): boolean {
    const own = this.#packageOf(path);
    if (own === null || !ASSERTS.test(this.#read(path) ?? "")) return false;
    const isOwn = (other: string): boolean => other.startsWith(`${own}/`);
    const isLoaded = [...this.#files]
      .filter((other) => isOwn(other) && other.endsWith(".py"))
      .some((part) => this.#loaders(part).some((other) => !isOwn(other) && !isTestPath(other)));
    return !isLoaded && this.#loadedBy(path).some((other) => !isOwn(other));
  }

  /** Whether a module passed to a test runner contains tests of other code. */
  isNamedTest(path: string): boolean {
    if (!path.endsWith(".py") || !HOLDS_TESTS.test(this.#read(path) ?? "")) return false;
    return (
      !this.#loaders(path).some((other) => !isTestPath(other)) &&
      this.#loadedBy(path).some((other) => other !== path)
    );
  }

  /** First files of packages that run before these modules, if no module of the package is product. */
  firstFiles(run: Iterable<string>, isProduct: (path: string) => boolean): string[] {
    const first = new Set<string>();
    for (const path of run)
      if (path.endsWith(".py"))
        for (const folder of foldersAbove(path)) {
          if (folder === "" || !this.#files.has(`${folder}/__init__.py`)) break;
          first.add(`${folder}/__init__.py`);
        }
    return [...first].filter((path) => {
      const within = [...this.#files].filter((other) => other.startsWith(`${folderOf(path)}/`));
      const isApart = !within.some((other) => other.endsWith(".py") && !first.has(other) && isProduct(other));
      return isApart && (isIdlePython(this.#read(path) ?? "") || this.#loaders(path).length === 0);
    });
  }

  #packageOf(path: string): string | null {
    if (!path.endsWith(".py") || !this.#files.has(`${folderOf(path)}/__init__.py`)) return null;
    let top = folderOf(path);
    while (this.#files.has(`${folderOf(top)}/__init__.py`)) top = folderOf(top);
    return top === "" ? null : top;
  }

  #loaders(path: string): string[] {
    return this.#imports.loaders(path).filter((other) => other.endsWith(".py"));
  }

  #loadedBy(path: string): string[] {
    return this.#imports.loadedBy(path).filter((other) => other.endsWith(".py"));
  }
}

/** Modules that a new file could shadow: those that decide about tests, and those that commands run by name. */
export function modulesThatDecide(
  decisive: Iterable<string>,
  tools: Iterable<string>,
  cwd: string,
): ReadonlySet<string> {
  const modules = new Set([...tools].filter((name) => /^\w+$/.test(name)).map((name) => inFolder(cwd, name)));
  for (const path of decisive)
    if (path.endsWith(".py") && nameOf(path) !== "__init__.py") modules.add(path.replace(/\.py$/, ""));
  return modules;
}
