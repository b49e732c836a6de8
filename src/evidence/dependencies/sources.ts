import { readJson } from "../../text/read-json.ts";
import { isRecord, isText } from "../../text/json/values.ts";
import type { Install, Texts } from "./installs.ts";

const REGISTRY = "registry";

/** A version range or tag name. A colon or slash points to another source. */
function sourceOf(spec: string): string {
  return /[:/]/.test(spec) ? spec : REGISTRY;
}

/** Only packages from registries have such a path. */
function sourceOfResolved(resolved: string): string {
  return /^https?:\/\/[^?#]+\/-\/[^/]+\.tgz/.test(resolved) ? REGISTRY : resolved;
}

/**
 * A package that came from a registry on the base and now comes from elsewhere, such as a folder of the work tree. That could replace the
 * tests' own tools. Null: none.
 */
export function replacedPackage(base: Install, baseTexts: Texts, now: Install, texts: Texts): string | null {
  const before = sources(base, baseTexts);
  for (const [name, source] of sources(now, texts))
    if (source !== REGISTRY && before.get(name) === REGISTRY) return name;
  return null;
}

function sources({ manifests, lock }: Install, { read }: Texts): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // Any one of several entries for a package may name its source.
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

/** The last name of a path: `a/node_modules/@b/c`, `a>b`, `a@1`. */
function nameAt(path: string): string {
  const last = path.split(/node_modules\/|>|\*\*\//).at(-1) ?? path;
  return last.replace(/(?<=.)@[^/]*$/, "");
}
