import { dirname, join } from "node:path";
import { realPath } from "../../platform/git/tree-repository.ts";
import { isUnchanged } from "./contents.ts";
import { readEntry } from "../../platform/git/read-entry.ts";
import { DIRECTORY, stampOf, type Stamps, lookAt } from "../../platform/git/stamps.ts";
import { namesIn } from "../../platform/files/names-in.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

/**
 * Files in parent folders that tools look for, or that project files commonly name there. Other projects share these folders, so nothing else
 * counts.
 */
const SETTINGS: readonly RegExp[] = [
  /^(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnp\.c?js|pnpm-workspace\.yaml|\.pnpmfile\.c?js)$/,
  /^(?:ava|babel|eslint|jest|playwright|vite|vitest)\.(?:config|preset|setup|workspace)\.\w+$/,
  /^\.(?:babelrc|c8rc|eslintrc|mocharc|nycrc|swcrc|taprc)(?:\.\w+)?$/,
  /^(?:[jt]sconfig[\w.-]*\.json|deno\.jsonc?|bunfig\.toml)$/,
  /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml|conftest\.py|__init__\.py|noxfile\.py)$/,
  /^(?:\.coveragerc|\.?mypy\.ini|\.?ruff\.toml|uv\.toml)$/,
  /^(?:\.(?:go|java|node|python|ruby)-version|\.nvmrc|\.tool-versions|\.?mise\.toml|rust-toolchain(?:\.toml)?)$/,
  /^(?:Cargo\.toml|go\.mod|go\.work|Gemfile|Rakefile|\.rspec)$/,
  /^(?:GNUmakefile|[Mm]akefile|.+\.mk|\.?justfile|Taskfile\.ya?ml|(?:WORKSPACE|MODULE)(?:\.bazel)?|\.bazelrc)$/,
  /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties)$/,
  /^(?:Directory\.(?:Build|Packages)\.(?:props|targets)|nuget\.config|global\.json)$/i,
];

/** Folders with settings and much else. */
const IN_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  ".cargo": ["config", "config.toml"],
  ".mvn": ["maven.config", "jvm.config", "extensions.xml"],
};

const LARGEST = 1024 * 1024;

/** Looking at more files than this would take too long at every turn. Of installed packages only names count. */
const MOST_INSTALLED = 20_000;
const TOO_MANY = "many";

/** In a folder with this bit, a writer cannot touch another user's files. */
const STICKY = 0o1000n;

interface Bounds {
  /** The owner of files that an agent could create. */
  readonly uid?: number;
  readonly mostInstalled?: number;
}

/** Stamps of files in parent folders that can affect tests, by full path. */
export function stampsAbove(root: string, bounds: Bounds = {}): Stamps {
  const { uid = process.getuid?.() ?? 0, mostInstalled = MOST_INSTALLED } = bounds;
  const stamps = new Map<string, string>();
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    const isShared = ((lookAt(folder)?.mode ?? 0n) & STICKY) !== 0n;
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      if (isOfAnother(path, isShared, uid)) continue;
      if (name === "node_modules") addInstalled(stamps, path, mostInstalled);
      else if (SETTINGS.some((pattern) => pattern.test(name))) addFile(stamps, path);
      else for (const each of IN_FOLDERS[name] ?? []) addFile(stamps, join(path, each));
    }
    if (folder === dirname(folder)) return stamps;
  }
}

/** The topmost paths that are new, gone or changed. `digestOf`: the digest of a file's current content; null if unknown. */
export function changedAbove(
  before: Stamps,
  now: Stamps,
  digestOf: (path: string) => string | null,
): string[] {
  const isSame = (path: string): boolean => {
    const [old, stamp] = [before.get(path), now.get(path)];
    return old !== undefined && stamp !== undefined && isUnchanged(old, stamp, () => digestOf(path));
  };
  const changed = new Set([...new Set([...before.keys(), ...now.keys()])].filter((path) => !isSame(path)));
  const isWithin = (path: string): boolean =>
    path !== dirname(path) && (changed.has(dirname(path)) || isWithin(dirname(path)));
  return [...changed].filter((path) => !isWithin(path)).sort();
}

function isOfAnother(path: string, isShared: boolean, uid: number): boolean {
  return isShared && uid !== 0 && Number(lookAt(path)?.uid ?? uid) !== uid;
}

/** Uses content and follows links, because people and tools rewrite settings without changing them. */
function addFile(stamps: Map<string, string>, path: string): void {
  const place = realPath(path);
  const entry = readEntry(place, LARGEST);
  const stat = lookAt(place);
  if (entry) stamps.set(path, sha256Of(withoutTimes(path, entry.bytes)));
  else if (stat) stamps.set(path, stampOf(place, stat));
}

/** Yarn stores there when it last looked for an update. */
function withoutTimes(path: string, bytes: Buffer): Buffer | string {
  return path.endsWith("/.yarnrc") ? bytes.toString("latin1").replace(/^lastUpdateCheck .*$/m, "") : bytes;
}

function addInstalled(stamps: Map<string, string>, folder: string, most: number): void {
  const names = namesIn(folder).filter(isInstalled);
  const found = new Map([[folder, DIRECTORY]]);
  const isWhole = names.every((name) => visit(found, join(folder, name), most));
  for (const [path, stamp] of isWhole ? found : [[folder, TOO_MANY] as const]) stamps.set(path, stamp);
  if (!isWhole) for (const name of names) stamps.set(join(folder, name), TOO_MANY);
}

/** Tools keep caches and lists of their own there. */
function isInstalled(name: string): boolean {
  return !name.startsWith(".") || name === ".bin" || name === ".pnpm";
}

/** False if there is too much. */
function visit(found: Map<string, string>, path: string, most: number): boolean {
  const stat = lookAt(path);
  if (!stat) return true;
  if (found.size > most) return false;
  found.set(path, stampOf(path, stat));
  return !stat.isDirectory() || namesIn(path).every((name) => visit(found, join(path, name), most));
}
