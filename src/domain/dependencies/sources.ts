import { readJson } from "../oracle/read-json.ts";
import { isRecord, isText } from "../steps/values.ts";
import type { Install, Texts } from "./installs.ts";

const REGISTRY = "registry";

/** A range of versions, or the name of one: anything with a colon or a slash says where else to look. */
function sourceOf(spec: string): string {
  return /[:/]/.test(spec) ? spec : REGISTRY;
}

/** Packages of registries have such a path in every one of them. */
function sourceOfResolved(resolved: string): string {
  return /^https?:\/\/[^?#]+\/-\/[^/]+\.tgz/.test(resolved) ? REGISTRY : resolved;
}

/**
 * A package that came from a registry on the base and comes from somewhere else now, such as a folder of the work tree: the tests'
 * own tools could be replaced that way. Null: there is none.
 */
export function replacedPackage(base: Install, baseTexts: Texts, now: Install, texts: Texts): string | null {
  const before = sources(base, baseTexts);
  for (const [name, source] of sources(now, texts))
    if (source !== REGISTRY && before.get(name) === REGISTRY) return name;
  return null;
}

function sources({ manifests, lock }: Install, { read }: Texts): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // One of several that name a package may say where it comes from.
  const add = (name: string, source: string): void => {
    if (source !== REGISTRY || !found.has(name)) found.set(name, source);
  };
  for (const path of manifests) addNamed(readJson(read(path) ?? ""), add);
  const locked = readJson((lock === null ? null : read(lock)) ?? "");
  if (isRecord(locked) && isRecord(locked["packages"]))
    for (const [path, each] of Object.entries(locked["packages"]))
      if (isRecord(each) && path.includes("node_modules/"))
        add(nameAt(path), isText(each["resolved"]) ? sourceOfResolved(each["resolved"]) : REGISTRY);
  return found;
}

function addNamed(manifest: unknown, add: (name: string, source: string) => void): void {
  if (!isRecord(manifest)) return;
  const { pnpm } = manifest;
  for (const field of ["dependencies", "devDependencies", "optionalDependencies"])
    addAll(manifest[field], add);
  for (const forced of [
    manifest["overrides"],
    manifest["resolutions"],
    isRecord(pnpm) ? pnpm["overrides"] : null,
  ])
    addAll(forced, add);
}

function addAll(value: unknown, add: (name: string, source: string) => void): void {
  if (!isRecord(value)) return;
  for (const [name, spec] of Object.entries(value))
    if (isText(spec)) add(nameAt(name), sourceOf(spec));
    else addAll(spec, add);
}

/** The last name on a way: `a/node_modules/@b/c`, `a>b`, `a@1`. */
function nameAt(path: string): string {
  const last = path.split(/node_modules\/|>|\*\*\//).at(-1) ?? path;
  return last.replace(/(?<=.)@[^/]*$/, "");
}
