import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { PROJECT_FILE, type ConfigFault } from "../../platform/config-problem.ts";
import { messageOf } from "../../platform/failure.ts";
import { homeDirectory } from "../../platform/files/home.ts";
import { readPlainFile } from "../../platform/files/read-file.ts";

const MISSPELT = "agent-foreman.yml";
const MAX_BYTES = 1024 * 1024;

export function userFile(env: NodeJS.ProcessEnv): string {
  return join(userDir(env), "config.yaml");
}

/** The XDG rules say that relative paths are ignored. */
export function userDir(env: NodeJS.ProcessEnv): string {
  const xdg = env["XDG_CONFIG_HOME"];
  const windows = process.platform === "win32" ? env["APPDATA"] : undefined;
  const base = xdg && isAbsolute(xdg) ? xdg : (windows ?? join(homeDirectory(env), ".config"));
  return join(base, "agent-foreman");
}

/** Directories of the project's file: the work directory, then the top of its git work tree. */
function projectDirs(cwd: string): readonly string[] {
  const top = gitTop(cwd);
  return top === undefined || top === cwd ? [cwd] : [cwd, top];
}

/** Looks for `.git` only, because starting git would take longer than everything else here. */
export function gitTop(dir: string): string | undefined {
  if (isThere(join(dir, ".git"))) return dir;
  return dirname(dir) === dir ? undefined : gitTop(dirname(dir));
}

/** All paths that are searched, whether or not a file exists there. */
export function candidateFiles(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  return [userFile(env), ...projectDirs(cwd).map((dir) => join(dir, PROJECT_FILE))];
}

/** The project's file, if any. Rejects the ending `yml`, which would silently be ignored. */
export function projectFile(cwd: string): string | undefined {
  return projectDirs(cwd)
    .flatMap((dir) => [join(dir, PROJECT_FILE), join(dir, MISSPELT)])
    .find(isThere);
}

/** A broken link counts as existing, because ignoring it silently would hide a mistake. */
export function isThere(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A directory without search permission, such as another user's home.
    return false;
  }
}

export type FileText = { readonly text: string; readonly sha256: string } | { readonly fault: ConfigFault };

export function readConfigFile(path: string): FileText {
  if (path.endsWith(MISSPELT)) return { fault: { code: "wrong_file_name", right: PROJECT_FILE } };
  let bytes: Buffer;
  try {
    if (!fs.statSync(path).isFile()) return { fault: { code: "not_a_file" } };
    bytes = readPlainFile(path, MAX_BYTES + 1);
  } catch (error) {
    return { fault: { code: "unreadable", why: messageOf(error) } };
  }
  if (bytes.length > MAX_BYTES) return { fault: { code: "too_large", limit: "1 MiB" } };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch {
    return { fault: { code: "not_utf8" } };
  }
}
