import { dirname, join } from "node:path";
import { Failure } from "../domain/failure.ts";
import type { PromptTemplate } from "../domain/settings.ts";
import { homeDirectory } from "../files/home.ts";
import { gitTop, isThere, readConfigFile, userDir } from "./read.ts";

export const SUPERVISOR_FILE = "SUPERVISOR.md";

/** What the reviewer is: the project's own word before the user's. The nearest file counts, whole. */
export function supervisorFile(cwd: string, env: NodeJS.ProcessEnv): PromptTemplate {
  const places = supervisorPlaces(cwd, env);
  // One that is there and cannot be used is no reason to be reviewed by another.
  const path = places.find(isThere);
  if (path === undefined) throw new Failure("supervisor_missing", { places: places.join(", ") });
  const read = readConfigFile(path);
  if ("text" in read) {
    const { text, sha256 } = read;
    // An agent is given it as an argument, which no text with a NUL can be.
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

/** Wherever it may be, in the order it is looked for. */
function supervisorPlaces(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  const inProject = upTo(gitTop(cwd) ?? cwd, cwd).flatMap(besideAndWithin);
  const places = [...inProject, userSupervisor(env), join(homeDirectory(env), ".claude", SUPERVISOR_FILE)];
  return [...new Set(places)];
}

/** The user's own, for all their projects. */
export function userSupervisor(env: NodeJS.ProcessEnv): string {
  return join(userDir(env), SUPERVISOR_FILE);
}

function besideAndWithin(dir: string): readonly string[] {
  return [join(dir, SUPERVISOR_FILE), join(dir, ".claude", SUPERVISOR_FILE)];
}

function upTo(top: string, dir: string): readonly string[] {
  return dir === top ? [dir] : [dir, ...upTo(top, dirname(dir))];
}
