import fs from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { findDanger } from "../text/danger/danger.ts";
import { Failure } from "../platform/failure.ts";
import type { RoomSettings } from "../core/evidence/settings.ts";
import { flagOf, givenFlags } from "./settings/flags.ts";
import type { AnyFlags, Verb } from "./settings/table.ts";
import { recordedRoomValues, sourceOf } from "./settings/values.ts";
import { usageTexts } from "./words/usage.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import type { Call } from "./call.ts";
import { usage } from "./usage.ts";

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Null: checks run in the work tree. */
export function roomFrom({ verb, flags, cwd, values, io }: Call<Verb, AnyFlags>): RoomSettings | null {
  if (!values.cleanRoom) {
    // Their protection does not exist without the room.
    const idle = givenFlags(flags, ({ needsRoom }) => needsRoom === true).map((name) => flagOf(name));
    const off = flags.cleanRoom === false ? "--no-clean-room" : "clean_room.enabled: false";
    if (idle.length > 0) throw usage(usageTexts[io.lang].noEffect(idle.join(", "), off), verb);
    return null;
  }
  const { setup, allowOracleChange: allow, passEnv } = values;
  if (setup?.trim() === "") throw usage(usageTexts[io.lang].empty("--setup"), verb);
  if (allow.some((glob) => glob.trim() === ""))
    throw usage(usageTexts[io.lang].empty("--allow-oracle-change"), verb);
  for (const name of ["allowOracleChange", "protect", "product"] as const) {
    const problem = values[name].length === 0 ? null : patternProblem(values[name], cwd);
    if (!problem) continue;
    const where = sourceOf(name, flags);
    throw usage(usageTexts[io.lang].pattern[problem.code](where, problem.given, problem.write), verb);
  }
  const wrong = passEnv.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined) throw usage(usageTexts[io.lang].noVariable(wrong), verb);
  const danger = setup === null || values.force ? undefined : findDanger(setup);
  if (danger)
    throw new Failure("dangerous_command", { flag: "--setup", command: danger.command, rule: danger.rule });
  return { ...recordedRoomValues(values), allow };
}

interface PatternProblem {
  readonly code: keyof (typeof usageTexts)["en"]["pattern"];
  readonly given: string;
  /** The probable intention. */
  readonly write: string;
}

const EXAMPLE = "test/**";

/** The first pattern that cannot match. It is reported before the work instead of when a change is held. */
function patternProblem(patterns: readonly string[], cwd: string): PatternProblem | null {
  const root = rootOf(cwd);
  for (const given of patterns) {
    if (given.startsWith("!")) return { code: "exception", given, write: given.slice(1) || EXAMPLE };
    if (isAbsolute(given)) return { code: "absolute", given, write: insideTree(given, root) ?? EXAMPLE };
    if (given.split("/").includes("..")) return { code: "outside", given, write: EXAMPLE };
    if (!isBalanced(given)) return { code: "unbalanced", given, write: EXAMPLE };
    const folder = folderNamed(given, root, cwd);
    if (folder !== null) return { code: "folder", given, write: `${folder}/**` };
  }
  return null;
}

/** Converts an absolute pattern to one of the tree; `/` may mean the file system's root or the tree's. */
function insideTree(given: string, root: string): string | null {
  const below = given.startsWith(`${root}/`) ? given.slice(root.length + 1) : given.replace(/^\/+/, "");
  const [first = ""] = below.split("/");
  if (first === "" || (!given.startsWith(`${root}/`) && !fs.existsSync(join(root, first)))) return null;
  // A name alone would match at any depth.
  return below.includes("/") ? below : `./${below}`;
}

function isBalanced(pattern: string): boolean {
  const closers: string[] = [];
  for (const char of pattern)
    if (char === "[") closers.push("]");
    else if (char === "{") closers.push("}");
    else if ((char === "]" || char === "}") && closers.pop() !== char) return false;
  return closers.length === 0;
}

/** The folder that a pattern names without wildcards, relative to the tree or the current directory. */
function folderNamed(pattern: string, root: string, cwd: string): string | null {
  if (pattern.endsWith("/")) return null;
  const path = [root, cwd].map((from) => join(from, pattern)).find((each) => isFolder(each));
  return path === undefined ? null : relative(root, path) || ".";
}

/** A link to a folder counts as a file. */
function isFolder(path: string): boolean {
  try {
    return fs.lstatSync(path).isDirectory();
  } catch {
    // A pattern may be no valid file name.
    return false;
  }
}
