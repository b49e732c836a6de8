import { isRecord } from "../../text/json/values.ts";
import { JS_RUNNERS } from "./names.ts";
import { folderOf, inFolder, nameOf, resolved } from "../../text/paths.ts";
import { readJson, writtenJson } from "../../text/read-json.ts";

const LOADED = /\.(?:[cm]?[jt]sx?|json|ya?ml|py|rb|php|sh|opts|ini|toml)$/;
const BETWEEN = /["'`\s,;()[\]{}=]+/;

/** The base's files that a runner's configuration names. */
export function filesNamedIn(
  path: string,
  text: string,
  files: ReadonlySet<string>,
  isProduct: (path: string) => boolean,
): string[] {
  const folder = folderOf(path);
  const found = new Set<string>();
  for (const word of text.split(BETWEEN)) {
    const name = word.replace(/^<rootDir>\//, "");
    if (!LOADED.test(name)) continue;
    const file = resolved(folder, name);
    if (file === null || file === path || !files.has(file)) continue;
    if (!isProduct(file)) found.add(file);
  }
  return [...found];
}

/** Files named in these are inputs. */
const COVERAGE = new Set(["c8", "nyc", "istanbul"]);

/** The runners' keys of package.json, as text. */
export function runnerKeysOf(text: string): string {
  const value = readJson(text);
  if (!isRecord(value)) return "";
  const keys = JS_RUNNERS.filter((key) => !COVERAGE.has(key) && Object.hasOwn(value, key));
  return keys.map((key) => writtenJson(value[key]) ?? "").join("\n");
}

const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;
const VITEST_CONFIG = /^vitest\.config\.[cm]?[jt]s$/;

/** Vitest falls back to the configuration of vite. */
export function usedViteConfigs(
  files: ReadonlySet<string>,
  read: (path: string) => string | null,
  tools: ReadonlySet<string>,
  packages: readonly { readonly text: string }[],
): string[] {
  const own = new Map<string, string>();
  for (const path of files) if (VITEST_CONFIG.test(nameOf(path))) own.set(folderOf(path), read(path) ?? "");
  return [...files].filter((path) => {
    if (!VITE_CONFIG.test(nameOf(path))) return false;
    const beside = own.get(folderOf(path));
    if (beside !== undefined) return beside.includes("vite.config");
    const isUsed = tools.has("vitest") || packages.some(({ text }) => text.includes('"vitest'));
    return isUsed || /\bvitest\b/.test(read(path) ?? "");
  });
}

export function isViteConfigBeside(path: string, files: ReadonlySet<string>): boolean {
  if (!VITE_CONFIG.test(nameOf(path))) return false;
  return !["js", "mjs", "cjs", "ts", "mts", "cts"].some((ending) =>
    files.has(inFolder(folderOf(path), `vitest.config.${ending}`)),
  );
}
