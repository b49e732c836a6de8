import fs from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where a system keeps its own programs. */
const SYSTEM = new Set(["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin"]);

/**
 * The full path of a program that the foreman itself relies on. System directories come first, whatever their place on PATH: projects
 * often put a directory first that an agent can write (node_modules/.bin). A program planted there would judge its own work.
 */
export function findTool(name: string): string {
  const dirs = (process.env["PATH"] ?? "").split(delimiter).filter((dir) => isAbsolute(dir));
  const ordered = [...dirs.filter((dir) => SYSTEM.has(dir)), ...dirs.filter((dir) => !SYSTEM.has(dir))];
  return ordered.map((dir) => join(dir, name)).find((path) => fs.existsSync(path)) ?? name;
}

/** Whether `program` can be started: a path, or a name on PATH. */
export function isRunnable(program: string, env: NodeJS.ProcessEnv, cwd = "."): boolean {
  return findProgram(program, env, cwd) !== undefined;
}

/** The file that a program name resolves to. */
export function findProgram(program: string, env: NodeJS.ProcessEnv, cwd = "."): string | undefined {
  if (program.includes("/")) return canRun(resolve(cwd, program)) ? resolve(cwd, program) : undefined;
  const dirs = (env["PATH"] ?? "").split(delimiter).filter((dir) => dir !== "");
  return dirs.map((dir) => join(dir, program)).find((path) => canRun(path));
}

export function canRun(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
