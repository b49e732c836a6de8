import { posix } from "node:path";

/** What a runner can take for a test. Other files are data, which tests may read. */
const CODE =
  /(?:^|\/)[^./]+$|\.(?:[cm]?[jt]sx?|py|sh|bash|bats|rb|php|pl|pm|t|go|rs|c|cc|cpp|cxx|java|kt|swift|lua|exs?|clj|scala|cs|fs|el|r|jl|mk|sql|feature)$/i;

/** Data that an original test asks for may decide it, so a person is asked where the test fails without it. */
export function isTestData(path: string): boolean {
  return !CODE.test(path);
}

interface NewFiles {
  /** New files that go by a name of tests. */
  readonly paths: readonly string[];
  /** Files of the product that are new or changed. */
  readonly product: readonly string[];
  readonly textOf: (path: string) => string | null;
  /** The texts of the base's tests. */
  readonly tests: () => readonly string[];
  /** Folders that hold something on the base. */
  readonly folders: ReadonlySet<string>;
}

/** Of new files that go by a name of tests, those that could silence the base's: code, and data that these ask for; not what the product itself loads. */
export function leftOutOfBaseTests({ paths, product, textOf, tests, folders }: NewFiles): readonly string[] {
  const data = paths.filter(isTestData);
  const texts = data.length === 0 ? [] : tests();
  const asked = new Set(data.filter((path) => texts.some((text) => asksFor(text, path, folders))));
  const found = paths.filter((path) => CODE.test(path) || asked.has(path));
  if (found.length === 0) return [];
  const loaded = new Set(product.flatMap((path) => loadedBy(path, textOf(path) ?? "")));
  return found.filter((path) => !namesOf(path).some((name) => loaded.has(name)));
}

/** In a folder of its own, data is one more case for a test that goes through folders, unless the test names the folder. */
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

/** The ways a module is named: its path, with and without an ending, or the folder that it opens. */
function namesOf(path: string): readonly string[] {
  const bare = path.replace(/\.[^./]+$/, "");
  return [path, bare, bare.replace(/\/(?:index|__init__)$/, "")];
}

const RELATIVE = /["'`](\.{1,2}\/[^"'`\s]+)["'`]/g;
const PYTHON = /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w.]+))/gm;

/** What a file imports, as paths of the tree without an ending; of Python also what may be a name in a module. */
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

/** Whether the command asks for this test, and not for a folder in which the base has some. */
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
