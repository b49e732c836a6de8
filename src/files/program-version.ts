import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord } from "../domain/steps/values.ts";
import { tryReadPlainFile } from "./read-file.ts";

const VERSION = /^\d+\.\d+[\w.+-]*$/;
/** Manifests are far smaller. */
const LARGEST_MANIFEST = 1024 * 1024;

/**
 * Which version an installed program is, without starting it: some take a second to say so, and one that does not know the question
 * begins to work. By the npm package that names the file as its program, or by the file's own name, as Claude Code's installer calls it.
 * Null: nobody can tell.
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

/** A script that merely lies in somebody's project is not of that project's version. */
function isProgramOf({ bin }: Readonly<Record<string, unknown>>, dir: string, file: string): boolean {
  const named = isRecord(bin) ? Object.values(bin) : [bin];
  return named.some((path) => typeof path === "string" && join(dir, path) === file);
}

function versionIn({ version }: Readonly<Record<string, unknown>>): string | null {
  return typeof version === "string" && VERSION.test(version) ? version : null;
}
