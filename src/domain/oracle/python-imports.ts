import { isTestPath } from "./names.ts";
import { inFolder, nameOf } from "./paths.ts";

const IMPORT = /^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import|import[ \t]+([A-Za-z_][\w.]*))/gm;
const MAX_READ = 5000;
const REQUIREMENTS = /^(?:requirements[\w.-]*\.(?:txt|in)|Pipfile)$/;

/** The root, and where a product is to come. */
const OF_PRODUCT = /^$|(?:^|\/)(?:src|lib|app|python)$/;

interface Input {
  readonly files: ReadonlySet<string>;
  readonly read: (path: string) => string | null;
  /** Where Python is told to look. */
  readonly importFolders: ReadonlySet<string>;
  readonly isTested: (name: string) => boolean;
}

/**
 * Names of modules that tests load from elsewhere, or from a folder that Python is told of and looks into only then. What tests ask
 * for and nobody has yet may be the work itself: only what is required by name, or may lie in a folder that the base does not know,
 * is somebody else's.
 */
export function loadedFromElsewhere({ files, read, importFolders, isTested }: Input): ReadonlySet<string> {
  const python = [...files].filter((path) => path.endsWith(".py"));
  const parts = new Set(python.flatMap((path) => path.replace(/\.py$/, "").split("/")));
  const required = [...files]
    .filter((path) => REQUIREMENTS.test(nameOf(path)))
    .map((path) => read(path) ?? "")
    .join("\n")
    .toLowerCase()
    .replaceAll("-", "_");
  const requirements = new Set(required.match(/[a-z_][\w.]*/g));
  const isUnknown = [...importFolders].some(
    (folder) => !OF_PRODUCT.test(folder) && ![...files].some((path) => path.startsWith(`${folder}/`)),
  );
  const found = new Set<string>();
  for (const path of python.filter((one) => isTestPath(one)).slice(0, MAX_READ))
    for (const [, from, plain = ""] of (read(path) ?? "").matchAll(IMPORT)) {
      const [name = "", ...below] = (from ?? plain).split(".");
      const isHelper = [...importFolders].some(
        (folder) => files.has(inFolder(folder, `${name}.py`)) && isTestPath(`${folder}/x`),
      );
      const isOthers =
        !parts.has(name) &&
        ![name, ...below].some(isTested) &&
        (isUnknown || requirements.has(name.toLowerCase()));
      if (isHelper || isOthers) found.add(name);
    }
  return found;
}
