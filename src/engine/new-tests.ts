import { posix } from "node:path";

/** What a runner can take for a test. Data can be read by tests, and nothing else. */
const CODE =
  /(?:^|\/)[^./]+$|\.(?:[cm]?[jt]sx?|py|sh|bash|bats|rb|php|pl|pm|t|go|rs|c|cc|cpp|cxx|java|kt|swift|lua|exs?|clj|scala|cs|fs|el|r|jl|mk|sql|feature)$/i;

/** Of new files that go by a name of tests, those that could silence the base's: not data, and not what the product itself loads. */
export function runnable(
  paths: readonly string[],
  product: readonly string[],
  textOf: (path: string) => string | null,
): readonly string[] {
  const code = paths.filter((path) => CODE.test(path));
  if (code.length === 0) return [];
  const loaded = new Set(product.flatMap((path) => loadedBy(path, textOf(path) ?? "")));
  return code.filter((path) => !namesOf(path).some((name) => loaded.has(name)));
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
