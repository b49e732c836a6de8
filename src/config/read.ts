import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { PROJECT_FILE, type ConfigFault } from "../domain/config-problem.ts";
import { messageOf } from "../domain/failure.ts";
import { homeDirectory } from "../files/home.ts";
import { readPlainFile } from "../files/read-file.ts";

const MISSPELT = "agent-foreman.yml";
const MAX_BYTES = 1024 * 1024;

export function userFile(env: NodeJS.ProcessEnv): string {
  return join(userDir(env), "config.yaml");
}

/** By the XDG rules, which have relative paths ignored. */
export function userDir(env: NodeJS.ProcessEnv): string {
  const xdg = env["XDG_CONFIG_HOME"];
  const windows = process.platform === "win32" ? env["APPDATA"] : undefined;
  const base = xdg && isAbsolute(xdg) ? xdg : (windows ?? join(homeDirectory(env), ".config"));
  return join(base, "agent-foreman");
}

/** Where the project's file may be: the work directory, then the top of its git work tree. */
function projectDirs(cwd: string): readonly string[] {
  const top = gitTop(cwd);
  return top === undefined || top === cwd ? [cwd] : [cwd, top];
}

/** Told by its `.git` alone: to ask git would cost more than all else here. */
export function gitTop(dir: string): string | undefined {
  if (isThere(join(dir, ".git"))) return dir;
  return dirname(dir) === dir ? undefined : gitTop(dirname(dir));
}

/** Wherever a file would be read from, if it were there. */
export function candidateFiles(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  return [userFile(env), ...projectDirs(cwd).map((dir) => join(dir, PROJECT_FILE))];
}

/** The project's file, or undefined where there is none. One whose name ends in `yml` would be overlooked for ever. */
export function projectFile(cwd: string): string | undefined {
  return projectDirs(cwd)
    .flatMap((dir) => [join(dir, PROJECT_FILE), join(dir, MISSPELT)])
    .find(isThere);
}

/** A link that leads nowhere is there: what it was meant to say must not be passed over in silence. */
export function isThere(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A directory that may not be searched, such as another user's home.
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
