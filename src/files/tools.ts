import fs from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where a system keeps its own programs. */
const SYSTEM = new Set(["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin"]);

/**
 * The full path of a program the foreman itself relies on. Of the directories on PATH the system's go first: scripts of a project
 * often put one before them that an agent can write (node_modules/.bin), and a program planted there would judge its own work.
 */
export function findTool(name: string): string {
  const dirs = (process.env["PATH"] ?? "").split(delimiter).filter((dir) => isAbsolute(dir));
  const ordered = [...dirs.filter((dir) => SYSTEM.has(dir)), ...dirs.filter((dir) => !SYSTEM.has(dir))];
  return ordered.map((dir) => join(dir, name)).find((path) => fs.existsSync(path)) ?? name;
}
