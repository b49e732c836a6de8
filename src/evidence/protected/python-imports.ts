import { isTestPath } from "./test-paths.ts";
import { inFolder, nameOf } from "../../text/paths.ts";

const IMPORT = /^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import|import[ \t]+([A-Za-z_][\w.]*))/gm;
const MAX_READ = 5000;
const REQUIREMENTS = /^(?:requirements[\w.-]*\.(?:txt|in)|Pipfile)$/;

/** The root, and the usual folders of a product. */
const OF_PRODUCT = /^$|(?:^|\/)(?:src|lib|app|python)$/;

interface Input {
  readonly files: ReadonlySet<string>;
  readonly read: (path: string) => string | null;
  /** Folders in which Python looks for modules. */
  readonly importFolders: ReadonlySet<string>;
  readonly isTested: (name: string) => boolean;
}

/**
 * Modules that tests import from elsewhere, or from a folder on Python's path. A missing module may be the work itself. So only modules that
 * are required by name, or that may be in a folder unknown to the base, belong to others.
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
