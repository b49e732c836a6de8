import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord } from "../../text/json/values.ts";
import { tryReadPlainFile } from "./read-file.ts";

const VERSION = /^\d+\.\d+[\w.+-]*$/;
/** Manifests are far smaller. */
const LARGEST_MANIFEST = 1024 * 1024;

/**
 * Finds the version of an installed program without starting it: some take a second to answer, and one that does not know the flag
 * starts to work. The version comes from the npm package that declares the file as its program, or from the file's own name, as Claude
 * Code's installer names it. Null: unknown.
 */
export function programVersion(program: string): string | null {
  let file: string;
  try {
    file = fs.realpathSync(program);
  } catch {
    return null;
  }
  const name = basename(file);
  return VERSION.test(name) ? name : packageVersion(file);
}

function packageVersion(file: string): string | null {
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    const manifest = manifestIn(dir);
    if (manifest) return isProgramOf(manifest, dir, file) ? versionIn(manifest) : null;
    if (dir === dirname(dir)) return null;
  }
}

function manifestIn(dir: string): Readonly<Record<string, unknown>> | null {
  try {
    const text = tryReadPlainFile(join(dir, "package.json"), LARGEST_MANIFEST)?.toString("utf8");
    const manifest: unknown = text === undefined ? null : JSON.parse(text);
    return isRecord(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

/** A script inside a project does not have that project's version unless the project declares it as its program. */
function isProgramOf({ bin }: Readonly<Record<string, unknown>>, dir: string, file: string): boolean {
  const named = isRecord(bin) ? Object.values(bin) : [bin];
  return named.some((path) => typeof path === "string" && join(dir, path) === file);
}

function versionIn({ version }: Readonly<Record<string, unknown>>): string | null {
  return typeof version === "string" && VERSION.test(version) ? version : null;
}
