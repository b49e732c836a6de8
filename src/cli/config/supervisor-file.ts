import { dirname, join } from "node:path";
import { Failure } from "../../platform/failure.ts";
import type { PromptTemplate } from "../../core/settings.ts";
import { homeDirectory } from "../../platform/files/home.ts";
import { gitTop, isThere, readConfigFile, userDir } from "./read.ts";

export const SUPERVISOR_FILE = "SUPERVISOR.md";

/** The reviewer's instructions. The nearest file wins as a whole: project before user. */
export function supervisorFile(cwd: string, env: NodeJS.ProcessEnv): PromptTemplate {
  const places = supervisorPlaces(cwd, env);
  // If the nearest file is unusable, that is an error; another file must not replace it silently.
  const path = places.find(isThere);
  if (path === undefined) throw new Failure("supervisor_missing", { places: places.join(", ") });
  const read = readConfigFile(path);
  if ("text" in read) {
    const { text, sha256 } = read;
    // Agents get the text as an argument, which cannot contain NUL.
    if (text.includes("\0")) throw new Failure("supervisor_unusable", { path, why: "not_utf8" });
    if (text.trim() === "") throw new Failure("supervisor_unusable", { path, why: "empty" });
    return { text, sha256, path };
  }
  const { fault } = read;
  throw new Failure("supervisor_unusable", {
    path,
    why: fault.code === "unreadable" ? fault.why : fault.code,
  });
}

/** All possible places in search order. */
function supervisorPlaces(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  const inProject = upTo(gitTop(cwd) ?? cwd, cwd).flatMap(besideAndWithin);
  const places = [...inProject, userSupervisor(env), join(homeDirectory(env), ".claude", SUPERVISOR_FILE)];
  return [...new Set(places)];
}

/** The user's file for all projects. */
export function userSupervisor(env: NodeJS.ProcessEnv): string {
  return join(userDir(env), SUPERVISOR_FILE);
}

function besideAndWithin(dir: string): readonly string[] {
  return [join(dir, SUPERVISOR_FILE), join(dir, ".claude", SUPERVISOR_FILE)];
}

function upTo(top: string, dir: string): readonly string[] {
  return dir === top ? [dir] : [dir, ...upTo(top, dirname(dir))];
}
