import fs from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { findDanger } from "../text/danger/danger.ts";
import type { Config } from "./config/config.ts";
import { Failure } from "../platform/failure.ts";
import type { RoomSettings, TestChanges } from "../core/evidence/settings.ts";
import { roomFlagTexts, type RoomFlagTexts } from "./words/program-room.ts";
import { usageTexts } from "./words/usage.ts";
import { rootOf } from "../platform/git/tree-repository.ts";
import type { Io } from "./io.ts";

/** How checks are isolated from the agent's files, and the agent from the system. */
export interface RoomFlags {
  readonly force?: boolean;
  /** False: checks run in the work tree. Commander passes true if the flag is absent. */
  readonly cleanRoom?: boolean;
  readonly setup?: string;
  readonly allowOracleChange?: readonly string[];
  readonly passEnv?: readonly string[];
  readonly proveTests?: boolean;
  readonly testChanges?: TestChanges;
  readonly allowNoChange?: boolean;
  readonly acceptTree?: boolean;
  readonly sandbox?: boolean;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Null: checks run in the work tree. */
export function roomFrom(
  flags: RoomFlags,
  cwd: string,
  { cleanRoom, tests }: Config,
  command: string,
  io: Io,
): RoomSettings | null {
  const usage = (problem: string): Failure => new Failure("usage", { problem, command });
  const off = switchedOffBy(flags, cleanRoom.enabled.value);
  if (off !== null) {
    const idle = idleFlags(flags);
    if (idle.length > 0) throw usage(roomFlagTexts[io.lang].noEffect(idle.join(", "), off));
    return null;
  }
  const setup = flags.setup ?? cleanRoom.setup.value;
  const allow = flags.allowOracleChange ?? cleanRoom.allow.value;
  const [protect, product] = [tests.protect.value, tests.product.value];
  const proveTests = flags.proveTests ?? cleanRoom.proveTests.value;
  const passEnv = flags.passEnv ?? cleanRoom.passEnv.value;
  if (setup?.trim() === "") throw usage(usageTexts[io.lang].empty("--setup"));
  if (allow.some((glob) => glob.trim() === ""))
    throw usage(usageTexts[io.lang].empty("--allow-oracle-change"));
  const allowedBy = flags.allowOracleChange ? "--allow-oracle-change" : "clean_room.allow_oracle_change";
  const patterns = { [allowedBy]: allow, "tests.protect": protect, "tests.product": product };
  for (const [where, globs] of Object.entries(patterns)) {
    const problem = globs.length === 0 ? null : patternProblem(globs, cwd);
    if (problem)
      throw usage(roomFlagTexts[io.lang].pattern[problem.code](where, problem.given, problem.write));
  }
  const wrong = passEnv.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined) throw usage(roomFlagTexts[io.lang].noVariable(wrong));
  const danger = setup === null || flags.force === true ? undefined : findDanger(setup);
  if (danger)
    throw new Failure("dangerous_command", { flag: "--setup", command: danger.command, rule: danger.rule });
  return {
    setup,
    allow,
    protect,
    product,
    passEnv,
    proveTests,
    testChanges: flags.testChanges ?? tests.changes.value,
    allowNoChange: flags.allowNoChange ?? tests.allowNoChange.value,
    // Only a flag counts, because an agent can write configuration.
    acceptTree: flags.acceptTree ?? false,
  };
}

function switchedOffBy({ cleanRoom }: RoomFlags, enabled: boolean): string | null {
  if (cleanRoom === false) return "--no-clean-room";
  return enabled ? null : "clean_room.enabled: false";
}

/** Rejects flags whose protection does not exist without the room. */
function idleFlags(flags: RoomFlags): readonly string[] {
  const { setup, allowOracleChange, testChanges, allowNoChange, proveTests, acceptTree, passEnv } = flags;
  return [
    ...(setup === undefined ? [] : ["--setup"]),
    ...(allowOracleChange === undefined ? [] : ["--allow-oracle-change"]),
    ...(testChanges === undefined ? [] : ["--test-changes"]),
    ...(allowNoChange === undefined ? [] : ["--allow-no-change"]),
    ...(proveTests === undefined ? [] : ["--prove-tests"]),
    ...(acceptTree === undefined ? [] : ["--accept-tree"]),
    ...(passEnv === undefined ? [] : ["--pass-env"]),
  ];
}

interface PatternProblem {
  readonly code: keyof RoomFlagTexts["pattern"];
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
