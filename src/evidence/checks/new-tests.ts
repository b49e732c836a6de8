import { posix } from "node:path";

/** Files that a runner can take for a test. Other files are data that tests may read. */
const CODE =
  /(?:^|\/)[^./]+$|\.(?:[cm]?[jt]sx?|py|sh|bash|bats|rb|php|pl|pm|t|go|rs|c|cc|cpp|cxx|java|kt|swift|lua|exs?|clj|scala|cs|fs|el|r|jl|mk|sql|feature)$/i;

/** If an original test reads new data, the data may decide its result. So a person is asked if the test fails without it. */
export function isTestData(path: string): boolean {
  return !CODE.test(path);
}

interface NewFiles {
  /** New files with test names. */
  readonly paths: readonly string[];
  /** New or changed files of the product. */
  readonly product: readonly string[];
  readonly textOf: (path: string) => string | null;
  /** The texts of the base's tests. */
  readonly tests: () => readonly string[];
  /** Non-empty folders of the base. */
  readonly folders: ReadonlySet<string>;
}

/** New files with test names that could silence the base's tests: code, and data that these read. Excludes files that the product itself loads. */
export function leftOutOfBaseTests({ paths, product, textOf, tests, folders }: NewFiles): readonly string[] {
  const data = paths.filter(isTestData);
  const texts = data.length === 0 ? [] : tests();
  const asked = new Set(data.filter((path) => texts.some((text) => asksFor(text, path, folders))));
  const found = paths.filter((path) => CODE.test(path) || asked.has(path));
  if (found.length === 0) return [];
  const loaded = new Set(product.flatMap((path) => loadedBy(path, textOf(path) ?? "")));
  return found.filter((path) => !namesOf(path).some((name) => loaded.has(name)));
}

/** Data in its own folder is another case for a test that loops through folders, unless the test names the folder. */
function asksFor(text: string, path: string, folders: ReadonlySet<string>): boolean {
  const { dir, base, name } = posix.parse(path);
  const folder = posix.basename(dir);
  const isMentioned = isWordOf(text, base) || text.includes(`${folder}/${name}`);
  return isMentioned && (folders.has(dir) || isWordOf(text, folder));
}

function isWordOf(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\w.-]/.test(text[at - 1] ?? "") && !/[\w-]/.test(text[at + word.length] ?? "")) return true;
  return false;
}

/** The names of a module: its path, with and without an ending, or the folder that it opens. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(/\.[^./]+$/, "");
  return [path, bare, bare.replace(/\/(?:index|__init__)$/, "")];
}

const RELATIVE = /["'`](\.{1,2}\/[^"'`\s]+)["'`]/g;
const PYTHON = /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w.]+))/gm;

/** The imports of a file as tree paths without an ending. In Python an import may also be a name inside a module. */
function loadedBy(path: string, text: string): readonly string[] {
  const folder = posix.dirname(path);
  if (!path.endsWith(".py"))
    return [...text.matchAll(RELATIVE)].flatMap(([, to = ""]) => {
      const file = posix.join(folder, to);
      return [file, file.replace(/\.[^./]+$/, "")];
    });
  return [...text.matchAll(PYTHON)].flatMap(([, dots = "", from = "", names = "", whole = ""]) => {
    if (whole !== "") return [whole.replaceAll(".", "/")];
    const up = dots === "" ? "" : posix.join(folder, "../".repeat(dots.length - 1));
    const module = posix.join(up, from.replaceAll(".", "/"));
    return [module, ...names.split(",").map((name) => posix.join(module, name.trim()))];
  });
}

/** Whether the command names this test, and not a folder with tests of the base. */
export function isNamed(
  path: string,
  folder: string,
  command: string,
  baseFolders: ReadonlySet<string>,
): boolean {
  return command.split(/[\s'"=]+/).some((word) => {
    const named = posix.join(folder, word.replace(/\/$/, ""));
    if (path === named || (word.includes(".") && path.endsWith(`/${word}`))) return true;
    return path.startsWith(`${named}/`) && !baseFolders.has(named);
  });
}
